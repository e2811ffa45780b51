// The card at the end of a game: the winner and the reason, each player's points, and buttons for the next step.

import { round } from "../board/geometry.js";
import { marks } from "../board/refusals.js";
import { around, byId, html, svg } from "../dom.js";
import { served, t } from "../language.js";
import { nextLevel } from "./levels.js";
import { icon, points } from "./side.js";

const SCATTERED = [served("loop stones"), served("other stones")]; // counted items with no common middle

export class EndCard {
  /** @type {ScoredItem[]} */ counted;
  /** @type {string | null} */ drawn;
  /** @type {string | null} */ end;
  /** @type {TableView} */ table;

  /**
   * `on.rematch()`, `on.start()` and `on.level(level)` start another game, and `on.reveal()` brings the card into sight;
   * `levels` is the number of levels.
   * @param {Board} board
   * @param {number} levels
   * @param {{ rematch: () => void, start: () => void, level: (level: number) => void, reveal: () => void }} on
   */
  constructor(board, levels, on) {
    this.board = board;
    this.on = on;
    this.levels = levels;
    this.card = byId("end");
    /** @type {string | null} */
    this.closed = null; // the key of the end whose card the user closed
    byId("end-close").addEventListener("click", () => this.close());
    byId("end-open").addEventListener("click", () => this.open());
    byId("rematch").addEventListener("click", on.rematch);
    byId("end-new").addEventListener("click", on.start);
    byId("end-level").addEventListener("click", () => on.level(Number(byId("end-level").value)));
    const body = byId("end-count").tBodies[0];
    const pointed = (/** @type {Event} */ event) => this.mark(around(event, "tr")?.dataset.rank);
    body.addEventListener("pointerover", pointed);
    body.addEventListener("focusin", pointed);
    body.addEventListener("pointerleave", () => this.mark());
    body.addEventListener("focusout", () => this.mark());
  }

  get shown() {
    return !this.card.hidden;
  }

  /** @param {TableView} table @param {TableView | null} before */
  show(table, before) {
    const end = table.over ? `${table.node} ${JSON.stringify(table.result)}` : null;
    this.table = table;
    if (end !== this.end) this.closed = null;
    this.end = end;
    const open = end !== null && this.closed !== end;
    byId("end-open").hidden = end === null || open;
    byId("rematch").hidden = table.seats?.you === null;
    byId("rematch").textContent = table.again ? t`Join the next game` : t`Rematch`;
    // Two people begin the next game together, so a spectator cannot, and there is only one.
    byId("end-new").hidden = Boolean(table.seats && (table.seats.you === null || table.again));
    const next = nextLevel(table, this.levels);
    byId("end-level").hidden = next === null;
    byId("end-level").value = String(next);
    const harder = (next ?? 0) > Math.max(...table.players.map(Number));
    byId("end-level").textContent = harder ? t`Harder: level ${next}` : t`Easier: level ${next}`;
    if (open && this.drawn !== end) this.fill(table);
    this.drawn = open ? end : null;
    if (open !== this.shown) this.place(open);
    // When the game ends in view, scroll to the card and keep as much of the board visible as possible.
    if (open && before && !before.over) {
      this.on.reveal();
      byId("end-deeds").scrollIntoView({ block: "nearest" });
    }
    this.number();
  }

  forget() {
    this.end = this.closed = this.drawn = null;
    this.place(false);
  }

  /** @param {boolean} open */
  place(open) {
    this.card.hidden = !open;
    if (!open) byId("end-words").replaceChildren();
  }

  close() {
    this.closed = this.end;
    this.show(this.table, null);
    byId("end-open").focus();
  }

  open() {
    this.closed = null;
    this.on.reveal();
    this.show(this.table, null);
    byId("end-close").focus();
  }

  /** @param {TableView} table */
  fill(table) {
    const { players } = table.game;
    const { result, ending } = table;
    if (!result || !ending) return;
    // Show the card before filling it, so that screen readers announce its text.
    this.place(true);
    byId("end-words").replaceChildren(html("h2", {}, outcome(table.game, result)), html("p", {}, result.lost && result.winner !== null ? `${players[1 - result.winner]} ${result.lost}.` : ending.reason));
    const { counted, scores, words } = ending;
    this.counted = counted;
    byId("end-count").hidden = !counted.length;
    byId("end-summary").textContent = scores || !counted.length ? "" : words ?? "";
    const head = [0, 1].map((player) => html("th", { scope: "col" }, icon(table, player), " ", players[player]));
    const shared = counted.every((each) => each.owner === null);
    byId("end-count").tHead?.replaceChildren(html("tr", {}, html("th", { scope: "col" }, result.lost ? t`Count of the last position` : t`Count`), ...(shared ? [html("th", { scope: "col" }, t`Points`)] : head)));
    byId("end-count").tBodies[0].replaceChildren(...counted.map((each, rank) => this.row(each, rank, shared)));
    byId("end-count").tFoot?.replaceChildren(...(scores ? [html("tr", {}, html("th", { scope: "row" }, t`Score`), ...scores.map((score) => html("td", {}, points(score))))] : []));
  }

  /** @param {ScoredItem} item @param {number} rank @param {boolean} shared */
  row({ words, owner, value, points: where }, rank, shared) {
    const number = where.length ? html("span", { class: "number" }, `${rank + 1}`) : null;
    const cell = (/** @type {number} */ player) => html("td", {}, owner === player ? points(value) : "");
    const cells = shared ? [html("td", {}, String(where.length))] : [cell(0), cell(1)];
    return html("tr", { "data-rank": rank, tabindex: where.length ? 0 : null }, html("th", { scope: "row" }, number, ` ${words}`), ...cells);
  }

  layer() {
    const { layers } = this.board;
    if (!layers.counted) layers.cursor.before((layers.counted = svg("g", { class: "counted" })));
    return layers.counted;
  }

  // Number the counted items on the board if the end of the game is viewed and its areas have no numbers of their own.
  number() {
    if (!this.board.layers) return;
    const here = this.shown && this.table.viewed === this.table.node && !this.board.lent;
    const numbered = this.table?.position.areas.some((area) => area.number);
    const drawn = here && !numbered ? this.counted.flatMap((each, rank) => this.label(each, rank)) : [];
    this.layer().replaceChildren(...drawn);
  }

  /** @param {ScoredItem} item @param {number} rank @returns {SVGElement[]} */
  label({ points: where, owner, words }, rank) {
    const { geometry } = this.board;
    // Scattered stones have no common middle. They are marked only while the pointer is on their row.
    if (!where.length || SCATTERED.includes(words)) return [];
    const [x, y] = geometry.center(middle(geometry, where));
    const owned = owner === null ? "free" : ["first", "second"][owner];
    return [
      svg("circle", { class: owned, cx: round(x), cy: round(y), r: 9 }),
      svg("text", { x: round(x), y: round(y + 4), "data-counted": rank }, String(rank + 1)),
    ];
  }

  /**
   * Outline the points of a row on the board, or no points if `rank` is missing.
   * @param {string} [rank]
   */
  mark(rank) {
    this.number();
    const where = rank === undefined || this.table.viewed !== this.table.node ? [] : this.counted[Number(rank)].points;
    this.layer().prepend(...marks(this.board.geometry, where));
  }
}

/**
 * Return the point that is nearest to the mean position of several points.
 * @param {Geometry} geometry
 * @param {number[]} where
 */
function middle(geometry, where) {
  const centers = where.map((point) => geometry.center(point));
  const mean = [0, 1].map((axis) => centers.reduce((sum, each) => sum + each[axis], 0) / centers.length);
  const far = centers.map(([x, y]) => (x - mean[0]) ** 2 + (y - mean[1]) ** 2);
  return where[far.indexOf(Math.min(...far))];
}

/** @param {Game} game @param {Outcome} result */
function outcome(game, { winner, margin }) {
  if (winner === null) return t`A draw`;
  return margin === null ? t`${game.players[winner]} wins` : t`${game.players[winner]} wins by ${points(margin)}`;
}
