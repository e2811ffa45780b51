// How the board and the page look in this browser: coordinates, numbers, the size of text, and the board's orientation.

import { USUAL } from "../board/geometry.js";
import { byId } from "../dom.js";

const SWITCHES = /** @type {const} */ (["coordinates", "move-numbers", "larger-text"]);

export class Appearance {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    for (const id of SWITCHES) {
      const field = byId(id);
      field.checked = (localStorage.getItem(id) ?? (id === "coordinates" ? "on" : "off")) === "on";
      field.addEventListener("change", () => {
        localStorage.setItem(id, field.checked ? "on" : "off");
        this.apply();
      });
    }
    byId("turn").addEventListener("click", () => this.change((now, game) => ({ ...now, turns: now.turns + step(game) })));
    byId("mirror").addEventListener("click", () => this.change(({ turns, mirrored }) => ({ turns: -turns, mirrored: !mirrored })));
    this.apply();
  }

  // Draw everything as the switches say.
  apply() {
    const { page } = this;
    document.documentElement.classList.toggle("larger-text", byId("larger-text").checked);
    page.board.coordinates = byId("coordinates").checked;
    page.board.fit();
    page.redraw();
  }

  /**
   * Set up the board for a table that is about to be drawn.
   * @param {TableView} table
   * @param {Tree} tree
   */
  prepare({ game, viewed }, tree) {
    const { board } = this.page;
    board.orientation = kept(game);
    board.moveNumbers = byId("move-numbers").checked ? tree.numbers(viewed) : null;
  }

  // Set up the board for a guest, whose positions have no moves to number.
  leave() {
    const { board } = this.page;
    board.orientation = USUAL;
    board.moveNumbers = null;
  }

  /**
   * Change and store the orientation of the boards of this game.
   * @param {(now: Orientation, game: Game) => Orientation} next
   */
  change(next) {
    const game = this.page.table?.game;
    if (!game) return;
    const { turns, mirrored } = next(kept(game), game);
    const whole = circle(game);
    localStorage.setItem(key(game), JSON.stringify({ turns: (turns + whole) % whole, mirrored }));
    this.page.redraw();
  }
}

/** @param {Game} game */
function key({ id }) {
  return `orientation ${id}`;
}

/** @param {Game} game @returns {Orientation} */
function kept(game) {
  return JSON.parse(localStorage.getItem(key(game)) ?? "null") ?? USUAL;
}

/**
 * Return the number of steps of a whole turn.
 * @param {Game} game
 */
function circle({ hex }) {
  return hex ? 6 : 4;
}

/**
 * Return the steps of one turn. Where the players' names are directions, it is half a circle: after a quarter the names
 * would be wrong.
 * @param {Game} game
 */
function step(game) {
  return game.directed ? circle(game) / 2 : 1;
}
