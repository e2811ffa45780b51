// Setting up a position by clicks: what cannot be is told why, and what can is played or analysed.

import { sentence } from "./api.js";
import { html } from "./dom.js";
import { Guest, positionOf, written } from "./guest.js";

export class Editor extends Guest {
  constructor(host, kinds) {
    super(host);
    this.kinds = kinds;
  }

  // Begin with the position that is shown.
  async open(table) {
    const { first, second, toMove } = table.position;
    this.game = { ...table.game };
    this.stones = new Map([...first.map((point) => [point, 0]), ...second.map((point) => [point, 1])]);
    this.toMove = toMove;
    this.tool = 0;
    this.enter(...this.panel());
    await this.check();
    this.heading.focus();
  }

  panel() {
    const { game } = this;
    const button = (id, key, text, handler, primary) =>
      (this[id] = html("button", { id: `edit-${id}`, class: primary ? "primary" : null, "data-key": key, title: `${text} (${key === "escape" ? "Esc" : key.toUpperCase()})`, onclick: handler }, text));
    this.heading = html("h2", { tabindex: -1 }, "Edit position");
    this.said = html("p", { id: "edit-said", role: "status", "aria-live": "polite" });
    const kind = html(
      "select",
      { id: "edit-game", onchange: (event) => this.another({ game: event.target.value }) },
      ...this.kinds.games.map((each) => html("option", { value: each.id, selected: each.id === game.id }, each.name)),
    );
    const size = html("input", { id: "edit-size", value: game.size, size: 5, autocomplete: "off", onchange: (event) => this.another({ size: event.target.value }) });
    const komi = html("input", { id: "edit-komi", type: "number", step: game.komiStep, value: game.komi, onchange: (event) => this.another({ komi: Number(event.target.value) }) });
    const field = (label, control) => html("label", { class: "field" }, html("span", {}, label), control);
    const radios = (legend, name, choices, chosen, onpick) =>
      html(
        "fieldset",
        {},
        html("legend", {}, legend),
        ...choices.map((text, value) =>
          html("label", {}, html("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onpick(value) }), ` ${text}`),
        ),
      );
    return [
      this.heading,
      html("p", { class: "quiet" }, game.oneColour ? "Click a point to put a stone there or take it away." : "Click a point to put a stone of the chosen colour there or take it away."),
      html("div", { class: "fields" }, field("Game", kind), field("Size", size), game.komiStep === null ? null : field("Komi", komi)),
      game.oneColour ? "" : radios("Stones", "edit-tool", game.players, this.tool, (value) => (this.tool = value)),
      radios("To move", "edit-turn", game.players, this.toMove, (value) => {
        this.toMove = value;
        this.check();
      }),
      this.said,
      html("div", { class: "row" }, button("play", "p", "Play from here", () => this.begin(false), true), button("analyse", "a", "Analyse", () => this.begin(true))),
      html("div", { class: "row" }, button("clear", "c", "Clear", () => this.empty()), button("back", "escape", "Back to the game", () => this.leave())),
    ];
  }

  empty() {
    this.stones.clear();
    return this.check();
  }

  clicked(point) {
    if (point < 0) return;
    if (this.stones.get(point) === this.tool || (this.game.oneColour && this.stones.has(point))) this.stones.delete(point);
    else this.stones.set(point, this.game.oneColour ? 0 : this.tool);
    this.check();
  }

  // Another game, board or komi: the stones stay as far as they still have a place.
  async another({ game, size, komi }) {
    const wanted = game ?? this.game.id;
    const kind = this.kinds.games.find((each) => each.id === wanted);
    const options = wanted === this.game.id ? this.game.options : {};
    const board = size ?? (kind.hex === this.game.hex ? this.game.size : kind.size);
    const fields = { game: wanted, size: board, ...options };
    if (kind.komiStep !== null) fields.komi = komi ?? (wanted === this.game.id ? this.game.komi : kind.komi);
    try {
      const found = await positionOf(new URLSearchParams(fields).toString(), kind);
      this.keepStones(found.game);
      this.game = found.game;
    } catch (error) {
      return this.tell(refusal(error), false);
    }
    const focused = document.activeElement?.id;
    this.enter(...this.panel());
    document.getElementById(focused)?.focus();
    return this.check();
  }

  keepStones(game) {
    const { columns } = this.game;
    const moved = [...this.stones].flatMap(([point, player]) => {
      const [column, row] = [point % columns, Math.floor(point / columns)];
      return column < game.columns && row < game.rows && game.hex === this.game.hex ? [[row * game.columns + column, game.oneColour ? 0 : player]] : [];
    });
    this.stones = new Map(moved);
  }

  get link() {
    const { game } = this;
    const fields = { game: game.id, size: game.size, ...game.options };
    if (game.komiStep !== null) fields.komi = game.komi;
    for (const [player, name] of ["first", "second"].entries()) {
      const points = [...this.stones].filter(([, owner]) => owner === player).map(([point]) => written(game, point));
      if (points.length) fields[name] = points.join("");
    }
    if (this.toMove) fields.turn = "second";
    return new URLSearchParams(fields).toString();
  }

  // Ask the rules whether this can be, and draw it either way.
  async check() {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    this.drawStones({});
    try {
      const { position } = await positionOf(this.link, this.game);
      if (asked !== this.asked || !this.active) return;
      this.drawStones(position);
      const count = position.legal.length;
      const name = this.game.players[this.toMove];
      this.tell(position.over ? "The game is over in this position." : `${name} to move: ${count} point${count === 1 ? " is" : "s are"} open.`, true);
    } catch (error) {
      if (asked === this.asked && this.active) this.tell(`This cannot be: ${error.message}.`, false);
    }
  }

  drawStones({ areas = [], over = false }) {
    const of = (player) => [...this.stones].filter(([, owner]) => owner === player).map(([point]) => point);
    const position = { first: of(0), second: of(1), toMove: this.toMove, legal: [], refused: [], areas, over };
    this.draw(this.game, position, null, "none");
  }

  tell(text, possible) {
    this.said.textContent = text;
    this.said.className = possible ? "" : "wrong";
    this.play.disabled = this.analyse.disabled = !possible;
  }

  // A game of its own from this position; the one before stays where it was.
  async begin(analysing) {
    const seats = analysing ? [null, null] : this.host.table.seats;
    try {
      await this.host.visit.open({ link: this.link, seats });
    } catch (error) {
      return this.tell(refusal(error), false);
    }
    if (analysing) await this.host.act("analyse", { on: true, ownership: false });
  }
}

function refusal({ message }) {
  return sentence(message[0].toUpperCase() + message.slice(1));
}
