// The position editor: stones are placed by clicks. A possible position can be played or analysed, and an impossible
// one is explained.

import { Guest, setUp, written } from "../board/guest.js";
import { focused, html, keyButton } from "../dom.js";
import { RequestRefused, capital, messageOf, sentence } from "../errors.js";
import { kindOf } from "../kinds.js";
import { t } from "../language.js";

export class Editor extends Guest {
  /** @type {number} */ asked;
  /** @type {Record<string, HTMLButtonElement>} */ buttons;
  /** @type {Game} */ game;
  /** @type {HTMLElement} */ heading;
  /** @type {HTMLElement} */ said;
  /** @type {Map<number, number>} */ stones;
  /** @type {Player} */ toMove;
  /** @type {Player} */ tool;

  /** @param {Page} host @param {Kinds} kinds */
  constructor(host, kinds) {
    super(host);
    this.kinds = kinds;
  }

  /**
   * Open the editor with the position that is shown.
   * @param {TableView} table
   */
  async open(table) {
    const { first, second, toMove } = table.position;
    this.game = { ...table.game };
    this.stones = new Map();
    for (const point of first) this.stones.set(point, 0);
    for (const point of second) this.stones.set(point, 1);
    this.toMove = toMove;
    this.tool = 0;
    this.enter(...this.panel());
    await this.check();
    this.heading.focus();
  }

  panel() {
    const { game } = this;
    this.buttons = {};
    /** @type {(id: string, key: string, text: string, handler: () => unknown) => HTMLButtonElement} */
    const button = (id, key, text, handler) => (this.buttons[id] = keyButton(`edit-${id}`, key, text, handler));
    this.heading = html("h2", { tabindex: -1 }, t`Edit position`);
    this.said = html("p", { id: "edit-said", role: "status", "aria-live": "polite" });
    const kind = html(
      "select",
      { id: "edit-game", onchange: (event) => this.another({ game: event.target.value }) },
      ...this.kinds.games.map((each) => html("option", { value: each.id, selected: each.id === game.id }, each.name)),
    );
    const size = html("input", { id: "edit-size", value: game.size, size: 5, autocomplete: "off", onchange: (event) => this.another({ size: event.target.value }) });
    const komi = html("input", { id: "edit-komi", type: "number", step: game.komiStep, value: game.komi, onchange: (event) => this.another({ komi: Number(event.target.value) }) });
    const field = (/** @type {string} */ label, /** @type {Element} */ control) => html("label", { class: "field" }, html("span", {}, label), control);
    /** @type {(legend: string, name: string, choices: string[], chosen: number, onpick: (value: Player) => void) => Element} */
    const radios = (legend, name, choices, chosen, onpick) =>
      html(
        "fieldset",
        {},
        html("legend", {}, legend),
        ...choices.map((text, value) =>
          html("label", {}, html("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onpick(/** @type {Player} */ (value)) }), ` ${text}`),
        ),
      );
    const play = button("play", "p", t`Play from here`, () => this.begin(false));
    play.className = "primary";
    return [
      this.heading,
      html("p", { class: "quiet" }, game.oneColour ? t`Click a point to put a stone there or take it away.` : t`Click a point to put a stone of the chosen colour there or take it away.`),
      html("div", { class: "fields" }, field(t`Game`, kind), field(t`Size`, size), game.komiStep === null ? null : field(t`Komi`, komi)),
      game.oneColour ? "" : radios(t`Stones`, "edit-tool", game.players, this.tool, (value) => (this.tool = value)),
      radios(t`To move`, "edit-turn", game.players, this.toMove, (value) => {
        this.toMove = value;
        this.check();
      }),
      this.said,
      html("div", { class: "row" }, play, button("analyse", "a", t`Analyse`, () => this.begin(true))),
      html("div", { class: "row" }, button("clear", "c", t`Clear`, () => this.empty()), button("back", "escape", t`Back to the game`, () => this.leave())),
    ];
  }

  empty() {
    this.stones.clear();
    return this.check();
  }

  /** @param {number} point */
  clicked(point) {
    if (point < 0) return;
    if (this.stones.get(point) === this.tool || (this.game.oneColour && this.stones.has(point))) this.stones.delete(point);
    else this.stones.set(point, this.game.oneColour ? 0 : this.tool);
    this.check();
  }

  /**
   * Change the game, the board or komi. Keep the stones that still fit on the board.
   * @param {{ game?: string, size?: string, komi?: number }} change
   */
  async another({ game, size, komi }) {
    const wanted = game ?? this.game.id;
    const kind = kindOf(this.kinds.games, wanted);
    const options = wanted === this.game.id ? this.game.options : {};
    const board = size ?? (kind.hex === this.game.hex ? this.game.size : kind.size);
    /** @type {Record<string, string>} */
    const fields = { game: wanted, size: board, ...options };
    if (kind.komiStep !== null) fields.komi = String(komi ?? (wanted === this.game.id ? this.game.komi : kind.komi));
    try {
      const found = await setUp(new URLSearchParams(fields).toString());
      this.keepStones(found.game);
      this.game = found.game;
    } catch (error) {
      return this.say(refusal(error), false);
    }
    const chosen = focused()?.id;
    this.enter(...this.panel());
    if (chosen) document.getElementById(chosen)?.focus();
    return this.check();
  }

  /** @param {Game} game */
  keepStones(game) {
    const { columns } = this.game;
    /** @type {[number, number][]} */
    const moved = [];
    for (const [point, player] of this.stones) {
      const [column, row] = [point % columns, Math.floor(point / columns)];
      const kept = column < game.columns && row < game.rows && game.hex === this.game.hex;
      if (kept) moved.push([row * game.columns + column, game.oneColour ? 0 : player]);
    }
    this.stones = new Map(moved);
  }

  get link() {
    const { game } = this;
    /** @type {Record<string, string>} */
    const fields = { game: game.id, size: game.size, ...game.options };
    if (game.komiStep !== null) fields.komi = String(game.komi);
    for (const [player, name] of ["first", "second"].entries()) {
      const points = [...this.stones].filter(([, owner]) => owner === player).map(([point]) => written(game, point));
      if (points.length) fields[name] = points.join("");
    }
    if (this.toMove) fields.turn = "second";
    return new URLSearchParams(fields).toString();
  }

  // Ask the server whether the position is possible, and draw it in either case.
  async check() {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    this.drawStones({});
    try {
      const { position } = await setUp(this.link);
      if (asked !== this.asked || !this.active) return;
      this.drawStones(position);
      const count = position.legal.length;
      const name = this.game.players[this.toMove];
      this.say(position.over ? t`The game is over in this position.` : count === 1 ? t`${name} to move: 1 point is open.` : t`${name} to move: ${count} points are open.`, true);
    } catch (error) {
      if (asked !== this.asked || !this.active) return;
      this.drawStones({}, error instanceof RequestRefused ? error.about : []);
      this.say(t`This position is impossible: ${messageOf(error)}.`, false);
    }
  }

  /** @param {Partial<BoardPosition>} position @param {number[]} [about] the points to frame */
  drawStones({ areas = [], over = false }, about = []) {
    const of = (/** @type {number} */ player) => [...this.stones].filter(([, owner]) => owner === player).map(([point]) => point);
    const position = { first: of(0), second: of(1), toMove: this.toMove, legal: [], refused: [], areas, over };
    this.draw(this.game, position, null, "none", about);
  }

  /** @param {string} text @param {boolean} possible */
  say(text, possible) {
    this.said.textContent = text;
    this.said.className = possible ? "" : "wrong";
    this.buttons.play.disabled = this.buttons.analyse.disabled = !possible;
  }

  /**
   * Open a new table with this position. The previous table does not change.
   * @param {boolean} analysing
   */
  async begin(analysing) {
    /** @type {NewTable["seats"]} */
    const seats = analysing ? [null, null] : this.host.table?.players;
    try {
      await this.host.visit.open({ link: this.link, seats });
    } catch (error) {
      return this.say(refusal(error), false);
    }
    if (analysing) await this.host.act("analyse", { on: true, ownership: false });
  }
}

/** @param {unknown} error */
function refusal(error) {
  const message = messageOf(error);
  return sentence(capital(message));
}
