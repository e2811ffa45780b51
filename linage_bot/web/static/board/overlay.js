// The engine's analysis drawn on the board: the best moves, a line of play, and the expected ownership.

import { svg } from "../dom.js";
import { t } from "../language.js";
import { PASS, STEP, round } from "./geometry.js";

/** @type {Map<number | null, string>} */
const CERTAIN = new Map([[1, t`win`], [0.5, t`draw`], [0, t`loss`]]);
const MOST_MARKS = 8;
const MOST_STONES = 16;
const READABLE = 38; // pixels between points from which the second line of a mark is readable
const LEAST_SHARE = 0.015; // of the best move's visits

export class Overlay {
  /** @type {{ node: number, line: number[], cross: number | null, seen: boolean } | null} */ fixed;
  /** @type {number | null} */ move;

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Analysis | null} */
    this.analysis = null;
  }

  /** @param {Analysis | null} analysis */
  show(analysis) {
    this.analysis = analysis;
    this.draw();
  }

  /** @returns {Candidate[]} */
  get candidates() {
    return this.analysis?.candidates ?? [];
  }

  /**
   * Show the line of play of a move as numbered stones. With null, show the best moves instead.
   * @param {number | null} move
   */
  setLine(move) {
    if (move === this.move) return;
    this.move = move;
    this.draw();
  }

  /**
   * Show a line from a position that is about to be viewed, until another position is viewed. Mark the point `cross`.
   * @param {number} node
   * @param {number[]} line
   * @param {number | null} cross
   */
  fix(node, line, cross) {
    this.fixed = { node, line, cross, seen: false };
    this.draw();
  }

  unfix() {
    this.fixed = null;
    this.draw();
  }

  // Return the fixed line if it starts at the viewed position, or null.
  fixedHere() {
    const here = this.fixed?.node === this.board.table?.viewed;
    if (this.fixed?.seen && !here) this.fixed = null;
    if (this.fixed && here) this.fixed.seen = true;
    return here ? this.fixed : null;
  }

  draw() {
    const { layers } = this.board;
    if (!layers || this.board.lent) return;
    const fixed = this.fixedHere();
    const candidate = this.candidates.find((each) => each.move === this.move);
    const line = candidate?.line ?? fixed?.line;
    const cross = candidate || fixed?.cross == null || fixed.cross === PASS ? [] : [this.board.cross(fixed.cross, "cross")];
    layers.heat.replaceChildren(...this.heat());
    layers.line.replaceChildren(...(line ? this.board.line(line.slice(0, MOST_STONES), this.board.table.position.toMove) : []), ...cross);
    layers.marks.replaceChildren(...(line ? [] : this.marks()));
    layers.numbers.classList.toggle("aside", Boolean(line)); // the line has its own numbers
  }

  marks() {
    if (!this.analysis) return [];
    const found = this.candidates;
    const best = new Set(this.analysis.best);
    const most = Math.max(1, ...found.map((each) => each.visits));
    const shown = found
      .filter((each) => best.has(each.move) || !(each.exact && best.size)) // the others get a ring
      .slice(0, MOST_MARKS)
      .filter((each, rank) => each.move !== PASS && (rank === 0 || each.visits >= LEAST_SHARE * most));
    const marks = shown.map((each) => this.mark(each, best.size ? best.has(each.move) : each === found[0], each.visits / most));
    const rest = found.filter((each) => (best.has(each.move) || each.exact) && each.move !== PASS && !shown.includes(each));
    return [...marks, ...rest.map((each) => this.ring(each, best.has(each.move)))];
  }

  /**
   * Return the score of a move as text if it is proven and the game counts points, or null.
   * @param {Candidate} candidate
   */
  exact(candidate) {
    return candidate.exact && this.board.table.game.countsPoints ? signed(candidate.lead) : null;
  }

  /** @param {Candidate} candidate @param {boolean} isBest @param {number} share */
  mark(candidate, isBest, share) {
    const [x, y] = this.board.geometry.center(candidate.move);
    const rate = CERTAIN.get(candidate.certain) ?? `${Math.round(100 * candidate.winRate)}`;
    const exact = this.exact(candidate);
    const readable = exact !== null || this.board.spacing >= READABLE;
    return svg(
      "g",
      { class: isBest ? "mark best" : "mark", transform: `translate(${round(x)} ${round(y)})` },
      svg("rect", { x: -14, y: -14, width: 28, height: 28, rx: 7, "fill-opacity": isBest ? 1 : round(0.6 + 0.4 * Math.sqrt(share)) }),
      svg("text", { y: readable ? 0.5 : 4, class: "rate" }, rate),
      readable ? svg("text", { y: 9.5, class: exact === null ? "visits" : "visits exact" }, exact ?? short(candidate.visits)) : null,
    );
  }

  /** @param {Candidate} candidate @param {boolean} isBest */
  ring(candidate, isBest) {
    const [x, y] = this.board.geometry.center(candidate.move);
    const text = this.exact(candidate) ?? (isBest ? "=" : t`loss`);
    const fit = text.length > 3 ? { textLength: 20, lengthAdjust: "spacingAndGlyphs" } : {};
    return svg(
      "g",
      { class: isBest ? "mark proven" : "mark proven worse", transform: `translate(${round(x)} ${round(y)})` },
      svg("rect", { x: -13, y: -13, width: 26, height: 26, rx: 7 }),
      svg("text", { y: 4, class: text.length > 3 ? "rate long" : "rate", ...fit }, text),
    );
  }

  heat() {
    const ownership = this.analysis?.ownership;
    if (!ownership) return [];
    const shown = [];
    for (const point of this.board.geometry.points) {
      const value = ownership[point];
      const side = STEP * 0.42 * Math.sqrt(Math.min(1, Math.abs(value)));
      if (side < 2) continue;
      const [x, y] = this.board.geometry.center(point);
      shown.push(
        svg("rect", {
          class: value > 0 ? "first" : "second",
          x: round(x - side / 2),
          y: round(y - side / 2),
          width: round(side),
          height: round(side),
        }),
      );
    }
    return shown;
  }
}

/** @param {number} visits */
export function short(visits) {
  if (visits < 1000) return String(visits);
  return visits < 99500 ? `${(visits / 1000).toFixed(visits < 9950 ? 1 : 0)}k` : `${Math.round(visits / 1000)}k`;
}

/** @param {number} number */
export function signed(number) {
  const text = Number.isInteger(number) ? String(Math.abs(number)) : Math.abs(number).toFixed(1);
  return Number(text) === 0 ? "0" : `${number > 0 ? "+" : "−"}${text}`;
}
