// The question before a pass while there is still something to play for.

import { PASS } from "../board/geometry.js";
import { byId } from "../dom.js";
import { points } from "./side.js";
import { ROOT } from "./tree.js";

/**
 * Describe what a pass gives up. Return an empty string if no region is free, or, in a game without regions, if the
 * pass does not end the game.
 * @param {TableView} table
 * @param {Tree} tree
 */
export function givenUp({ game, position, node, last }, tree) {
  const { areas, legal, mayPass, toMove } = position;
  if (!legal.length || !mayPass) return "";
  const before = tree.from(ROOT, node) ?? [];
  if (game.options.button === "on" && !before.some(({ move }) => move === PASS)) return ""; // it takes the button
  const regions = areas.filter(({ kind }) => kind === "region");
  const free = regions.filter(({ owner }) => owner === null).map((region) => region.points.length);
  if (regions.length ? !free.length : last !== PASS) return "";
  const open = free.reduce((sum, each) => sum + each, 0);
  const where = free.length === 1 ? "one region" : `${free.length} regions`;
  // In Parity no region has an owner: what is open is where a stone may be placed.
  const words = regions.some(({ number }) => number !== null)
    ? `A stone can still be placed on ${many(legal.length)}.`
    : `${open === 1 ? "1 point in" : `${open} points in`} ${where} ${open === 1 ? "is" : "are"} still free.`;
  const ends = last === PASS ? "This pass ends the game" : `If ${game.players[1 - toMove]} passes too, the game is over`;
  return `${free.length ? `${words} ` : ""}${ends}: ${result(game, position)}.`;
}

/** @param {number} count */
function many(count) {
  return count === 1 ? "1 point" : `${count} points`;
}

/**
 * Describe the result if the game ended in a position.
 * @param {Game} game
 * @param {Position} position
 */
function result({ players }, { standing: { winner, margin } }) {
  if (winner === null) return "a draw";
  return margin === null ? `${players[winner]} wins` : `${players[winner]} wins by ${points(margin)}`;
}

/**
 * Ask whether to pass. Resolve to the answer.
 * @param {string} words
 */
export async function reallyPass(words) {
  byId("pass-words").textContent = words;
  const dialog = byId("pass-dialog");
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue === "pass";
}
