// The question before a pass while there is still something to play for.

import { PASS } from "../board/geometry.js";
import { byId } from "../dom.js";
import { t } from "../language.js";
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
  // In Parity no region has an owner: what is open is where a stone may be placed.
  const words = regions.some(({ number }) => number !== null)
    ? legal.length === 1 ? t`A stone can still be placed on 1 point.` : t`A stone can still be placed on ${legal.length} points.`
    : stillFree(open, free.length);
  const end = result(game, position);
  const ends = last === PASS ? t`This pass ends the game: ${end}.` : t`If ${game.players[1 - toMove]} passes too, the game is over: ${end}.`;
  return free.length ? `${words} ${ends}` : ends;
}

/** @param {number} count @param {number} regions */
function stillFree(count, regions) {
  if (regions > 1) return t`${count} points in ${regions} regions are still free.`;
  return count === 1 ? t`1 point in one region is still free.` : t`${count} points in one region are still free.`;
}

/**
 * Describe the result if the game ended in a position.
 * @param {Game} game
 * @param {Position} position
 */
function result({ players }, { standing: { winner, margin } }) {
  if (winner === null) return t`a draw`;
  return margin === null ? t`${players[winner]} wins` : t`${players[winner]} wins by ${points(margin)}`;
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
