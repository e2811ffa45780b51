// The base class of the parts that use the board in place of the current game. The game continues in the background.

import { post } from "../api.js";
import { byId } from "../dom.js";
import { t } from "../language.js";
import { PASS } from "./geometry.js";

const LETTERS = "abcdefghijklmnopqrstuvwxy";

export class Guest {
  /**
   * `host.lend(guest)` gives the board to the guest, and `host.takeBack()` returns it to the current game.
   * @param {Page} host
   */
  constructor(host) {
    this.host = host;
    /** @type {BoardTable | null} */
    this.table = null; // as the board draws it
  }

  get active() {
    return this.host.guest === this;
  }

  /**
   * Take the board and show the elements of `panel` beside it.
   * @param {...(string | Node)} panel
   */
  enter(...panel) {
    byId("guest").replaceChildren(...panel);
    this.host.lend(this);
  }

  /**
   * Handle a click on a point, or on Pass.
   * @param {number} _move
   * @returns {void | Promise<void>}
   */
  clicked(_move) {}

  /**
   * Handle a change of the table in the background.
   * @param {TableView} _table
   */
  shown(_table) {}

  leave() {
    this.host.takeBack();
  }

  /**
   * Draw a position and its legal moves, and frame the points `about`. `turn` is "person" if the user may place a stone.
   * @param {Game} game
   * @param {BoardPosition} position
   * @param {number | null} [last]
   * @param {"person" | "none"} [turn]
   * @param {number[]} [about]
   */
  draw(game, position, last = null, turn = "person", about = []) {
    const table = {
      game, position, last, turn, about,
      viewed: 0, node: 0, paused: false, pie: null, over: position.over,
    };
    this.table = table;
    byId("title").textContent = game.name;
    byId("subtitle").textContent = game.hex ? t`side ${game.size}` : `${game.columns} × ${game.rows}`;
    this.host.board.show(table);
  }
}

/**
 * Request the position that a link describes. Throw the server's reason if the position is impossible.
 * @param {string} link
 * @returns {Promise<PositionAnswer>}
 */
export function setUp(link) {
  return post("positions", { link });
}

/**
 * Request the position that a link describes, after some moves.
 * @param {string} link
 * @param {Game} game
 * @param {number[]} moves
 */
export function positionOf(link, game, moves) {
  const words = moves.map((move) => written(game, move)).join("");
  return setUp(words ? `${link}&moves=${words}` : link);
}

/** @param {Game} game @param {number} move */
export function written({ columns }, move) {
  return move === PASS ? "--" : LETTERS[move % columns] + LETTERS[Math.floor(move / columns)];
}
