// What has the board for a while in place of the game at hand, which goes on behind it unseen.

import { post } from "./api.js";
import { byId } from "./dom.js";
import { PASS } from "./geometry.js";

const LETTERS = "abcdefghijklmnopqrstuvwxy";

export class Guest {
  // `host.lend(guest)` gives it the board, `host.takeBack()` gives it back to the game at hand
  constructor(host) {
    this.host = host;
    this.table = null; // as the board draws it
  }

  get active() {
    return this.host.guest === this;
  }

  // Take the board; `panel` holds what stands beside it.
  enter(...panel) {
    byId("guest").replaceChildren(...panel);
    this.host.lend(this);
  }

  leave() {
    this.host.takeBack();
  }

  // Draw a position with what may be done there; `turn` is "person" where a stone may be placed.
  draw(game, position, last = null, turn = "person") {
    this.table = {
      game, position, last, turn,
      viewed: 0, at: 0, paused: false, pie: null, over: position.over, analysing: false,
    };
    byId("title").textContent = game.name;
    byId("subtitle").textContent = game.hex ? `side ${game.size}` : `${game.columns} × ${game.rows}`;
    this.host.board.show(this.table);
  }
}

// The position that a link describes, after some moves; throws the reason why it cannot be.
export function positionOf(link, game, moves = []) {
  const words = moves.map((move) => written(game, move)).join("");
  return post("positions", { link: words ? `${link}&moves=${words}` : link });
}

export function written({ columns }, move) {
  return move === PASS ? "--" : LETTERS[move % columns] + LETTERS[Math.floor(move / columns)];
}
