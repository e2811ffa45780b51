// The panel of the analysis: verdict, graph, and the best moves.

import { byId, html } from "./dom.js";
import { PASS } from "./geometry.js";
import { short, signed } from "./overlay.js";
import { points } from "./side.js";

const MOST_ROWS = 6;

export class AnalysisPanel {
  // `on.line(move or null)`: show the line of play of a move
  constructor(on) {
    this.on = on;
    this.shown = null; // the move whose line is shown
  }

  show(analysis, table, geometry) {
    byId("analysis").hidden = !table.analysing;
    byId("verdict").textContent = verdict(analysis, table);
    byId("lead-head").hidden = !table.game.countsPoints;
    const exact = new Map(analysis?.exact?.moves ?? []);
    byId("exact-head").hidden = exact.size === 0;
    byId("candidates").hidden = !analysis?.thought;
    const best = new Set(analysis?.exact?.best ?? []);
    const rows = (analysis?.thought?.candidates ?? [])
      .toSorted((one, two) => best.has(two.move) - best.has(one.move))
      .slice(0, MOST_ROWS);
    const body = byId("candidates").tBodies[0];
    const focused = document.activeElement?.closest("#candidates tr")?.dataset.move;
    body.replaceChildren(...rows.map((each) => this.row(each, exact, table, geometry)));
    // A row that goes away under the pointer is never left.
    if (this.shown !== null && !rows.some((each) => each.move === this.shown)) this.hideLine();
    if (focused !== undefined) body.querySelector(`[data-move="${focused}"]`)?.focus();
  }

  hideLine() {
    this.shown = null;
    byId("line").textContent = "";
    this.on.line(null);
  }

  row(candidate, exact, table, geometry) {
    const proven = exact.get(candidate.move);
    const line = candidate.line.slice(0, 12).map((move) => geometry.name(move)).join(" ");
    const show = () => {
      this.shown = candidate.move;
      byId("line").textContent = line;
      this.on.line(candidate.move);
    };
    const name = candidate.move === PASS ? "pass" : geometry.name(candidate.move);
    return html(
      "tr",
      { tabindex: 0, "data-move": candidate.move, onpointerenter: show, onpointerleave: () => this.hideLine(), onfocus: show, onblur: () => this.hideLine() },
      html("th", { scope: "row" }, name),
      html("td", {}, rate(candidate)),
      table.game.countsPoints ? html("td", {}, signed(candidate.lead)) : null,
      html("td", {}, short(candidate.visits)),
      exact.size ? html("td", {}, proven === undefined ? "" : signed(proven)) : null,
    );
  }
}

function rate({ winRate, certain }) {
  if (certain === 1) return "wins";
  if (certain === 0) return "loses";
  return certain === 0.5 ? "draw" : `${(100 * winRate).toFixed(1)} %`;
}

function verdict(analysis, table) {
  const { players } = table.game;
  if (table.viewed === table.at && table.position.over) return "The game is over.";
  const score = analysis?.exact?.score;
  if (score !== null && score !== undefined) {
    if (score === 0) return "Exact: a draw with best play.";
    const margin = table.game.countsPoints ? ` by ${points(Math.abs(score))}` : "";
    return `Exact: ${players[score > 0 ? 0 : 1]} wins${margin} with best play.`;
  }
  const thought = analysis?.thought;
  if (!thought) return "Thinking …";
  const first = thought.winRate >= 0.5;
  const percent = Math.round(100 * (first ? thought.winRate : 1 - thought.winRate));
  const leads = thought.lead >= 0 === first ? "ahead" : `${players[first ? 1 : 0]} ahead`;
  const lead = table.game.countsPoints ? `, ${leads} by ${Math.abs(thought.lead).toFixed(1)}` : "";
  return `${players[first ? 0 : 1]} ${percent} %${lead} · ${short(thought.visits)} visits${thought.full ? ", memory is full" : thought.settled ? ", done" : ""}`;
}
