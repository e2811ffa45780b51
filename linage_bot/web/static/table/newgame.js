// The form for a new game.

import { find, html } from "../dom.js";
import { messageOf } from "../errors.js";
import { kindOf } from "../kinds.js";
import { served, t } from "../language.js";
import { firstGame } from "../start/start.js";
import { ClockForm } from "./clocks.js";
import { levelOptions } from "./levels.js";
import { FRIEND } from "./seats.js";

const SQUARE_SIZES = ["5", "7", "9", "11", "13", "15", "19"];
const HEX_SIZES = ["3", "4", "5", "6", "7", "9", "11"];

/** @param {string} label @param {Element} control @param {string} [hint] */
function field(label, control, hint) {
  return html("label", { class: "field" }, html("span", {}, label), control, hint ? html("small", {}, hint) : null);
}

/** @param {string} id @param {[string, string][]} choices @param {string} chosen */
function select(id, choices, chosen) {
  return html("select", { id }, ...choices.map(([value, text]) => html("option", { value, selected: value === chosen }, text)));
}

export class NewGame {
  /** @type {ClockForm} */ clock;
  /** @type {HTMLElement} */ error;
  /** @type {GameKind} */ kind;
  /** @type {HTMLInputElement | null} */ komi;
  /** @type {HTMLElement} */ komiField;
  /** @type {{ name: string, control: HTMLInputElement | HTMLSelectElement, standard: string, label: string, help: string }[]} */ options;
  /** @type {HTMLInputElement | null} */ pie;
  /** @type {HTMLElement} */ players;
  /** @type {(number | string | null)[]} */ seats;
  /** @type {HTMLSelectElement[] | null} */ selects;
  /** @type {((fields: NewTable) => Promise<void>) | null} */ together = null; // opens a game of the two at the table
  /** @type {HTMLInputElement} */ size;

  /**
   * `start(fields)` opens the game. It may reject with a reason to show.
   * @param {HTMLDialogElement} dialog
   * @param {Kinds} kinds
   * @param {(fields: NewTable) => Promise<void>} start
   */
  constructor(dialog, kinds, start) {
    this.dialog = dialog;
    this.kinds = kinds;
    this.start = start;
  }

  /**
   * Open the form with the settings of a table, or with those of a first game.
   * @param {TableView | null} table
   * @param {NewTable & { seats: Seating }} [first]
   */
  open(table, first = firstGame(this.kinds, this.kinds.chosen.id)) {
    this.together = null;
    this.begin(table, first);
  }

  /**
   * Open the form for the next game of two people, who keep their seats with the sides swapped.
   * @param {TableView} table
   * @param {(fields: NewTable) => Promise<void>} together
   */
  openForTwo(table, together) {
    this.together = together;
    this.begin(table, firstGame(this.kinds, table.game.id));
  }

  /**
   * @param {TableView | null} table
   * @param {NewTable & { seats: Seating }} first
   */
  begin(table, first) {
    const kind = kindOf(this.kinds.games, table?.game.id ?? first.game ?? "");
    const { size, komi, options } = first;
    this.seats = table?.players ?? first.seats;
    this.selects = null;
    this.clock = new ClockForm(table?.time ?? null);
    this.fill(kind.id, table?.game ?? { ...kind, size: size ?? kind.size, komi: komi ?? kind.komi, options: options ?? kind.options });
    this.dialog.showModal();
  }

  /** @param {string} id @param {Game | null} game */
  fill(id, game) {
    const kind = kindOf(this.kinds.games, id);
    this.kind = kind;
    const pick = select("new-game", this.kinds.games.map((each) => [each.id, each.name]), id);
    pick.addEventListener("change", () => {
      if (!this.together) this.seats = this.chosenSeats();
      this.fill(pick.value, null);
      find(this.dialog, "#new-game")?.focus();
    });
    const sizes = kind.hex ? HEX_SIZES : SQUARE_SIZES;
    const list = html("datalist", { id: "sizes" }, ...sizes.map((value) => html("option", { value })));
    this.size = html("input", { id: "new-size", value: game?.size ?? kind.size, list: "sizes", autocomplete: "off", size: 6 });
    this.options = Object.entries(kind.optionKinds).map(([name, option]) => this.option(name, option, game?.options?.[name]));
    this.error = html("p", { class: "error", role: "alert" });
    const form = html(
      "form",
      { onsubmit: (event) => this.submit(event) },
      html("h2", { id: "new-title" }, t`New game`),
      html("div", { class: "fields" },
        field(t`Game`, pick),
        field(t`Size`, this.size, kind.hex ? t`points per side` : t`such as 13 or 9x7`),
      ),
      (this.players = html("div", { class: "fields" })),
      this.fairness(kind, game),
      this.clock.element,
      this.optionFields(),
      list,
      this.error,
      html("div", { class: "row end" }, html("button", { type: "button", onclick: () => this.dialog.close() }, t`Cancel`), html("button", { class: "primary", id: "start" }, t`Start`)),
    );
    this.dialog.replaceChildren(form);
    this.drawPlayers();
  }

  optionFields() {
    if (!this.options.length) return "";
    const special = this.options.some(({ control, standard }) => control.value !== standard);
    return html(
      "details",
      { open: special },
      html("summary", {}, t`Options`),
      html("div", { class: "fields" }, ...this.options.map(({ label, control, help }) => field(label, control, help))),
    );
  }

  /** @param {string} name @param {GameOption} option @param {string} [value] */
  option(name, option, value) {
    const chosen = value ?? option.default;
    const control = option.choices.length
      ? select(`option-${name}`, option.choices.map((each) => [each, served(each)]), chosen)
      : html("input", { id: `option-${name}`, type: "number", min: option.minimum, max: option.maximum, value: chosen });
    return { name, control, standard: option.default, label: served(name.replaceAll("_", " ")), help: option.help };
  }

  /**
   * Return the fields for komi and for a pie, in which one player offers and the other chooses.
   * @param {GameKind} kind
   * @param {Game | null} game
   */
  fairness(kind, game) {
    if (kind.pie === "none") {
      this.pie = this.komi = null;
      return "";
    }
    const words = kind.pie === "komi" ? t`Pie: one player names komi, the other chooses a side` : t`Pie: one player places the first stone, the other chooses a side`;
    this.pie = html("input", { type: "checkbox", id: "new-pie", onchange: () => this.drawPlayers() });
    this.komi = kind.komiStep === null ? null : html("input", { id: "new-komi", type: "number", step: kind.komiStep, value: game?.komi ?? kind.komi, required: true });
    return html(
      "div",
      { class: "fields" },
      this.komi ? (this.komiField = field(t`Komi`, this.komi, t`points for ${kind.players[1]}; as a handicap, more help ${kind.players[1]}, and fewer, also below 0, help ${kind.players[0]}`)) : null,
      html("label", { class: "check" }, this.pie, html("span", {}, words)),
    );
  }

  drawPlayers() {
    const pie = this.pie?.checked ?? false;
    if (this.komi) this.komi.disabled = pie;
    if (this.together) return this.players.replaceChildren(html("p", { class: "quiet" }, t`Both players keep their seats, and the sides are swapped.`));
    /** @type {string[]} */
    const labels = pie ? [t`Offers`, t`Chooses`] : this.kind.players;
    const seats = this.selects ? this.chosenSeats() : this.seats;
    const selects = labels.map((_, player) => {
      const seat = seats[player];
      const people = select(`seat-${player}`, [["", t`Person`], [FRIEND, t`A friend, by a link`]], String(seat ?? ""));
      people.append(...levelOptions(this.kinds.levels, typeof seat === "number" ? seat : null));
      return people;
    });
    this.players.replaceChildren(...labels.map((label, player) => field(label, selects[player])));
    this.selects = selects;
  }

  /** @returns {NonNullable<NewTable["seats"]>} */
  chosenSeats() {
    const [first, second] = (this.selects ?? []).map((each) => (each.value === "" ? null : each.value === FRIEND ? FRIEND : Number(each.value)));
    return [first, second];
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    /** @type {Record<string, string>} */
    const options = {};
    for (const { name, control } of this.options) options[name] = control.value;
    const pie = this.pie?.checked ?? false;
    const komi = this.komi && !pie ? Number(this.komi.value) : null;
    try {
      const fields = { game: this.kind.id, size: this.size.value, options, pie, komi, clock: this.clock.value };
      if (this.together) await this.together(fields);
      else await this.start({ ...fields, seats: this.chosenSeats() });
      this.selects = null;
      this.dialog.close();
    } catch (error) {
      this.error.textContent = messageOf(error);
    }
  }
}
