// The graph of win rate and score over the game, from First's point of view.

import { round } from "../board/geometry.js";
import { html, svg } from "../dom.js";
import { t } from "../language.js";

const WIDTH = 320;
const HEIGHT = 112;

export class Graph {
  /** @type {number} */ last;

  /**
   * `onpick(index)` is called with the index of the clicked position in the line of play.
   * @param {HTMLElement} frame
   * @param {(index: number) => void} onpick
   */
  constructor(frame, onpick) {
    this.frame = frame;
    frame.addEventListener("click", (event) => {
      if (!this.last) return;
      const box = frame.getBoundingClientRect();
      onpick(Math.max(0, Math.min(this.last, Math.round(((event.clientX - box.left) / box.width) * this.last))));
    });
  }

  /**
   * Draw the graph. `marks` are the indices of mistakes in the line of play.
   * @param {ValueGraph | null} graph
   * @param {TableView} table
   * @param {number[]} [marks]
   */
  show(graph, table, marks = []) {
    const here = table.line.indexOf(table.viewed);
    const last = (this.last = Math.max(1, table.line.length - 1));
    const points = graph?.points ?? [];
    const x = (/** @type {number} */ index) => round((index / last) * WIDTH);
    const rate = (/** @type {number} */ value) => round(HEIGHT * (1 - value));
    const scale = Math.ceil(1.1 * Math.max(4, ...points.map(([, , lead]) => Math.abs(lead))));
    const lead = (/** @type {number} */ value) => round((HEIGHT / 2) * (1 - value / scale));
    const [first, second] = table.game.players;
    /** @type {SVGElement[]} */
    const parts = [svg("rect", { class: "paper", width: WIDTH, height: HEIGHT })];
    if (points.length) {
      const line = points.map(([index, value]) => `${x(index)},${rate(value)}`).join(" ");
      const [from, to] = [x(points[0][0]), x(points[points.length - 1][0])];
      parts.push(svg("rect", { class: "rest", x: from, width: to - from, height: HEIGHT }));
      parts.push(svg("path", { class: "rate-area", d: `M${from},${HEIGHT}L${line}L${to},${HEIGHT}Z` }));
      parts.push(svg("polyline", { class: "rate", points: line }));
      if (table.game.countsPoints) {
        parts.push(svg("polyline", { class: "lead", points: points.map(([index, , value]) => `${x(index)},${lead(value)}`).join(" ") }));
      }
    }
    parts.push(svg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    parts.push(svg("line", { class: "now", x1: x(here), x2: x(here), y1: 0, y2: HEIGHT }));
    for (const [index, value] of points.length < 60 ? points : []) {
      parts.push(svg("circle", { class: "dot", cx: x(index), cy: rate(value), r: 1.8 }));
    }
    for (const [index, value] of points.filter(([index]) => marks.includes(index))) {
      parts.push(svg("circle", { class: "mistake", cx: x(index), cy: rate(value), r: 4 }));
    }
    const now = points.find(([index]) => index === here);
    const rates = t`Win rate of ${first} against ${second} over the game`;
    const words = now ? t`${rates}: ${first} ${Math.round(100 * now[1])} % after ${table.number} moves` : rates;
    const scored = table.game.countsPoints && points.length;
    this.frame.title = scored ? t`Filled: ${first}'s win rate. Dashed: ${first}'s lead in points.` : t`${first}'s win rate`;
    this.frame.replaceChildren(
      svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": words },
        ...parts,
      ),
      ...(scored ? [`+${scale}`, `−${scale}`].map((text) => html("span", { class: "scale", "aria-hidden": "true" }, text)) : []),
    );
  }
}
