// The panel of the analysis: the verdict and the table of the best moves.

import { short, signed } from "../board/overlay.js";
import { around, byId, find, focused, html } from "../dom.js";
import { t } from "../language.js";
import { points } from "../table/side.js";

const MOST_ROWS = 6;

export class AnalysisPanel {
  /** @type {Map<number, string>} */ lines;
  /** @type {number} */ pressed;
  /** @type {number} */ tapped;

  /**
   * `on.line(move)` shows the line of play of a move, or none if `move` is null. `on.play(move)` plays the move.
   * @param {AnalysisHandlers} on
   */
  constructor(on) {
    this.on = on;
    /** @type {number | null} */
    this.shown = null; // the move whose line is shown
    const body = byId("candidates").tBodies[0];
    const move = (/** @type {Event} */ event) => Number(around(event, "[data-move]")?.dataset.move ?? NaN);
    // The rows may be replaced while a mouse button is down, so use the row on which it was pressed.
    body.addEventListener("pointerdown", (event) => (this.pressed = move(event)));
    body.addEventListener("click", (event) => this.clicked(event.detail ? this.pressed : move(event), event.pointerType === "touch"));
  }

  /**
   * Play a clicked move. On a touch screen, show its line at the first tap and play it at the second.
   * @param {number} move
   * @param {boolean} touch
   */
  clicked(move, touch) {
    if (Number.isNaN(move)) return;
    if (!touch || this.tapped === move) return this.on.play(move);
    this.tapped = move;
    this.showLine(move);
  }

  /** @param {Analysis | null} analysis @param {TableView} table @param {Geometry} geometry */
  show(analysis, table, geometry) {
    byId("analysis").hidden = !table.analysing;
    byId("verdict").textContent = verdict(analysis, table);
    byId("estimated").textContent = estimated(analysis);
    byId("lead-head").hidden = !table.game.countsPoints;
    const candidates = analysis?.candidates ?? [];
    const exact = table.game.countsPoints && candidates.some((each) => each.exact);
    byId("exact-head").hidden = !exact;
    byId("candidates").hidden = candidates.length === 0;
    const best = new Set(analysis?.best ?? []);
    const rows = candidates.toSorted((one, two) => Number(best.has(two.move)) - Number(best.has(one.move))).slice(0, MOST_ROWS);
    const body = byId("candidates").tBodies[0];
    const chosen = focused()?.closest("tr")?.dataset.move;
    this.lines = new Map(rows.map(({ move, line }) => [move, line.slice(0, 12).map((each) => geometry.name(each)).join(" ")]));
    body.replaceChildren(...rows.map((each) => this.row(each, Boolean(analysis?.estimated), exact, table, geometry)));
    // A row that is removed under the pointer gets no `pointerleave` event.
    if (this.shown !== null && !rows.some((each) => each.move === this.shown)) this.hideLine();
    if (chosen !== undefined) find(body, `[data-move="${chosen}"]`)?.focus();
  }

  /** @param {number} move */
  showLine(move) {
    this.shown = move;
    byId("line").textContent = this.lines.get(move) ?? "";
    this.on.line(move);
  }

  hideLine() {
    this.shown = null;
    byId("line").textContent = "";
    this.on.line(null);
  }

  /**
   * @param {Candidate} candidate
   * @param {boolean} estimated
   * @param {boolean} exact
   * @param {TableView} table
   * @param {Geometry} geometry
   */
  row(candidate, estimated, exact, table, geometry) {
    const show = () => this.showLine(candidate.move);
    const name = geometry.name(candidate.move);
    const about = estimated && candidate.certain === null ? "≈ " : "";
    return html(
      "tr",
      {
        tabindex: 0,
        "data-move": candidate.move,
        onpointerenter: show,
        onpointerleave: () => this.hideLine(),
        onfocus: show,
        onblur: () => this.hideLine(),
        onkeydown: (event) => event.key === "Enter" && this.on.play(candidate.move),
      },
      html("th", { scope: "row" }, html("button", { type: "button", tabindex: -1, "aria-label": t`Play ${name}` }, name)),
      html("td", {}, about + rate(candidate)),
      table.game.countsPoints ? html("td", {}, signed(candidate.lead)) : null,
      html("td", {}, short(candidate.visits)),
      exact ? html("td", {}, candidate.exact ? signed(candidate.lead) : "") : null,
    );
  }
}

/**
 * Return a sentence for a position whose value is proven, but not which move reaches it; otherwise an empty string.
 * @param {Analysis | null} analysis
 */
function estimated(analysis) {
  if (!analysis?.estimated) return "";
  const proof = analysis.settled ? t`Which move achieves this is not proven.` : t`Which move achieves this is not proven yet.`;
  return `${proof} ${t`The values of the moves are estimates, and that of the best move is too low.`}`;
}

/** @param {Candidate} candidate */
function rate({ winRate, certain }) {
  if (certain === 1) return t`wins`;
  if (certain === 0) return t`loses`;
  return certain === 0.5 ? t`draws` : `${(100 * winRate).toFixed(1)} %`;
}

/** @param {Analysis | null} analysis @param {TableView} table */
function verdict(analysis, table) {
  const { players } = table.game;
  if (table.viewed === table.node && table.position.over) return t`The game is over.`;
  if (!analysis) return t`Thinking …`;
  const { exact, winRate, lead, visits } = analysis;
  if (exact !== null) {
    if (exact === 0) return t`Exact: a draw with best play.`;
    const winner = players[exact > 0 ? 0 : 1];
    if (!table.game.countsPoints) return t`Exact: ${winner} wins with best play.`;
    return t`Exact: ${winner} wins by ${points(Math.abs(exact))} with best play.`;
  }
  if (winRate === null) return t`Thinking …`;
  const first = winRate >= 0.5;
  const percent = Math.round(100 * (first ? winRate : 1 - winRate));
  const by = Math.abs(lead ?? 0).toFixed(1);
  const leads = (lead ?? 0) >= 0 === first ? t`, ahead by ${by}` : t`, ${players[first ? 1 : 0]} ahead by ${by}`;
  const score = table.game.countsPoints && Number(by) ? leads : "";
  const seen = analysis.settled ? t`${short(visits)} visits, done` : t`${short(visits)} visits`;
  return `${players[first ? 0 : 1]} ${percent} %${score} · ${seen}`;
}
