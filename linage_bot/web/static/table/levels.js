// The engine's levels in words. docs/levels.md has their numbers.

import { html } from "../dom.js";
import { t } from "../language.js";

// The last level of each group, and what its levels do.
/** @type {[number, string][]} */
const GROUPS = [
  [0, t`Random: any legal move`],
  [5, t`Beginner: at most 10 trial games a move`],
  [10, t`Casual: at most 32 trial games a move`],
  [15, t`Club player: at most 106 trial games a move`],
  [20, t`Strong: hundreds of trial games a move`],
  [26, t`Expert: uses knowledge and proofs`],
  [Infinity, t`Full strength: all the time that it has`],
];

/**
 * Return the options of a list of levels, grouped by what they do.
 * @param {number} levels
 * @param {number | null} chosen
 */
export function levelOptions(levels, chosen) {
  return GROUPS.map(([last, label], rank) => {
    const first = rank ? GROUPS[rank - 1][0] + 1 : 0;
    const own = Array.from({ length: Math.max(0, Math.min(last, levels - 1) - first + 1) }, (_, index) => first + index);
    return html("optgroup", { label }, ...own.map((level) => html("option", { value: level, selected: level === chosen }, t`Level ${level}`)));
  });
}

/**
 * Return the level to try after a game of a person against an engine: the next one up after a win, the next one down
 * after a loss. Return null after a draw, at the end of the scale, or if other players played.
 * @param {TableView} table
 * @param {number} levels
 */
export function nextLevel({ players, result, seats }, levels) {
  const person = players.indexOf(null);
  const level = players[1 - person];
  if (seats || person < 0 || level === null || !result || result.winner === null) return null;
  const next = level + (result.winner === person ? 1 : -1);
  return next >= 0 && next < levels ? next : null;
}
