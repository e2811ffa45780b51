// The panel of a review: how far it is, then the graph, the mistakes and what would have been better.

import { byId, html } from "./dom.js";
import { Graph } from "./graph.js";
import { icon } from "./side.js";

const MOST_SHOWN = 7; // moves of a line, as in the pages of `linage-bot analyze`

export class ReviewPanel {
  // `on.review(whether to)`, `on.look(at)`, `on.line(at, line, cross)`: show moves to come from there
  constructor(on) {
    this.on = on;
    this.chart = new Graph(byId("review-graph"), (index) => on.look(this.review.line[index]));
    byId("review").addEventListener("click", () => on.review(true));
    byId("review-stop").addEventListener("click", () => on.review(false));
    byId("mistakes").addEventListener("click", (event) => {
      const chosen = event.target.closest("button");
      if (chosen) this.choose(chosen.dataset.line);
    });
  }

  // A review that is under way says what it does and how far it is, one that is through its line.
  show(review, table, tree, geometry) {
    const fresh = review !== this.review;
    this.review = review;
    const [runs, through] = [Boolean(review?.doing), Boolean(review?.line)];
    byId("review").disabled = runs || table.pie !== null || table.played === 0;
    byId("review-stop").hidden = !review;
    byId("review-stop").textContent = runs ? "Stop" : "Close";
    byId("reviewing").hidden = !runs;
    byId("review-found").hidden = !through;
    if (runs) this.showProgress(review);
    if (!through) return;
    if (fresh) this.list(table, geometry);
    const here = review.line.indexOf(table.viewed);
    this.chart.show(review, { ...table, line: review.line }, review.mistakes.map((each) => each.number));
    const number = tree.get(table.viewed)?.number;
    byId("review-verdict").textContent = here < 0 ? "" : `${here ? `After move ${number}` : "At the start"}: ${review.verdicts[here]}.`;
    if (this.chosen && this.chosen.at !== table.viewed && this.seen) this.unchoose();
    this.seen = this.chosen?.at === table.viewed;
  }

  showProgress({ doing, done, total }) {
    byId("reviewed").value = total ? done / total : 0;
    const what = doing === "proving" ? "Proving the end of the game" : "Judging the moves";
    byId("reviewing-what").textContent = `${what}: ${done} of ${total}`;
  }

  list(table, geometry) {
    this.geometry = geometry;
    this.unchoose();
    const { mistakes, given } = this.review;
    const rows = mistakes.map((each, rank) => {
      const [name, better] = [geometry.name(each.move), geometry.name(each.best[0])];
      const button = (kind, label, ...parts) => html("button", { "data-line": `${rank} ${kind}`, "aria-pressed": "false", "aria-label": label }, ...parts);
      const player = table.game.players[each.player];
      return html(
        "li",
        {},
        button("played", `Mistake: move ${each.number}, ${player} ${name}`, html("span", { class: "number" }, `${each.number}`), icon(table, each.player), html("span", { class: "name" }, name)),
        html("span", { class: "quiet" }, each.costs.join(", ")),
        button("best", `Better at move ${each.number}: ${better}`, `better ${better}`),
      );
    });
    byId("mistakes").replaceChildren(...rows);
    const opening = given ? ` The first ${given === 1 ? "move was" : `${given} moves were`} given, and nobody is blamed for ${given === 1 ? "it" : "them"}.` : "";
    byId("no-mistakes").textContent = (mistakes.length ? "" : "No move can be told to be a mistake.") + opening;
  }

  // Show a line on the board: what was played and should have followed, or what would have been better.
  choose(name) {
    const [rank, kind] = name.split(" ");
    const { at, move, best, played } = this.review.mistakes[rank];
    const line = (kind === "best" ? best : played).slice(0, MOST_SHOWN);
    this.unchoose();
    this.chosen = { name, at };
    this.seen = false;
    this.press(true);
    const words = line.map((each) => this.geometry.name(each)).join(" ");
    byId("review-line").textContent = kind === "best" ? `Better: ${words}` : `Played, and what should have followed: ${words}`;
    this.on.line(at, line, kind === "best" && !line.includes(move) ? move : null);
  }

  unchoose() {
    this.press(false);
    this.chosen = null;
    byId("review-line").textContent = "";
  }

  press(on) {
    if (this.chosen) byId("mistakes").querySelector(`[data-line="${this.chosen.name}"]`)?.setAttribute("aria-pressed", String(on));
  }
}
