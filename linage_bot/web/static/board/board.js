// The board of the page: its drawing with marks, and its input by mouse, touch and keyboard.

import { svg } from "../dom.js";
import { served, t } from "../language.js";
import { mayPlace } from "../table/side.js";
import { Drawing } from "./drawing.js";
import { Geometry, PASS, STEP, USUAL, round } from "./geometry.js";
import { marks, named } from "./refusals.js";

Geometry.pass = t`pass`;

const LAYERS = [
  "areas", "grid", "labels", "dots", "numbers", "legal-points", "stones", "about", "heat", "last", "move-numbers", "marks",
  "line", "ghost", "cursor",
];
const BIG_ENOUGH = 26; // pixels between points that a finger needs to hit the right one
const LARGEST = 2; // the greatest scale: small boards drawn larger look like toys
const LABEL = 11.5; // the size of coordinates in the board's units; larger on a small screen
const LARGEST_LABEL = 30; // the largest size that fits beside the board, in its units
const LEAST_LABEL = 10; // the smallest readable size, in pixels

export class Board {
  /** @type {Drawing} */ drawing;
  /** @type {Geometry} */ geometry;
  /** @type {string} */ key_;
  /** @type {Record<string, SVGGElement>} */ layers;
  /** @type {Set<number>} */ legal;
  /** @type {Map<number, Refusal>} */ refusals;
  /** @type {boolean} */ showLegal;
  /** @type {number[] | null} */ shown;
  /** @type {number} */ spacing;
  /** @type {Map<number, number>} */ stones;
  /** @type {BoardTable} */ table;

  /**
   * `on.play(point)` makes a move. `on.point(point)` reports the point under the pointer or the cursor, or null.
   * `on.say(text)` shows a message. `on.choose(point)` reports the point chosen by a first tap, or null.
   * @param {HTMLElement} frame
   * @param {BoardHandlers} on
   */
  constructor(frame, on) {
    this.frame = frame;
    this.on = on;
    /** @type {number | null} */
    this.cursor = null;
    /** @type {number | null} */
    this.hovered = null;
    /** @type {number | null} */
    this.chosen = null; // the point chosen by a first tap
    /** @type {number | null} */
    this.refused = null; // the point where a click was refused
    this.touched = false;
    this.lent = false; // whether a guest uses the board; the game's marks are hidden then
    this.orientation = USUAL;
    this.coordinates = true;
    /** @type {Map<number, number> | null} */
    this.moveNumbers = null; // by point, drawn on the stones in place of the dot on the last one
    frame.addEventListener("pointerdown", (event) => (this.touched = event.pointerType === "touch"));
    frame.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.hover(pointOf(event));
    });
    frame.addEventListener("pointerleave", () => this.hover(null));
    frame.addEventListener("click", (event) => this.clicked(pointOf(event)));
    frame.addEventListener("keydown", (event) => this.key(event));
    frame.addEventListener("focus", () => frame.matches(":focus-visible") && this.moveCursor(null));
    frame.addEventListener("blur", () => this.drawCursor(false));
    new ResizeObserver(() => this.fit()).observe(frame);
  }

  /**
   * Draw a table's position. This is cheap enough to do on every change.
   * @param {BoardTable} table
   */
  show(table) {
    const { columns, rows, hex, oneColour } = table.game;
    const { turns, mirrored } = this.orientation;
    const key = [columns, rows, hex, oneColour, turns, mirrored].join();
    if (key !== this.key_) this.lay(table.game, key);
    const before = this.table?.position;
    this.table = table;
    const position = table.position;
    this.legal = new Set(position.legal);
    this.stones = new Map();
    for (const point of position.first) this.stones.set(point, 0);
    for (const point of position.second) this.stones.set(point, 1);
    this.refusals = new Map();
    for (const refusal of position.refused) {
      for (const point of refusal.points) this.refusals.set(point, refusal);
    }
    this.refused = null;
    // Keep the chosen point if only a clock, a seat or the like has changed: the player may be about to tap again.
    if (!alike(before, position)) this.choose(null);
    this.drawAreas(position.areas);
    this.drawing.drawStones(this.stones, this.moveNumbers ? null : table.last);
    this.drawMoveNumbers();
    this.drawLegal();
    this.drawGhost();
    this.frame.classList.toggle("waiting", table.turn === "engine" && !table.paused);
    this.frame.classList.toggle("past", table.viewed !== table.node);
  }

  /** @param {Game} game @param {string} key */
  lay(game, key) {
    this.key_ = key;
    const drawing = (this.drawing = new Drawing(game, { "aria-hidden": "true" }, LAYERS, this.orientation));
    const geometry = (this.geometry = drawing.geometry);
    this.layers = drawing.layers;
    const hits = geometry.points.map((point) => svg("path", { d: geometry.cell(point), "data-point": point }));
    drawing.image.append(svg("g", { class: "hits" }, ...hits));
    this.cursor = null;
    this.frame.replaceChildren(drawing.image);
    const place = /** @type {HTMLElement} */ (this.frame.parentElement).style;
    place.setProperty("--ratio", String(round(geometry.width / geometry.height)));
    place.setProperty("--highest", `${round(geometry.height * LARGEST)}px`);
    this.frame.style.maxWidth = `${round(geometry.width * LARGEST)}px`;
    this.fit();
  }

  // Draw the coordinates at a readable size. If there is no room for them, or they are not wanted, enlarge the board.
  fit() {
    const seen = this.frame.getBoundingClientRect();
    if (!this.geometry || !seen.width) return;
    const { width, height, label } = this.geometry;
    const size = Math.max(LABEL, LEAST_LABEL * Math.max(width / seen.width, height / seen.height));
    const drawn = this.coordinates && size <= LARGEST_LABEL;
    const [left, right, below, above] = drawn ? [0, 0, 0, 0] : label;
    const [across, down] = [width - left - right, height - below - above];
    this.drawing.image.setAttribute("viewBox", [left, above, across, down].map(round).join(" "));
    // Pixels between points.
    this.spacing = STEP * Math.min(seen.width / across, seen.height / down);
    if (drawn) this.drawing.drawLabels(size);
    else this.layers.labels.replaceChildren();
  }

  /** @param {Area[]} areas */
  drawAreas(areas) {
    this.drawing.drawAreas(areas.filter(({ owner, shown }) => shown !== "dots" && (owner !== null || shown === "always")));
    // A point may be marked for both: First's mark is on the left, Second's on the right.
    const dots = areas.filter(({ shown }) => shown === "dots").flatMap(({ owner, points }) => points.map((point) => {
      return this.drawing.disc(point, 2.6, { class: owner ? "second" : "first", transform: `translate(${owner ? 5 : -5})` });
    }));
    this.layers.dots.replaceChildren(...dots);
    const counted = areas.filter((area) => area.number !== null);
    this.layers.numbers.replaceChildren(...counted.flatMap((area) => this.number(area)));
  }

  /**
   * Return the shapes of the number of an area that the rules count.
   * @param {Area} area
   */
  number({ number, points }) {
    const [x, y] = this.geometry.center(points[0]);
    return [
      this.drawing.disc(points[0], 10, {}),
      svg("text", { x: round(x), y: round(y + 4.6), "data-number": number }, String(number)),
    ];
  }

  /**
   * Return the shapes of moves to come: pale stones with numbers.
   * @param {number[]} moves
   * @param {number} mover
   */
  line(moves, mover) {
    return moves.map((move, index) => {
      if (move === PASS) return "";
      const [x, y] = this.geometry.center(move);
      const player = (mover + index) % 2;
      const number = { x: round(x), y: round(y + 4.5), class: `number on-${this.drawing.colour(player)}` };
      return svg("g", { class: "mark" }, this.drawing.stone(move, player, { class: "dream" }), svg("text", number, String(index + 1)));
    });
  }

  drawMoveNumbers() {
    const numbered = [...(this.moveNumbers ?? [])].filter(([point]) => this.stones.has(point));
    this.layers["move-numbers"].replaceChildren(...numbered.map(([point, number]) => {
      const [x, y] = this.geometry.center(point);
      const colour = this.drawing.colour(this.stones.get(point) ?? 0);
      return svg("text", { x: round(x), y: round(y + 4), class: `on-${colour}` }, String(number));
    }));
  }

  drawLegal() {
    const points = this.showLegal ? [...(this.shown ?? this.legal)] : [];
    const dots = points.map((point) => this.drawing.disc(point, 3.6, {}));
    this.layers["legal-points"].replaceChildren(...dots);
  }

  /**
   * Show or hide marks on the legal points, or on `points` alone.
   * @param {boolean} on
   * @param {number[] | null} [points]
   */
  setShowLegal(on, points = null) {
    this.showLegal = on;
    this.shown = points;
    if (this.table) this.drawLegal();
  }

  // Draw the effect of a click on the current point: a pale stone, or a cross if no stone may be placed there.
  drawGhost() {
    const point = this.hovered ?? this.chosen;
    const drawn = [];
    const playable = mayPlace(this.table);
    if (point !== null && playable && !this.stones.has(point)) {
      if (this.legal.has(point)) drawn.push(this.drawing.stone(point, this.table.position.toMove, { class: "pale" }));
      else drawn.push(this.cross(point, "no"));
    }
    if (this.chosen !== null) drawn.unshift(svg("path", { class: "crosshair", d: this.geometry.through(this.chosen) }));
    this.layers.ghost.replaceChildren(...drawn);
    this.frame.classList.toggle("may-play", playable && point !== null && this.legal.has(point));
    this.drawAbout();
  }

  // Mark the points that forbid a stone at the pointer or the cursor, or where a click was refused.
  drawAbout() {
    const point = this.hovered ?? this.chosen ?? this.refused ?? (this.cursorShown ? this.cursor : null);
    const about = point !== null && mayPlace(this.table) ? this.refusals.get(point)?.about : null;
    this.layers.about.replaceChildren(...marks(this.geometry, about ?? this.table.about ?? []));
  }

  /** @param {number} point @param {string} name */
  cross(point, name) {
    const [x, y] = this.geometry.center(point);
    return svg("path", { class: name, d: "M-7,-7L7,7M-7,7L7,-7", transform: `translate(${round(x)} ${round(y)})` });
  }

  /**
   * Show for a moment that a click was refused.
   * @param {number} point
   */
  refuse(point) {
    if (point === null) return;
    const cross = this.cross(point, "refused");
    cross.addEventListener("animationend", () => cross.remove());
    this.layers.ghost.append(cross);
    this.refused = point;
    this.drawAbout();
  }

  /** @param {number | null} point */
  hover(point) {
    if (point === this.hovered || !this.table) return;
    this.hovered = point;
    this.refused = null;
    this.drawGhost();
    this.on.point(point);
  }

  /** @param {number | null} point */
  clicked(point) {
    if (point === null || !this.table) return;
    if (this.touched && this.spacing < BIG_ENOUGH && this.legal.has(point) && this.chosen !== point) {
      this.choose(point);
      this.drawGhost();
      this.on.point(point);
      this.on.say(t`Tap ${this.geometry.name(point)} again to place a stone there.`);
      return;
    }
    this.on.play(point);
  }

  /**
   * Choose the point of a first tap, or none. Lines through the point show the choice, and a second tap confirms it.
   * @param {number | null} point
   */
  choose(point) {
    this.chosen = point;
    this.on.choose?.(point);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow")) {
      this.moveCursor(event.key);
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor !== null) {
      if (!event.repeat) this.on.play(this.cursor);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string | null} key */
  moveCursor(key) {
    if (!this.geometry) return;
    const middle = this.geometry.at((this.geometry.columns - 1) >> 1, (this.geometry.rows - 1) >> 1) ?? this.geometry.points[0];
    if (this.cursor === null) this.cursor = middle;
    else if (key) this.cursor = this.geometry.step(this.cursor, key);
    this.refused = null;
    this.drawCursor(true);
    this.on.point(this.cursor);
    this.on.say(this.describe(this.cursor), true);
  }

  /** @param {boolean} visible */
  drawCursor(visible) {
    const drawn = [];
    if (visible && this.cursor !== null) {
      const [x, y] = this.geometry.center(this.cursor);
      drawn.push(svg("rect", { x: round(x - 14), y: round(y - 14), width: 28, height: 28, rx: 6 }));
    }
    this.layers?.cursor.replaceChildren(...drawn);
    this.cursorShown = visible;
    if (this.table) this.drawAbout();
    if (!visible) this.on.point(null);
  }

  /** @param {number} point */
  describe(point) {
    const name = this.geometry.name(point);
    const player = this.stones.get(point);
    if (player !== undefined) {
      return this.table.game.oneColour ? t`${name}, stone` : t`${name}, ${this.table.game.players[player]}'s stone`;
    }
    const area = this.table.position.areas.find((each) => each.shown !== "dots" && each.points.includes(point));
    const owner = area && area.owner !== null ? t`, ${served(area.kind)} of ${this.table.game.players[area.owner]}` : area?.number ? t`, ${served(area.kind)} ${area.number}` : "";
    const refusal = this.refusals.get(point);
    return t`${name}, empty${owner}${refusal ? `: ${refusal.reason}${named(this.geometry, refusal, point)}` : ""}`;
  }
}

/**
 * Return whether the same player may place stones on the same points in both positions.
 * @param {BoardPosition | undefined} one
 * @param {BoardPosition} other
 */
function alike(one, other) {
  return one !== undefined && one.toMove === other.toMove && one.legal.join() === other.legal.join();
}

/** @param {Event} event */
function pointOf(event) {
  const point = event.target instanceof SVGElement ? event.target.dataset.point : undefined;
  return point === undefined ? null : Number(point);
}
