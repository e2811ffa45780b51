// The panel beside the board: the score, the state of the game, and buttons for pending decisions.

import { PASS } from "../board/geometry.js";
import { byId, html, refill } from "../dom.js";
import { t } from "../language.js";
import { levelOptions } from "./levels.js";

export const SIDES = ["first", "second"];

/** @param {number} number */
export function points(number) {
  const text = Number.isInteger(number) ? String(Math.abs(number)) : Math.abs(number).toFixed(1);
  return number < 0 ? `−${text}` : text;
}

/**
 * Return whether a person may act: it is their turn, or the engine is paused.
 * @param {BoardTable} table
 */
export function mayAct(table) {
  return table.turn === "person" || (table.turn === "engine" && table.paused && !table.seats);
}

/**
 * Return whether a person may place a stone in the position that is shown. In a variation they play both sides.
 * @param {BoardTable} table
 */
export function mayPlace(table) {
  const { seats } = table;
  if (seats && (seats.you === null || (seats.closed && table.viewed !== table.node))) return false;
  if (table.viewed !== table.node) return !table.pie && !table.position.over && !table.closed;
  const pie = table.pie && (table.pie.offered || table.game.pie === "komi");
  return mayAct(table) && !pie;
}

/** @param {TableView} table @param {number} player */
export function icon(table, player) {
  const kind = table.game.oneColour ? `swatch ${SIDES[player]}` : `disc ${SIDES[player]}`;
  return html("span", { class: kind, "aria-hidden": "true" });
}

/**
 * Show a line with the name, seat and points of each player, and below them the score in words.
 * @param {TableView} table
 * @param {number} levels
 * @param {(player: Player, level: string) => void} onseat
 */
export function showScore(table, levels, onseat) {
  const { game, position } = table;
  for (const player of /** @type {const} */ ([0, 1])) {
    const turn = !table.over && !table.pie && position.toMove === player;
    const select = html(
      "select",
      { "aria-label": t`Who plays ${game.players[player]}`, disabled: table.pie !== null, onchange: (event) => onseat(player, event.target.value) },
      html("option", { value: "", selected: table.players[player] === null }, t`Person`),
      ...levelOptions(levels, table.players[player]),
    );
    const parts = [
      icon(table, player),
      html("strong", {}, game.players[player]),
      table.pie || table.seats ? html("span", { class: "quiet" }, table.pie ? "?" : whose(table, player)) : select,
      html("span", { class: "clock", role: "timer", "aria-label": t`${game.players[player]}'s time`, "data-clock": player, hidden: true }),
      html("output", { "aria-label": t`${game.players[player]}'s points`, "data-score": player }, tally(table, player)),
    ];
    const line = byId(`player-${player}`);
    line.classList.toggle("turn", turn);
    refill(line, parts);
    // Reset the lists, because the server may have refused a choice.
    for (const list of line.querySelectorAll("select")) list.value = String(table.players[player] ?? "");
  }
  byId("standing").textContent = standing(table);
}

/**
 * Return the name of a side's player at a shared table.
 * @param {TableView} table
 * @param {number} player
 */
function whose({ seats, players }, player) {
  if (players[player] !== null) return t`Engine ${players[player]}`;
  return seats?.byPlayer[player]?.name || (seats?.you === player ? t`You` : t`Player`);
}

/**
 * Return a player's points or count as a short text, or an empty string if the game has none.
 * @param {TableView} table
 * @param {number} player
 */
function tally({ position }, player) {
  if (position.scores) return points(position.scores[player]);
  return position.tally?.counts[player] ?? "";
}

/** @param {TableView} table */
function standing({ position, game, over }) {
  if (over) return ""; // the result is shown instead
  if (!position.scores) return position.tally?.words ?? "";
  const { winner, margin } = position.standing;
  if (winner === null) return t`Points so far: even.`;
  const lead = winner === 1 ? -(margin ?? 0) : margin ?? 0;
  const [leader, by] = [game.players[winner], points(Math.abs(lead))];
  return lead === -game.komi ? t`Points so far: ${leader} leads by ${by} (komi).` : t`Points so far: ${leader} leads by ${by}.`;
}

/** @param {Game} game @param {Outcome} result */
function outcome({ players }, { winner, margin, lost }) {
  if (winner === null) return t`The game is over: a draw.`;
  const name = players[winner];
  if (lost) return t`${players[1 - winner]} ${lost}: ${name} wins.`;
  return margin === null ? t`The game is over: ${name} wins.` : t`The game is over: ${name} wins by ${points(margin)}.`;
}

/** @param {TableView} table */
function state(table) {
  const { game, position } = table;
  if (table.trouble) return table.trouble;
  if (table.viewed !== table.node) return elsewhere(table);
  if (table.pie) return pieState(table, table.pie);
  if (table.over && table.result) return outcome(table.game, table.result);
  const name = game.players[position.toMove];
  if (table.turn === "engine") return table.paused ? t`${name} to move. The engine waits.` : t`${name} is thinking …`;
  const passed = table.last === PASS ? `${t`${game.players[1 - position.toMove]} passed.`} ` : "";
  return passed + (table.seats && table.turn === "person" ? t`${name} to move: it is your turn.` : t`${name} to move.`);
}

/**
 * Describe the viewed position if it is not the current position of the game.
 * @param {TableView} table
 */
function elsewhere({ line, node, number, played, players, closed }) {
  if (closed) return t`This variation of the file cannot be played: ${closed}. It stays in the file unchanged.`;
  if (line.at(-1) === node) return t`Looking at move ${number} of ${played}.`;
  if (line.includes(node)) return t`Looking at move ${number}, which is taken back.`;
  return players.some((level) => level !== null) ? t`In a variation, at move ${number}: you play both sides.` : t`In a variation, at move ${number}.`;
}

/** @param {TableView} table @param {Pie} pie */
function pieState({ game, turn }, pie) {
  if (turn === "other") return pie.offered ? t`The other player is choosing a side …` : t`The other player is choosing an offer …`;
  if (pie.engine) return pie.offered ? t`The engine is choosing its side …` : t`The engine is choosing an offer …`;
  if (!pie.offered) {
    return game.pie === "komi"
      ? t`Pie: name a komi for ${game.players[1]} that makes the game even. The other player then chooses a side.`
      : t`Pie: place ${game.players[0]}'s first stone so that the game is even. The other player then chooses a side.`;
  }
  return game.pie === "komi" ? t`Komi is ${points(game.komi)}. Which side will you play?` : t`The first stone is placed. Which side will you play?`;
}

/**
 * Show the state in words, and buttons for the pending decisions.
 * @param {TableView} table
 * @param {Geometry} geometry
 * @param {Act} act
 */
export function showState(table, geometry, act) {
  const { game, pie } = table;
  byId("current").textContent = table.last === null ? "" : t`Move ${table.number}: ${geometry.name(table.last)}`;
  byId("status").textContent = state(table);
  /** @type {HTMLElement[]} */
  const deeds = [];
  /** @type {<A extends keyof Actions>(id: string, text: string, action: A, fields: Actions[A], primary?: boolean) => void} */
  const button = (id, text, action, fields, primary = true) =>
    deeds.push(html("button", { id, class: primary ? "primary" : null, "data-fields": JSON.stringify(fields), onclick: () => act(action, fields) }, text));
  const mine = table.turn !== "other";
  if (pie && !pie.engine && pie.offered && mine) {
    for (const player of /** @type {const} */ ([0, 1])) button(`choose-${player}`, t`Play as ${game.players[player]}`, "choose", { player });
  } else if (pie && !pie.engine && game.pie === "komi" && mine) {
    if (byId("offer")) return; // the user may be typing in this field
    deeds.push(komiForm(game, act));
  } else if (table.viewed !== table.node) {
    if (!table.closed && !table.seats) button("play-on", t`Play on from here`, "play-on", {});
    button("to-last", table.line.at(-1) === table.node ? t`Last position` : t`Back to game`, "look", { node: table.node }, false);
  } else if (table.paused && !table.over && table.players.some((level) => level !== null)) {
    button("resume", t`Let the engine play`, "pause", { on: false });
  } else if (table.turn === "engine" && !table.seats) {
    button("hold", t`Pause the engine`, "pause", { on: true }, false);
  } else if (table.time && !table.seats && !table.over && !pie && table.players.some((level) => level !== null)) {
    button("hold", t`Pause the clock`, "pause", { on: true }, false);
  }
  refill(byId("deeds"), deeds);
}

/**
 * Show the progress of compilation and the time left.
 * @param {CompileProgress | null} seen
 */
export function showCompiling(seen) {
  byId("compiling").hidden = !seen;
  if (!seen) return;
  byId("compiled").value = seen.share;
  const left = seen.seconds < 2 ? t`almost there` : t`about ${seen.seconds} s left`;
  byId("compiling-what").textContent = t`Compiling ${seen.what}, once on this machine: ${left}`;
}

/** @param {Game} game @param {Act} act */
function komiForm(game, act) {
  const input = html("input", { type: "number", id: "offer", step: game.komiStep, value: game.komi, required: true, "aria-label": t`Komi` });
  return html(
    "form",
    {
      class: "row",
      onsubmit: (event) => {
        event.preventDefault();
        act("offer", { komi: Number(input.value) });
      },
    },
    input,
    html("button", { class: "primary", id: "make-offer" }, t`Offer`),
  );
}
