// Messages for screen readers that describe the changes at a table in plain words.

import { PASS } from "../board/geometry.js";
import { t } from "../language.js";

/**
 * Return a message that describes the changes between two views of a table. `status` is the page's text for the
 * current state. It is included only if the game has ended or a pie has reached its next stage.
 * @param {TableView | null} before
 * @param {TableView} now
 * @param {{ tree: Tree, geometry: Geometry, status: string }} page
 */
export function describeChanges(before, now, { tree, geometry, status }) {
  if (!before) return "";
  const words = before.node === now.node ? looked(before, now, tree, geometry) : played(before, now, tree, geometry);
  const ended = now.over && !before.over;
  const decided = (before.pie?.offered ?? null) !== (now.pie?.offered ?? null);
  return [words, ended || decided ? status : ""].filter(Boolean).join(" ");
}

/**
 * Describe the moves made by either side since the earlier view, or report that moves were taken back.
 * @param {TableView} before
 * @param {TableView} now
 * @param {Tree} tree
 * @param {Geometry} geometry
 */
function played(before, now, tree, geometry) {
  const moves = tree.from(before.node, now.node);
  if (!moves) return t`Back at move ${now.played}.`;
  const made = moves.flatMap(({ move, player }) => (move === null ? [] : [{ move, player }]));
  const all = made.map(({ move, player }) => deed(now.game.players[player], move, geometry)).join(", ");
  const removed = made.length === 1 && before.viewed === before.node && now.viewed === now.node ? stones(before) + Number(made[0].move !== PASS) - stones(now) : 0;
  if (removed > 0) return removed === 1 ? t`${all} and removed one stone.` : t`${all} and removed ${removed} stones.`;
  return all && `${all}.`;
}

/**
 * Describe the newly viewed position.
 * @param {TableView} before
 * @param {TableView} now
 * @param {Tree} tree
 * @param {Geometry} geometry
 */
function looked(before, now, tree, geometry) {
  if (before.viewed === now.viewed) return "";
  const { move, number, player } = tree.get(now.viewed);
  if (move === null) return number ? t`After move ${number}.` : t`At the start.`;
  const made = deed(now.game.players[player], move, geometry);
  return tree.main.has(now.viewed) ? t`Move ${number}: ${made}.` : t`Move ${number} in a variation: ${made}.`;
}

/** @param {string} player @param {number} move @param {Geometry} geometry */
function deed(player, move, geometry) {
  return move === PASS ? t`${player} passed` : t`${player} played ${geometry.name(move)}`;
}

/** @param {TableView} table */
function stones({ position }) {
  return position.first.length + position.second.length;
}
