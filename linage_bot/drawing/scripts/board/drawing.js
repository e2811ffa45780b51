// The drawing of a board in SVG: its lines, coordinates, areas and stones. board.css has its colours.

import { svg } from "./elements.js";
import { Geometry, STEP, USUAL, round } from "./geometry.js";

const LAYERS = ["areas", "grid", "labels", "stones", "last"];
const OWNERS = ["first", "second"];
const RADIUS = 14; // of a stone

export class Drawing {
  /**
   * Draw an empty board. `layers` are the names of its layers from below: `LAYERS`, and others that the caller fills.
   * @param {DrawnGame} game
   * @param {Attributes} attributes
   * @param {string[]} [layers]
   * @param {Orientation} [orientation]
   */
  constructor(game, attributes, layers = LAYERS, orientation = USUAL) {
    this.game = game;
    const geometry = (this.geometry = new Geometry(game, orientation));
    this.layers = Object.fromEntries(layers.map((name) => [name, svg("g", { class: name })]));
    this.layers.grid.append(svg("path", { d: geometry.grid() }));
    const edge = { "stroke-linejoin": game.hex ? "round" : "miter", "stroke-width": STEP * (game.hex ? 1.16 : 1) };
    const ground = svg("path", { class: "ground", d: geometry.outline(), ...edge });
    this.image = svg("svg", { class: "board", ...attributes }, ground, ...Object.values(this.layers));
  }

  /**
   * Draw the coordinates.
   * @param {number} size in the board's units
   */
  drawLabels(size) {
    this.layers.labels.setAttribute("font-size", String(round(size)));
    const labels = this.geometry.labels().map(([name, x, y]) => svg("text", { x: round(x), y: round(y + size * 0.35) }, name));
    this.layers.labels.replaceChildren(...labels);
  }

  /**
   * Draw the cells of areas, those with an owner over the others.
   * @param {DrawnArea[]} areas
   */
  drawAreas(areas) {
    const sorted = [...areas].sort((one, two) => Number(two.owner === null) - Number(one.owner === null));
    this.layers.areas.replaceChildren(...sorted.map(({ owner, points }) => {
      const d = points.map((point) => this.geometry.cell(point)).join("");
      return svg("path", { class: `area ${owner === null ? "free" : OWNERS[owner]}`, d });
    }));
  }

  /**
   * Draw the stones of players by their points, and a dot on the stone of the last move.
   * @param {Map<number, number>} stones
   * @param {number | null} last
   */
  drawStones(stones, last) {
    const drawn = [...stones].map(([point, player]) => this.stone(point, player, { "data-stone": point }));
    this.layers.stones.replaceChildren(...drawn);
    const dots = [...stones].filter(([point]) => point === last);
    this.layers.last.replaceChildren(...dots.map(([point, player]) => this.disc(point, 5, { class: `on-${this.colour(player)}` })));
  }

  /** @param {number} point @param {number} player @param {Attributes} [attributes] */
  stone(point, player, attributes = {}) {
    return this.disc(point, RADIUS, { ...attributes, class: `stone ${this.colour(player)} ${attributes.class ?? ""}` });
  }

  /** @param {number} point @param {number} r @param {Attributes} attributes */
  disc(point, r, attributes) {
    const [cx, cy] = this.geometry.center(point).map(round);
    return svg("circle", { cx, cy, r, ...attributes });
  }

  /** @param {number} player */
  colour(player) {
    return this.game.oneColour ? "shared" : OWNERS[player];
  }
}
