// The panel of a review: its progress, then the graph, the mistakes and the better moves.

import { around, byId, find, html } from "../dom.js";
import { t } from "../language.js";
import { icon } from "../table/side.js";
import { Graph } from "./graph.js";

const MOST_SHOWN = 7; // moves of a line, as in the pages of `linage-bot analyze`

export class ReviewPanel {
  /** @type {{ name: string, node: number } | null} */ chosen;
  /** @type {ReviewResult | null} */ found;
  /** @type {Geometry} */ geometry;
  /** @type {Review | null} */ review;
  /** @type {boolean} */ seen;

  /**
   * `on.review(on)` starts or stops a review, `on.look(node)` views a node, and `on.line(node, line, cross)` shows a line
   * of play from a node.
   * @param {ReviewHandlers} on
   */
  constructor(on) {
    this.on = on;
    this.chart = new Graph(byId("review-graph"), (index) => this.found && on.look(this.found.line[index]));
    byId("review").addEventListener("click", () => on.review(true));
    byId("review-stop").addEventListener("click", () => on.review(false));
    byId("mistakes").addEventListener("click", (event) => {
      const line = around(event, "button")?.dataset.line;
      if (line) this.choose(line);
    });
  }

  /**
   * Show the progress of a running review, or the results of a finished one.
   * @param {Review | null} review
   * @param {TableView} table
   * @param {Tree} tree
   * @param {Geometry} geometry
   */
  show(review, table, tree, geometry) {
    const fresh = review !== this.review;
    this.review = review;
    const runs = review && "doing" in review ? review : null;
    this.found = review && "line" in review ? review : null;
    const { found } = this;
    const closed = table.pie !== null || table.played === 0 || Boolean(table.seats?.closed);
    byId("review").disabled = runs !== null || closed;
    byId("end-review").disabled = closed;
    for (const id of /** @type {const} */ (["learn", "end-learn"])) byId(id).disabled = closed || found?.mistakes.length === 0;
    byId("review-stop").hidden = !review;
    byId("review-stop").textContent = runs ? t`Stop` : t`Close`;
    byId("reviewing").hidden = !runs;
    byId("review-found").hidden = !found;
    if (runs) this.showProgress(runs);
    if (!found) return;
    if (fresh) this.list(found, table, geometry);
    const here = found.line.indexOf(table.viewed);
    this.chart.show(found, { ...table, line: found.line }, found.mistakes.map((each) => each.number));
    const number = tree.get(table.viewed)?.number;
    byId("review-verdict").textContent = here < 0 ? "" : here ? t`After move ${number}: ${found.verdicts[here]}.` : t`At the start: ${found.verdicts[here]}.`;
    if (this.chosen && this.chosen.node !== table.viewed && this.seen) this.unchoose();
    this.seen = this.chosen?.node === table.viewed;
  }

  /** @param {ReviewProgress} progress */
  showProgress({ doing, done, total }) {
    byId("reviewed").value = total ? done / total : 0;
    byId("reviewing-what").textContent =
      doing === "proving" ? t`Proving the end of the game: ${done} of ${total}` : t`Judging the moves: ${done} of ${total}`;
  }

  /** @param {ReviewResult} found @param {TableView} table @param {Geometry} geometry */
  list(found, table, geometry) {
    this.geometry = geometry;
    this.unchoose();
    const { mistakes, given } = found;
    const rows = mistakes.map((each, rank) => {
      const [name, better] = [geometry.name(each.move), geometry.name(each.best[0])];
      /** @type {(kind: string, label: string, ...parts: Child[]) => HTMLButtonElement} */
      const button = (kind, label, ...parts) => html("button", { "data-line": `${rank} ${kind}`, "aria-pressed": "false", "aria-label": label }, ...parts);
      const player = table.game.players[each.player];
      return html(
        "li",
        {},
        button("played", t`${each.number} ${name}, mistake of ${player}`, html("span", { class: "number" }, `${each.number}`), " ", icon(table, each.player), html("span", { class: "name" }, name)),
        html("span", { class: "quiet" }, each.costs.join(", ")),
        button("best", t`better ${better} at move ${each.number}`, t`better ${better}`),
      );
    });
    byId("mistakes").replaceChildren(...rows);
    const opening = given === 1
      ? t`The first move was given, and no player is blamed for it.`
      : t`The first ${given} moves were given, and no player is blamed for them.`;
    byId("no-mistakes").textContent = [mistakes.length ? "" : t`No clear mistakes found.`, given ? opening : ""].filter(Boolean).join(" ");
  }

  /**
   * Show a line on the board: the mistake and the best moves after it, or the better moves in its place.
   * @param {string} name
   */
  choose(name) {
    const [rank, kind] = name.split(" ");
    const mistake = this.found?.mistakes[Number(rank)];
    if (!mistake) return;
    const { node, move, best, played } = mistake;
    const line = (kind === "best" ? best : played).slice(0, MOST_SHOWN);
    this.unchoose();
    this.chosen = { name, node };
    this.seen = false;
    this.press(true);
    const words = line.map((each) => this.geometry.name(each)).join(" ");
    byId("review-line").textContent = kind === "best" ? t`Better: ${words}` : t`Played, and what should have followed: ${words}`;
    this.on.line(node, line, kind === "best" && !line.includes(move) ? move : null);
  }

  unchoose() {
    this.press(false);
    this.chosen = null;
    byId("review-line").textContent = "";
  }

  /** @param {boolean} on */
  press(on) {
    if (this.chosen) find(byId("mistakes"), `[data-line="${this.chosen.name}"]`)?.setAttribute("aria-pressed", String(on));
  }
}
