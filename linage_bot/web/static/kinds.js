// The games that the server offers.

/**
 * Return the kind of a game by its id.
 * @param {GameKind[]} games
 * @param {string} id
 */
export function kindOf(games, id) {
  const kind = games.find((each) => each.id === id);
  if (!kind) throw new Error(`${id}: the server has no such game`);
  return kind;
}
