// The games that the server offers.

import { t } from "./language.js";

/**
 * Return the kind of a game by its id.
 * @param {GameKind[]} games
 * @param {string} id
 */
export function kindOf(games, id) {
  const kind = games.find((each) => each.id === id);
  if (!kind) throw new Error(t`${id}: the server has no such game`);
  return kind;
}
