// The positions of the points of a board. A point is row * columns + column, counted from the bottom left.
// On a hexagonal board each row is half a step further left than the row below it.

export const STEP = 32;
export const PASS = -1;
const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

export class Geometry {
  /** @param {BoardShape} shape */
  constructor({ columns, rows, hex }) {
    /** @type {number} */
    this.columns = columns;
    this.rows = rows;
    this.hex = hex;
    this.side = (columns + 1) / 2;
    this.rise = hex ? Math.sqrt(3) / 2 : 1;
    const margin = STEP * 0.8;
    const label = STEP * (hex ? 1.15 : 0.85);
    this.label = [label, hex ? label : 0, label * 0.85]; // the space for coordinates: left, right, below
    this.left = margin + label;
    this.top = margin;
    this.width = (columns - 1) * STEP + margin * 2 + label * (hex ? 2 : 1);
    this.height = (rows - 1) * STEP * this.rise + margin * 2 + label * 0.85;
    this.points = [];
    for (let point = 0; point < columns * rows; point++) {
      if (this.has(point % columns, Math.floor(point / columns))) this.points.push(point);
    }
  }

  /** @param {number} column @param {number} row @returns {boolean} */
  has(column, row) {
    const inside = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
    return inside && (!this.hex || Math.abs(column - row) < this.side);
  }

  /** @param {number} column @param {number} row */
  at(column, row) {
    return this.has(column, row) ? row * this.columns + column : null;
  }

  /** @param {number} column @param {number} row @returns {Place} */
  place(column, row) {
    const shift = this.hex ? ((this.rows - 1) / 2 - row) / 2 : 0;
    return [this.left + (column + shift) * STEP, this.top + (this.rows - 1 - row) * STEP * this.rise];
  }

  /** @param {number} point */
  center(point) {
    return this.place(point % this.columns, Math.floor(point / this.columns));
  }

  /** @param {number} point */
  name(point) {
    if (point === PASS) return "pass";
    return `${LETTERS[point % this.columns]}${Math.floor(point / this.columns) + 1}`;
  }

  /**
   * Return the path around the cell of a point: all places that are nearer to it than to any other point.
   * @param {number} point
   */
  cell(point) {
    return `M${this.corners(point).join(" ")}Z`;
  }

  /** @param {number} point */
  corners(point) {
    const [x, y] = this.center(point);
    const count = this.hex ? 6 : 4;
    const reach = STEP / (this.hex ? Math.sqrt(3) : Math.SQRT2);
    return Array.from({ length: count }, (_, k) => {
      const angle = (Math.PI * (2 * k + 1)) / count;
      return `${tenth(x + reach * Math.cos(angle))},${tenth(y + reach * Math.sin(angle))}`;
    });
  }

  /** @returns {Place[]} */
  get directions() {
    return this.hex ? [[1, 0], [0, 1], [1, 1]] : [[1, 0], [0, 1]];
  }

  // Return the path around the board through its outermost points.
  outline() {
    const left = [];
    const right = [];
    for (let row = 0; row < this.rows; row++) {
      const columns = this.points.filter((point) => Math.floor(point / this.columns) === row);
      left.push(this.center(columns[0]));
      right.push(this.center(columns[columns.length - 1]));
    }
    return `M${[...left, ...right.reverse()].map((place) => place.map(round).join(",")).join(" ")}Z`;
  }

  // Return the path of the grid: one stroke along every row, column and (on hexagonal boards) diagonal.
  grid() {
    const starts = this.directions.map(([across, up]) =>
      this.points.filter((point) => !this.has((point % this.columns) - across, Math.floor(point / this.columns) - up)),
    );
    return starts.flatMap((points, index) => points.map((point) => this.stroke(point, this.directions[index]))).join("");
  }

  /**
   * Return the path of all grid lines through a point.
   * @param {number} point
   */
  through(point) {
    return this.directions.map((direction) => this.stroke(point, direction)).join("");
  }

  /**
   * Return the path of one grid line through a point, from edge to edge.
   * @param {number} point
   * @param {Place} direction
   */
  stroke(point, [across, up]) {
    const end = (/** @type {number} */ sign) => {
      let [column, row] = [point % this.columns, Math.floor(point / this.columns)];
      while (this.has(column + sign * across, row + sign * up)) [column, row] = [column + sign * across, row + sign * up];
      return this.place(column, row).map(round);
    };
    return `M${end(-1)}L${end(1)}`;
  }

  // Return the coordinates. Each has its text and a place one step outside the board, at the left or below.
  labels() {
    /** @type {[text: string, x: number, y: number][]} */
    const found = [];
    for (let row = 0; row < this.rows; row++) {
      let column = 0;
      while (!this.has(column, row)) column++;
      found.push([String(row + 1), ...this.place(column - 1, row)]);
    }
    for (let column = 0; column < this.columns; column++) {
      let row = 0;
      while (!this.has(column, row)) row++;
      found.push([LETTERS[column], ...this.place(column, row - 1)]);
    }
    return found;
  }

  /**
   * Return the next point in the direction of an arrow key, or the point itself at the edge.
   * @param {number} point
   * @param {string} key
   */
  step(point, key) {
    const [x, y] = this.center(point);
    const row = Math.floor(point / this.columns);
    const across = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (across) return this.at((point % this.columns) + across, row) ?? point;
    const target = row + (key === "ArrowUp" ? 1 : -1);
    let best = point;
    let distance = Infinity;
    // On a hexagonal board two points are equally near. Odd rows choose the left one and even rows the right one.
    const wanted = this.hex ? x + (row % 2 ? -1 : 1) : x;
    for (let column = 0; column < this.columns; column++) {
      const candidate = this.at(column, target);
      if (candidate === null) continue;
      const away = Math.abs(this.center(candidate)[0] - wanted);
      if (away < distance) [best, distance] = [candidate, away];
    }
    return Math.abs(this.center(best)[1] - y) < 2 * STEP ? best : point;
  }
}

/**
 * Round to one decimal place, so that neighbouring cells have equal corners in spite of rounding errors.
 * @param {number} number
 */
function tenth(number) {
  return Math.round(number * 10) / 10;
}

/** @param {number} number */
export function round(number) {
  return Math.round(number * 100) / 100;
}
