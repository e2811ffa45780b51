// What has the board for a while in place of the game at hand, which goes on behind it unseen.

import { post } from "../api.js";
import { byId } from "../dom.js";
import { PASS } from "./geometry.js";

const LETTERS = "abcdefghijklmnopqrstuvwxy";

export class Guest {
  /**
   * `host.lend(guest)` gives it the board, `host.takeBack()` gives it back to the game at hand
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
   * Take the board; `panel` holds what stands beside it.
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

  leave() {
    this.host.takeBack();
  }

  /**
   * Draw a position with what may be done there; `turn` is "person" where a stone may be placed.
   * @param {Game} game
   * @param {BoardPosition} position
   * @param {number | null} [last]
   * @param {"person" | "none"} [turn]
   */
  draw(game, position, last = null, turn = "person") {
    const table = {
      game, position, last, turn,
      viewed: 0, at: 0, paused: false, pie: null, over: position.over,
    };
    this.table = table;
    byId("title").textContent = game.name;
    byId("subtitle").textContent = game.hex ? `side ${game.size}` : `${game.columns} × ${game.rows}`;
    this.host.board.show(table);
  }
}

/**
 * Request the position that a link describes. Throw the reason why there can be none.
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
