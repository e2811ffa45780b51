// The positions of the points of a board. A point is row * columns + column, counted from the bottom left.
// On a hexagonal board each row is half a step further left than the row below it. A board may be shown in another
// orientation: mirrored, then turned clockwise by quarters, or by sixths on a hexagonal board.

export const STEP = 32;
export const PASS = -1;
/** @type {Orientation} */
export const USUAL = { turns: 0, mirrored: false };
const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

export class Geometry {
  static pass = "pass"; // the name of a pass, which a page may translate

  /** @param {BoardShape} shape @param {Orientation} [orientation] */
  constructor({ columns, rows, hex }, { turns, mirrored } = USUAL) {
    /** @type {number} */
    this.columns = columns;
    this.rows = rows;
    this.hex = hex;
    this.side = (columns + 1) / 2;
    this.rise = hex ? Math.sqrt(3) / 2 : 1;
    this.turns = turns;
    this.mirrored = mirrored;
    // The columns and rows as they are seen.
    const [across, down] = !hex && turns % 2 ? [rows, columns] : [columns, rows];
    this.seen = { columns: across, rows: down };
    const margin = STEP * 0.8;
    const label = STEP * (hex ? 1.15 : 0.85);
    const usual = !turns && !mirrored;
    // The space for coordinates: left, right, below, above. They are on other sides of a turned board.
    this.label = [label, hex || !usual ? label : 0, label * 0.85, usual ? 0 : label * 0.85];
    const [left, right, below, above] = this.label;
    this.left = margin + left;
    this.top = margin + above;
    this.width = (across - 1) * STEP + margin * 2 + left + right;
    this.height = (down - 1) * STEP * this.rise + margin * 2 + below + above;
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
    const { columns, rows } = this.seen;
    // Twice the distances from the middle.
    let [x, y] = [2 * column - (this.columns - 1), 2 * row - (this.rows - 1)];
    if (this.mirrored) x = this.hex ? y - x : -x;
    for (let turn = 0; turn < this.turns; turn++) [x, y] = [y, this.hex ? y - x : -x];
    const [across, up] = [(x + columns - 1) / 2, (y + rows - 1) / 2];
    const shift = this.hex ? ((rows - 1) / 2 - up) / 2 : 0;
    return [this.left + (across + shift) * STEP, this.top + (rows - 1 - up) * STEP * this.rise];
  }

  /** @param {number} point */
  center(point) {
    return this.place(point % this.columns, Math.floor(point / this.columns));
  }

  /** @param {number} point */
  name(point) {
    if (point === PASS) return Geometry.pass;
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
    const across = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0;
    const down = { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0;
    const row = Math.round((y - this.top) / (STEP * this.rise));
    // On a hexagonal board two points are equally near. Odd rows choose the left one and even rows the right one.
    const aside = this.hex ? Math.abs(down) * (row % 2 ? -1 : 1) : 0;
    const wanted = [x + across * STEP + aside, y + down * STEP * this.rise];
    const inRow = (/** @type {number} */ candidate) => Math.abs(this.center(candidate)[1] - wanted[1]) < 1;
    const away = (/** @type {number} */ candidate) => Math.abs(this.center(candidate)[0] - wanted[0]);
    const [best] = this.points.filter(inRow).sort((one, other) => away(one) - away(other));
    return best !== undefined && (down || away(best) < 1) ? best : point;
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
