// The browser's storage of the games that were played in it, the latest first.

const KEY = "games";
const MOST = 100;

/** @returns {GameMemory[]} */
export function kept() {
  return JSON.parse(localStorage.getItem(KEY) ?? "[]");
}

/** @param {GameMemory[]} games */
export function keep(games) {
  localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
}

/** @param {string} name */
export function forget(name) {
  keep(kept().filter((each) => each.name !== name));
}

/**
 * Store a table as it is shown, at the top of the list. A table without a move is worth no entry, unless it is shared.
 * @param {string} name
 * @param {TableView} table
 */
export function note(name, table) {
  if (table.viewed !== table.node || !(table.played || table.seats)) return;
  const { id, name: kind, columns, rows, hex, oneColour } = table.game;
  const { first, second, areas } = table.position;
  const others = kept();
  const at = others.findIndex((each) => each.name === name);
  const [before] = at < 0 ? [] : others.splice(at, 1);
  keep([
    {
      name,
      title: before?.title ?? "",
      game: { id, name: kind, columns, rows, hex, oneColour },
      position: { first, second, areas: areas.filter(({ owner }) => owner !== null) },
      levels: table.players.filter((level) => level !== null),
      shared: table.seats !== null,
      moves: table.played,
      over: table.over,
      winner: table.result?.winner ?? null,
      when: Date.now(),
    },
    ...others,
  ]);
}

// Return the game that was shown last, if it has not ended, or null.
export function unfinished() {
  const last = kept()[0];
  return last && !last.over ? last.name : null;
}
