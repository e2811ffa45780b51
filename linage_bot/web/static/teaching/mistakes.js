// Learning from the mistakes of a reviewed game: each becomes a puzzle, to find a better move than the one played. The
// server checks the moves, and the review's line of best play is the solution.

import { post } from "../api.js";
import { PASS, STEP } from "../board/geometry.js";
import { Guest } from "../board/guest.js";
import { marks } from "../board/refusals.js";
import { html, keyButton, svg } from "../dom.js";
import { RequestRefused, sentence } from "../errors.js";
import { t } from "../language.js";
import { points } from "../table/side.js";

const MOST_SHOWN = 7; // moves of a line, as in a review
const AREA = 1.6 * STEP; // radius of the area that a hint marks
const EVERYBODY = "both";
const HOW = { first: t`found at the first try`, later: t`found later`, shown: t`solution seen` };

export class Mistakes extends Guest {
  /** @type {number} */ at;
  /** @type {Record<string, HTMLButtonElement>} */ buttons;
  /** @type {ReviewResult} */ found;
  /** @type {Game} */ game;
  /** @type {HTMLElement} */ goal;
  /** @type {boolean} */ helped;
  /** @type {number | null} */ last;
  /** @type {HTMLElement} */ list;
  /** @type {Position} */ position;
  /** @type {HTMLElement} */ said;
  /** @type {string} */ state;
  /** @type {Map<number, Solved>} */ solved;
  /** @type {HTMLElement} */ title;
  /** @type {HTMLSelectElement} */ whose;

  /** @param {Page} host */
  constructor(host) {
    super(host);
    this.wanted = false; // whether to open as soon as the review is finished
  }

  /**
   * Start with the first mistake of the viewer, or of both players if the viewer had no side. Do nothing if there are no
   * mistakes.
   * @param {ReviewResult} found
   * @param {TableView} table
   */
  async open(found, table) {
    this.wanted = false;
    if (!found.mistakes.length) return;
    this.found = found;
    this.game = table.game;
    this.solved = new Map();
    const own = table.seats ? table.seats.you : table.players[0] === null && table.players[1] === null ? null : table.players.indexOf(null);
    this.enter(...this.panel(found.mistakes.some((each) => each.player === own) ? String(own) : EVERYBODY));
    await this.show(0);
    this.goal.focus();
  }

  /** @param {string} chosen */
  panel(chosen) {
    this.buttons = {};
    /** @type {(id: string, key: string, text: string, handler: () => unknown) => HTMLButtonElement} */
    const button = (id, key, text, handler) => (this.buttons[id] = keyButton(`mistake-${id}`, key, text, handler));
    const players = [...new Set(this.found.mistakes.map((each) => each.player))].sort();
    this.whose = html(
      "select",
      { id: "mistake-whose", "aria-label": t`Whose mistakes`, hidden: players.length < 2, onchange: () => this.show(0) },
      html("option", { value: EVERYBODY }, t`Both players`),
      ...players.map((player) => html("option", { value: player }, this.game.players[player])),
    );
    this.whose.value = chosen;
    this.title = html("p", { id: "mistake-title", class: "quiet" });
    this.goal = html("p", { id: "mistake-goal", tabindex: -1 });
    this.said = html("p", { id: "mistake-said", role: "status", "aria-live": "polite" });
    this.list = html("ol", { id: "mistake-list", "aria-label": t`The mistakes of this game` });
    return [
      html("div", { class: "row", id: "mistake-head" }, html("h2", {}, t`Learn from your mistakes`), this.title, this.whose),
      this.goal,
      this.said,
      html(
        "div",
        { class: "row" },
        button("again", "u", t`Try again`, () => this.retry()),
        button("hint", "h", t`Hint`, () => this.hint()),
        button("pass", "p", t`Pass`, () => this.clicked(PASS)),
        button("solution", "s", t`Solution`, () => this.solve()),
      ),
      html(
        "div",
        { class: "row" },
        button("previous", "[", t`Previous`, () => this.show(this.at - 1)),
        button("next", "]", t`Next`, () => this.show(this.at + 1)),
        button("back", "escape", t`Back to the game`, () => this.leave()),
      ),
      this.list,
    ];
  }

  // The chosen player's mistakes, in the order of the game.
  get mistakes() {
    const all = this.found.mistakes.toSorted((one, other) => one.number - other.number);
    return this.whose.value === EVERYBODY ? all : all.filter((each) => each.player === Number(this.whose.value));
  }

  get mistake() {
    return this.mistakes[this.at];
  }

  /**
   * Show the position before a mistake, or the summary after the last one. The table sends the position.
   * @param {number} at
   */
  async show(at) {
    this.at = Math.max(0, Math.min(at, this.mistakes.length));
    this.helped = false;
    if (!this.mistake) return this.summary();
    this.state = "away";
    this.controls();
    await this.host.act("look", { node: this.mistake.node });
    if (this.host.table) this.shown(this.host.table);
  }

  /**
   * Draw the position that was asked for, when the table has sent it.
   * @param {TableView} table
   */
  shown(table) {
    if (this.state !== "away" || table.viewed !== this.mistake.node) return;
    this.position = table.position;
    this.last = table.last;
    const { number, move, player, costs } = this.mistake;
    this.title.textContent = t`${this.at + 1} of ${this.mistakes.length}`;
    const cost = costs.reduce((one, other) => t`${one} and ${other}`);
    this.goal.textContent = t`Move ${number}, ${this.name(move)}, cost ${cost}. Find a better move for ${this.game.players[player]}.`;
    this.goal.scrollIntoView({ block: "nearest" }); // on a small phone the button Next is below the board
    this.retry();
  }

  /** @param {number} move */
  name(move) {
    return move === PASS ? t`a pass` : this.host.board.geometry.name(move);
  }

  /** @param {number[]} line */
  names(line) {
    return line.slice(0, MOST_SHOWN).map((move) => this.host.board.geometry.name(move)).join(" ");
  }

  // Let the learner move in the position before the mistake.
  retry() {
    this.state = "open";
    this.say("");
    this.place([], "person");
    this.controls();
  }

  /**
   * Draw the position with a line from there, and a cross where the mistake was made.
   * @param {number[]} line
   * @param {"person" | "none"} [turn]
   * @param {Element[]} [more]
   */
  place(line, turn = "none", more = []) {
    this.draw(this.game, this.position, this.last, turn);
    const { board } = this.host;
    const { move, player } = this.mistake;
    const drawn = line.slice(0, MOST_SHOWN);
    const cross = move === PASS || drawn.includes(move) ? [] : [board.cross(move, "cross")];
    board.layers.line.replaceChildren(...more, ...board.line(drawn, player), ...cross);
  }

  /**
   * Let the server check a move.
   * @param {number} move
   */
  async clicked(move) {
    if (this.state === "wrong") return this.retry();
    if (this.state === "away") return this.show(this.at); // the position could not be shown
    if (this.state !== "open") return;
    if (move === PASS ? !this.position.mayPass : !this.position.legal.includes(move)) return this.refused(move);
    const { mistake } = this;
    this.state = "checking";
    this.place([move]);
    this.say(t`Checking ${this.name(move)} …`);
    this.controls();
    const attempt = await this.asked(post(`games/${this.host.name}/attempt`, { node: mistake.node, move }), mistake);
    if (!attempt) return;
    this.place(attempt.line);
    if (attempt.right) this.right(move, attempt);
    else this.wrong(move, attempt);
    this.controls();
    this.buttons[attempt.right ? "next" : "again"].focus({ preventScroll: true });
  }

  /**
   * Return the server's answer, or null if it comes too late or is a refusal, which is shown.
   * @param {Promise<Attempt>} answer
   * @param {Mistake} mistake
   */
  async asked(answer, mistake) {
    const here = () => this.active && this.state === "checking" && this.mistake === mistake;
    try {
      const found = await answer;
      return here() ? found : null;
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      if (here()) {
        this.retry();
        this.say(sentence(error.message), "wrong");
      }
      return null;
    }
  }

  /** @param {number} move */
  refused(move) {
    if (move === PASS) return;
    const { board } = this.host;
    const reason = board.refusals.get(move)?.reason ?? t`there is a stone`;
    this.host.say(`${this.name(move)}: ${sentence(reason)}`, "message", true);
    board.refuse(move);
  }

  /** @param {number} move @param {Attempt} attempt */
  right(move, attempt) {
    this.state = "right";
    this.note(this.helped ? "later" : "first");
    const best = this.mistake.best[0];
    const words = move === best ? t`the best move` : t`as good as the best move, ${this.name(best)}`;
    const right = attempt.proven ? t`Right: ${this.name(move)} is ${words}: proven.` : t`Right: ${this.name(move)} is ${words}.`;
    this.say(`${right} ${this.verdict()} ${t`The line: ${this.names(attempt.line)}`}`, "right");
  }

  /** @param {number} move @param {Attempt} attempt */
  wrong(move, { winRate, points: many, proven, line }) {
    this.state = "wrong";
    this.helped = true;
    const lost = [
      winRate >= 0.005 ? t`${Math.round(100 * winRate)} % of the win rate` : "",
      many >= 0.05 ? (many === 1 ? t`1 point` : t`${points(proven ? many : Number(many.toFixed(1)))} points`) : "",
    ].filter(Boolean).reduce((one, other) => (one ? t`${one} and ${other}` : other), "");
    const played = move === this.mistake.move ? t`That is the move of the game.` : "";
    const answer = line.length > 1 ? t`${this.game.players[1 - this.mistake.player]} answers ${this.name(line[1])}.` : "";
    const name = move === PASS ? t`A pass` : this.name(move);
    const loss = proven ? t`${name} loses ${lost}: proven.` : t`${name} loses about ${lost}.`;
    this.say([played, loss, answer].filter(Boolean).join(" "), "wrong");
  }

  // Return the value of the position before the mistake, in the review's words.
  verdict() {
    return t`Value of the position: ${this.found.verdicts[this.mistake.number - 1]}.`;
  }

  // Mark an area around the better move.
  hint() {
    if (this.state === "wrong") this.retry();
    this.helped = true;
    const best = this.mistake.best[0];
    if (best === PASS) return this.say(t`No stone is better here.`);
    const { geometry } = this.host.board;
    const distance = (/** @type {number} */ one, /** @type {number} */ other) => {
      const [[x, y], [u, v]] = [geometry.center(one), geometry.center(other)];
      return Math.hypot(x - u, y - v);
    };
    // The better move is not always in the middle of the area.
    const near = geometry.points.toSorted((one, other) => distance(one, best) - distance(other, best));
    const middle = near[this.mistake.number % 5];
    const area = geometry.points.filter((point) => distance(point, middle) < AREA);
    this.place([], "person", [svg("g", { class: "counted" }, ...marks(geometry, area))]);
    this.say(t`A better move is in the marked area.`);
  }

  // Show the review's line of best play.
  solve() {
    this.state = "shown";
    this.note("shown");
    this.place(this.mistake.best);
    this.say(`${t`Better: ${this.names(this.mistake.best)}.`} ${this.verdict()}`);
    this.controls();
    this.buttons.next.focus({ preventScroll: true });
  }

  /** @param {Solved} how */
  note(how) {
    if (!this.solved.has(this.mistake.number)) this.solved.set(this.mistake.number, how);
  }

  // Show which better moves were found.
  summary() {
    this.state = "summary";
    const done = this.mistakes.map((each) => this.solved.get(each.number));
    const many = (/** @type {Solved[]} */ ...kinds) => done.filter((each) => each && kinds.includes(each)).length;
    this.title.textContent = t`Summary`;
    const [found, first] = [many("first", "later"), many("first")];
    this.goal.textContent = done.length === 1
      ? t`You found ${found} of 1 better move, ${first} at the first try.`
      : t`You found ${found} of ${done.length} better moves, ${first} at the first try.`;
    this.say("");
    this.list.replaceChildren(...this.mistakes.map((each, rank) => {
      const how = this.solved.get(each.number);
      const words = t`Move ${each.number}: ${this.name(each.best[0])} was better than ${this.name(each.move)}`;
      return html("li", {}, html("button", { class: "small", onclick: () => this.show(rank) }, words), html("span", { class: "quiet" }, how ? HOW[how] : t`not tried`));
    }));
    this.controls();
    this.goal.focus();
  }

  leave() {
    super.leave();
    const { table } = this.host;
    if (table) this.host.look(table.node);
  }

  /** @param {string} text @param {string} [kind] */
  say(text, kind = "") {
    this.said.textContent = text;
    this.said.className = kind;
    this.host.say("");
  }

  controls() {
    const { state, buttons } = this;
    const over = state === "summary";
    const done = state === "right" || state === "shown";
    for (const id of ["again", "hint", "pass", "solution"]) buttons[id].hidden = over;
    this.list.hidden = !over;
    buttons.again.disabled = state !== "wrong" && !done;
    buttons.hint.disabled = state !== "open" && state !== "wrong";
    buttons.pass.disabled = state !== "open" || !this.position?.mayPass;
    buttons.solution.disabled = done || state === "away" || state === "checking";
    buttons.previous.disabled = this.at === 0;
    buttons.next.disabled = over;
    buttons.next.textContent = this.at === this.mistakes.length - 1 ? t`Summary` : t`Next`;
    buttons.again.classList.toggle("primary", state === "wrong");
    buttons.next.classList.toggle("primary", done);
    buttons.back.classList.toggle("primary", over);
  }
}
