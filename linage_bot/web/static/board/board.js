// The board: its areas, stones and marks in SVG, and its input by mouse, touch and keyboard.

import { svg } from "../dom.js";
import { mayPlace } from "../table/side.js";
import { Geometry, PASS, STEP, round } from "./geometry.js";
import { marks, named } from "./refusals.js";

const RADIUS = 14;
const BIG_ENOUGH = 26; // pixels between points that a finger needs to hit the right one
const LARGEST = 2; // the greatest scale: small boards drawn larger look like toys
const LABEL = 11.5; // the size of coordinates in the board's units; larger on a small screen
const LARGEST_LABEL = 30; // the largest size that fits beside the board, in its units
const LEAST_LABEL = 10; // the smallest readable size, in pixels
const OWNERS = ["first", "second"];

export class Board {
  /** @type {Geometry} */ geometry;
  /** @type {SVGSVGElement} */ image;
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
    const key = `${table.game.columns}x${table.game.rows}${table.game.hex}`;
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
    this.drawStones(table);
    this.drawLegal();
    this.drawGhost();
    this.frame.classList.toggle("waiting", table.turn === "engine" && !table.paused);
    this.frame.classList.toggle("past", table.viewed !== table.at);
  }

  /** @param {Game} game @param {string} key */
  lay(game, key) {
    this.key_ = key;
    const geometry = (this.geometry = new Geometry(game));
    this.cursor = null;
    this.layers = {};
    const layer = (/** @type {string} */ name, attributes = {}) => (this.layers[name] = svg("g", { class: name, ...attributes }));
    const join = game.hex ? "round" : "miter";
    this.image = svg(
      "svg",
      { "aria-hidden": "true", class: "board" },
      svg("path", { class: "ground", d: outline(geometry), "stroke-linejoin": join, "stroke-width": STEP * (game.hex ? 1.16 : 1) }),
      layer("areas"),
      svg("path", { class: "grid", d: geometry.grid() }),
      layer("labels"),
      layer("dots"),
      layer("numbers"),
      layer("legal-points"),
      layer("stones"),
      layer("about"),
      layer("heat"),
      layer("last"),
      layer("marks"),
      layer("line"),
      layer("ghost"),
      layer("cursor"),
      svg("g", { class: "hits" }, ...geometry.points.map((point) => {
        return svg("path", { d: geometry.cell(point), "data-point": point });
      })),
    );
    this.frame.replaceChildren(this.image);
    const place = /** @type {HTMLElement} */ (this.frame.parentElement).style;
    place.setProperty("--ratio", String(round(geometry.width / geometry.height)));
    place.setProperty("--highest", `${round(geometry.height * LARGEST)}px`);
    this.frame.style.maxWidth = `${round(geometry.width * LARGEST)}px`;
    this.fit();
  }

  // Draw the coordinates at a readable size. If there is no room for them, leave them out and enlarge the board.
  fit() {
    const seen = this.frame.getBoundingClientRect();
    if (!this.geometry || !seen.width) return;
    const { width, height, label } = this.geometry;
    const size = Math.max(LABEL, LEAST_LABEL * Math.max(width / seen.width, height / seen.height));
    const readable = size <= LARGEST_LABEL;
    const [left, right, below] = readable ? [0, 0, 0] : label;
    this.image.setAttribute("viewBox", [left, 0, width - left - right, height - below].map(round).join(" "));
    // Pixels between points.
    this.spacing = STEP * Math.min(seen.width / (width - left - right), seen.height / (height - below));
    const names = readable ? this.geometry.labels() : [];
    this.layers.labels.setAttribute("font-size", String(round(size)));
    this.layers.labels.replaceChildren(...names.map(([text, x, y]) => svg("text", { x: round(x), y: round(y + size * 0.35) }, text)));
  }

  /** @param {Area[]} areas */
  drawAreas(areas) {
    const paths = [];
    const dots = [];
    for (const area of areas) {
      const owner = area.owner === null ? "free" : OWNERS[area.owner];
      if (area.shown === "dots") {
        // A point may be marked for both: First's mark is on the left, Second's on the right.
        const shift = area.owner ? 5 : -5;
        for (const point of area.points) {
          const [x, y] = this.geometry.center(point);
          dots.push(svg("circle", { class: owner, cx: round(x + shift), cy: round(y), r: 2.6 }));
        }
        continue;
      }
      if (owner === "free" && area.shown !== "always") continue;
      const path = area.points.map((point) => this.geometry.cell(point)).join("");
      paths.push(svg("path", { class: `area ${owner}`, d: path, "data-owner": owner }));
    }
    paths.sort((one, two) => one.classList.contains("free") < two.classList.contains("free") ? 1 : -1);
    this.layers.areas.replaceChildren(...paths);
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
      svg("circle", { cx: round(x), cy: round(y), r: 10 }),
      svg("text", { x: round(x), y: round(y + 4.6), "data-number": number }, String(number)),
    ];
  }

  /** @param {number} point @param {number} player @param {Attributes} [attributes] */
  stone(point, player, attributes = {}) {
    const [x, y] = this.geometry.center(point);
    const colour = this.table.game.oneColour ? "shared" : OWNERS[player];
    return svg("circle", { cx: round(x), cy: round(y), r: RADIUS, ...attributes, class: `stone ${colour} ${attributes.class ?? ""}` });
  }

  /** @param {BoardTable} table */
  drawStones(table) {
    const stones = [...this.stones].sort().map(([point, player]) => this.stone(point, player, { "data-stone": point }));
    this.layers.stones.replaceChildren(...stones);
    const last = table.last;
    if (last === null || last === PASS || !this.stones.has(last)) {
      this.layers.last.replaceChildren();
    } else {
      const [x, y] = this.geometry.center(last);
      this.layers.last.replaceChildren(svg("circle", { cx: round(x), cy: round(y), r: 5, class: `on-${this.colourOn(last)}` }));
    }
  }

  /** @param {number} point */
  colourOn(point) {
    const player = this.stones.get(point);
    if (player === undefined) return "empty";
    return this.table.game.oneColour ? "shared" : OWNERS[player];
  }

  drawLegal() {
    const dots = this.showLegal
      ? [...(this.shown ?? this.legal)].map((point) => {
          const [x, y] = this.geometry.center(point);
          return svg("circle", { cx: round(x), cy: round(y), r: 3.6 });
        })
      : [];
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
      if (this.legal.has(point)) drawn.push(this.stone(point, this.table.position.toMove, { class: "pale" }));
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
    this.layers.about.replaceChildren(...marks(this.geometry, about ?? []));
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
      this.on.say(`Tap ${this.geometry.name(point)} again to place a stone there.`);
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
      this.on.play(this.cursor);
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
      return this.table.game.oneColour ? `${name}, stone` : `${name}, ${this.table.game.players[player]}'s stone`;
    }
    const area = this.table.position.areas.find((each) => each.shown !== "dots" && each.points.includes(point));
    const owner = area && area.owner !== null ? `, ${area.kind} of ${this.table.game.players[area.owner]}` : area?.number ? `, ${area.kind} ${area.number}` : "";
    const refusal = this.refusals.get(point);
    return `${name}, empty${owner}${refusal ? `: ${refusal.reason}${named(this.geometry, refusal, point)}` : ""}`;
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

/**
 * Return the path around the board through its outermost points.
 * @param {Geometry} geometry
 */
function outline(geometry) {
  const left = [];
  const right = [];
  for (let row = 0; row < geometry.rows; row++) {
    let first = 0;
    while (!geometry.has(first, row)) first++;
    let last = geometry.columns - 1;
    while (!geometry.has(last, row)) last--;
    left.push(geometry.place(first, row));
    right.push(geometry.place(last, row));
  }
  return `M${[...left, ...right.reverse()].map((place) => place.map(round).join(",")).join(" ")}Z`;
}
