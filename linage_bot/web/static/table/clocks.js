// The clocks of both players, which count down from the values that the server sent, the form that sets them for a
// new game, and the pause between the moves of two engines.

import { byId, findAll, html } from "../dom.js";
import { t } from "../language.js";

const TICK_MS = 100;
const TENTHS = 10; // seconds below which tenths are shown
const USUAL_PAUSE = 1; // seconds between the moves of two engines, unless the user chose another
const LOW = 20; // seconds below which a clock is marked as low

export class Clocks {
  /** @type {number} */ since;
  /** @type {number} */ ticking;

  /**
   * `hurry(player, seconds)` is called once when a player has little time left.
   * @param {(player: number, seconds: number) => void} hurry
   */
  constructor(hurry) {
    this.hurry = hurry;
    /** @type {ClockView | null} */
    this.clocks = null;
    /** @type {Set<number>} */
    this.warned = new Set();
  }

  /**
   * Set the clocks from the server's message: the time left to both players, whose clock runs, the length of a
   * byo-yomi period (0 if there is none), and the number of periods after the main time. Null if there are no clocks.
   * @param {ClockView | null} clocks
   */
  set(clocks) {
    this.clocks = clocks;
    this.since = performance.now();
    clearInterval(this.ticking);
    if (clocks && clocks.runs !== null) this.ticking = setInterval(() => this.draw(), TICK_MS);
    this.draw();
  }

  // Clear the clocks when another table is shown.
  forget() {
    this.warned.clear();
    this.set(null);
  }

  /** @param {ClockView} clocks @param {number} player */
  left(clocks, player) {
    const { left, runs, period, periods: most } = clocks;
    let { seconds, periods } = left[player];
    if (player !== runs) return { seconds, periods };
    seconds -= (performance.now() - this.since) / 1000;
    // The server sends no message when the main time or a period ends, so start the next period here.
    if (seconds <= 0 && !periods && period) [seconds, periods] = [seconds + period, most];
    while (seconds <= 0 && periods > 1) [seconds, periods] = [seconds + period, periods - 1];
    return { seconds: Math.max(0, seconds), periods };
  }

  // Write the times into the rows of the score. They are looked up each time because the rows are often replaced.
  draw() {
    const { clocks } = this;
    for (const place of findAll(document, "#score [data-clock]")) {
      place.hidden = !clocks;
      if (!clocks) continue;
      const player = Number(place.dataset.clock);
      const { seconds, periods } = this.left(clocks, player);
      const text = `${shown(seconds)}${periods ? ` ×${periods}` : ""}`;
      if (place.textContent !== text) place.textContent = text;
      const [runs, low] = [clocks.runs === player, seconds < LOW && (periods <= 1 || seconds < TENTHS)];
      place.classList.toggle("runs", runs);
      place.classList.toggle("low", low);
      if (runs && low && !periods && !this.warned.has(player)) {
        this.warned.add(player);
        this.hurry(player, Math.ceil(seconds));
      }
    }
  }
}

/**
 * Format a time as 1:05:00, 5:00 or 0:09.4.
 * @param {number} seconds
 */
export function shown(seconds) {
  const tenths = seconds < TENTHS;
  const whole = tenths ? Math.floor(seconds * 10) / 10 : Math.ceil(seconds);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const last = tenths ? `0${rest.toFixed(1)}` : two(rest);
  return hours ? `${hours}:${two(minutes)}:${last}` : `${minutes}:${last}`;
}

/** @type {[string, ClockSettings][]} */
const PRESETS = [
  [t`3 min + 2 s a move`, { main: 180, increment: 2, periods: 1, period: 0 }],
  [t`5 min + 3 s a move`, { main: 300, increment: 3, periods: 1, period: 0 }],
  [t`10 min + 5 s a move`, { main: 600, increment: 5, periods: 1, period: 0 }],
  [t`10 min, then 3 × 30 s`, { main: 600, increment: 0, periods: 3, period: 30 }],
];

/** @param {ClockSettings} one @param {ClockSettings} other */
function same(one, other) {
  return one.main === other.main && one.increment === other.increment && one.periods === other.periods && one.period === other.period;
}

// The form for the time of both players in a new game: no clock, one of the presets, or the user's own numbers.
export class ClockForm {
  /** @param {ClockSettings | null} time */
  constructor(time) {
    const preset = PRESETS.findIndex(([, each]) => time && same(each, time));
    const chosen = !time ? "" : preset < 0 ? "own" : String(preset);
    const choices = [["", t`None`], ...PRESETS.map(([words], index) => [String(index), words]), ["own", t`Own times`]];
    this.choice = html("select", { id: "new-clock", onchange: () => this.draw() }, ...choices.map(([value, words]) => html("option", { value, selected: value === chosen }, words)));
    /** @type {(id: string, label: string, value: number, more: HtmlAttributes<HTMLInputElement>) => [HTMLInputElement, HTMLElement]} */
    const number = (id, label, value, more) => {
      const input = html("input", { id: `clock-${id}`, type: "number", min: 0, value, required: true, ...more });
      return [input, html("label", { class: "field" }, html("span", {}, label), input)];
    };
    const { main, increment, periods, period } = time ?? PRESETS[1][1];
    const made = [
      number("main", t`Minutes`, main / 60, { step: "any", max: 120 }),
      number("increment", t`Increment (seconds per move)`, increment, { max: 600 }),
      number("periods", t`Byo-yomi periods`, period ? periods : 0, { max: 100 }),
      number("period", t`Seconds a period`, period || 30, { min: 1, max: 600 }),
    ];
    this.numbers = made.map(([input]) => input);
    this.own = html("div", { class: "fields own-clock" }, ...made.map(([, field]) => field));
    this.element = html("div", {}, html("div", { class: "fields" }, html("label", { class: "field" }, html("span", {}, t`Clock`), this.choice)), this.own);
    this.draw();
  }

  draw() {
    this.own.hidden = this.choice.value !== "own";
    for (const input of this.numbers) input.disabled = this.own.hidden;
  }

  get value() {
    if (this.choice.value === "") return null;
    if (this.choice.value !== "own") return PRESETS[Number(this.choice.value)][1];
    const [minutes, increment, periods, period] = this.numbers.map((input) => Number(input.value));
    return { main: Math.round(60 * minutes), increment, periods: Math.max(1, periods), period: periods ? period : 0 };
  }
}

// The field for the pause between the moves of two engines that play each other. The browser remembers its value.
export class Pace {
  /**
   * `set(seconds)` changes the pause at the current table.
   * @param {(seconds: number) => void} set
   */
  constructor(set) {
    const field = byId("pace");
    field.addEventListener("change", () => {
      localStorage.setItem("pace", field.value);
      set(Number(field.value));
    });
  }

  get kept() {
    return Number(localStorage.getItem("pace") ?? USUAL_PAUSE);
  }

  /** @param {TableView} table */
  show({ players, pace }) {
    byId("pace-field").hidden = players.includes(null);
    const field = byId("pace");
    if (![...field.options].some((each) => Number(each.value) === pace)) field.append(html("option", { value: pace }, `${pace} s`));
    field.value = String(pace);
  }
}
