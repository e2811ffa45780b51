// The controls during a game: hints, warnings, the players' sides after a pie, and the button that makes an engine
// move at once.

import { post } from "../api.js";
import { PASS, round } from "../board/geometry.js";
import { byId, svg } from "../dom.js";
import { RequestRefused, sentence } from "../errors.js";
import { t } from "../language.js";
import { Clocks, Pace } from "./clocks.js";
import { EndCard } from "./endcard.js";
import { givenUp, reallyPass } from "./passing.js";
import { inherit } from "./seats.js";
import { mayAct, points } from "./side.js";

const WARNINGS = /** @type {const} */ (["warn-pass", "warn-mistake"]); // switches; off unless stored as on

export class Playing {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {{ node: number, move: number } | null} */
    this.hint = null; // the node that it is for, and its move
    /** @type {number | null} */
    this.warned = null; // the number of the move that was a mistake
    this.clocks = new Clocks((player, seconds) => page.say(t`${page.table?.game.players[player]} has ${seconds} seconds left.`, "spoken"));
    this.pace = new Pace((seconds) => page.act("pace", { seconds }));
    this.end = new EndCard(page.board, page.kinds.levels, { rematch: () => this.rematch(), start: () => this.next(), level: (level) => this.again(level), reveal: () => page.tabs.show("play") });
    byId("hint").addEventListener("click", () => this.askHint());
    byId("move-now").addEventListener("click", () => page.act("move-now"));
    byId("take-back").addEventListener("click", () => page.act("undo"));
    byId("let-be").addEventListener("click", () => this.forgive());
    for (const id of WARNINGS) {
      byId(id).checked = localStorage.getItem(id) === "on";
      byId(id).addEventListener("change", () => localStorage.setItem(id, byId(id).checked ? "on" : "off"));
    }
  }

  /**
   * Show the controls for a table. `before` is the previous view of the same table, or null.
   * @param {TableView} table
   * @param {TableView | null} before
   */
  show(table, before) {
    const thinks = table.turn === "engine" && !table.paused;
    byId("hint").disabled = table.position.over || Boolean(table.pie || table.closed || table.seats?.closed) || (thinks && table.viewed === table.node);
    byId("move-now").hidden = Boolean(table.seats) || table.players.every((level) => level === null);
    byId("move-now").disabled = !thinks;
    const given = sides(table);
    byId("sides").textContent = given;
    this.pace.show(table);
    if (!table.time) this.clocks.forget();
    if (before?.pie && given) this.page.say(given);
    if (this.hint?.node !== table.viewed) this.hint = null;
    if (this.warned !== null && (table.played < this.warned || table.played > this.warned + 1)) this.forgive();
    this.end.show(table, before);
    this.draw();
  }

  // Open a new table for the same game with the sides swapped.
  async rematch() {
    try {
      await this.together();
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      this.page.say(sentence(error.message), "message", true);
    }
  }

  // Open the form for a new game. At a table of two it is for the same two people.
  next() {
    const { table, newGame } = this.page;
    if (table?.seats) newGame.openForTwo(table, (fields) => this.together(fields));
    else byId("new").click();
  }

  /**
   * Open a new table for the same game with the sides swapped, or for another game. Two people share one, at which each
   * keeps their seat.
   * @param {NewTable} [fields]
   */
  async together(fields = {}) {
    const { name: before, kinds, visit } = this.page;
    const { name, pass } = await post(`games/${before}/rematch`, fields);
    if (pass) inherit(before, name);
    if (pass && kinds.guest) location.assign(`/g/${name}?guest=${pass}`);
    else await visit.go(name);
  }

  /**
   * Open a new table for the same kind of game against another level.
   * @param {number} level
   */
  async again(level) {
    const { table } = this.page;
    if (!table) return;
    const { game, players, time } = table;
    const { id, size, options, komi, komiStep } = game;
    /** @type {Seating} */
    const seats = [players[0] === null ? null : level, players[1] === null ? null : level];
    await this.page.visit.open({ game: id, size, options, komi: komiStep === null ? null : komi, seats, clock: time }).catch((error) => this.page.fail(error));
  }

  // Clear the clocks, messages and marks when another table is shown.
  forget() {
    this.clocks.forget();
    this.end.forget();
    this.unmark();
  }

  // Remove the marks of the table from the board, for example while a guest uses it.
  unmark() {
    this.hint = null;
    this.forgive();
    this.end.number();
    this.draw();
  }

  /**
   * Send a question whose answer comes to this page alone. Return null if the page shows another table or a guest
   * when the answer arrives.
   * @template T
   * @param {(table: string) => Promise<T>} question
   */
  async ask(question) {
    const { name } = this.page;
    const answer = await question(name);
    return name === this.page.name && !this.page.guest ? answer : null;
  }

  async askHint() {
    const { table, board } = this.page;
    if (!table) return;
    const node = table.viewed;
    byId("hint").disabled = true;
    this.page.say(t`Looking for the best move …`);
    try {
      const advice = await this.ask((name) => post(`games/${name}/hint`, { node }));
      if (!advice || this.page.table?.viewed !== node) return;
      this.hint = { node, move: advice.move };
      this.page.say(t`Hint: ${board.geometry.name(advice.move)}, ${why(advice, table)}.`);
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      this.page.say(sentence(error.message), "message", true);
    } finally {
      if (this.page.table && !this.page.guest) this.show(this.page.table, null);
    }
  }

  draw() {
    const { board, guest } = this.page;
    if (!board.layers) return;
    if (!board.layers.hint) board.layers.cursor.before((board.layers.hint = svg("g", { class: "hint" })));
    const move = guest ? undefined : this.hint?.move;
    const drawn = [];
    if (move !== undefined && move !== PASS) {
      const [x, y] = board.geometry.center(move);
      for (const r of [6, 12]) drawn.push(svg("circle", { cx: round(x), cy: round(y), r, "data-hint": move }));
    }
    board.layers.hint.replaceChildren(...drawn);
    byId("pass").classList.toggle("hinted", move === PASS);
  }

  /**
   * Return whether to pass. Ask the player first if a region is free, and, if warnings are on, if a pass would lose
   * something.
   * @param {number} node
   * @param {TableView} table
   */
  async mayPass(node, table) {
    if (node !== table.node || !mayAct(table)) return true; // a variation, or the server says why not
    const words = [givenUp(table, this.page.tree)];
    if (warns("warn-pass") && table.position.legal.length && table.position.mayPass) {
      this.page.say(t`Comparing a pass with the best move …`);
      const loss = await this.ask((name) => post(`games/${name}/loss`, { node, move: PASS })).catch(() => null);
      this.page.say("");
      if (loss?.serious) words.push(lost(loss, table), t`A better move is there; a hint shows it.`);
    }
    const question = words.filter(Boolean).join(" ");
    return (!question || (await reallyPass(question))) && this.page.table?.node === node;
  }

  /**
   * Show a warning if a move was a large mistake and warnings are on. The warning waits for the engine's judgement.
   * @param {number} node
   * @param {number} move
   * @param {TableView} table
   */
  async played(node, move, table) {
    if (!warns("warn-mistake") || node !== table.node || table.pie) return;
    const number = table.played + 1;
    const loss = await this.ask((name) => post(`games/${name}/loss`, { node, move })).catch(() => null);
    const played = this.page.table?.played ?? 0;
    if (!loss?.serious || played < number || played > number + 1) return;
    this.warned = number;
    byId("warning").hidden = false;
    const name = this.page.board.geometry.name(move);
    const mistake = move === PASS ? t`The pass was a large mistake.` : t`${name} was a large mistake.`;
    byId("warning-words").textContent = `${mistake} ${lost(loss, table)}`;
  }

  forgive() {
    this.warned = null;
    byId("warning").hidden = true;
    byId("warning-words").textContent = "";
  }
}

/**
 * Return whether a warning is on. At a table of two its switch is disabled while the game runs.
 * @param {typeof WARNINGS[number]} id
 */
function warns(id) {
  return byId(id).checked && !byId(id).disabled;
}

/**
 * Describe which player has which side after the choice in a pie, or return an empty string before it.
 * @param {TableView} table
 */
function sides({ sides: given, game }) {
  if (!given) return "";
  const { chosen, chooser, offerer } = given;
  const [one, other] = [game.players[chosen], game.players[1 - chosen]];
  if (chooser === null && offerer === null) return t`Pie: who chose plays ${one}, who offered plays ${other}.`;
  if (chooser === null) return t`Pie: you chose ${one}; engine ${offerer} plays ${other}.`;
  if (offerer === null) return t`Pie: engine ${chooser} chose ${one}, so you play ${other}.`;
  return t`Pie: engine ${chooser} chose ${one}, so engine ${offerer} plays ${other}.`;
}

/**
 * Describe the reason for a hint, if there is one.
 * @param {Advice} advice
 * @param {TableView} table
 */
function why({ only, certain, winRate: rate, lead, exact, value }, { game, position }) {
  const mover = game.players[position.toMove];
  if (only) return t`the only move`;
  if (value !== null) {
    const player = value > 0 ? mover : game.players[1 - position.toMove];
    const by = points(Math.abs(value));
    const result = !value ? t`the game is drawn` : game.countsPoints ? t`${player} wins by ${by}` : t`${player} wins`;
    return value < 0
      ? t`an estimate: it is proven that ${result} with best play, but not which move loses least`
      : t`an estimate: it is proven that ${result} with best play, but not by which move`;
  }
  const by = exact && lead ? points(Math.abs(lead)) : null;
  if (certain === 1) return by === null ? t`which wins: proven` : t`which wins by ${by}: proven`;
  if (certain === 0.5) return t`which draws: proven`;
  if (certain === 0) return by === null ? t`the best there is, though ${mover} loses: proven` : t`the best there is, though ${mover} loses by ${by}: proven`;
  if (rate === null) return t`a guess`;
  const [percent, away] = [Math.round(100 * rate), Math.abs(lead ?? 0).toFixed(1)];
  if (!lead || !Number(away)) return t`${percent} % for ${mover}`;
  return lead > 0 ? t`${percent} % for ${mover}, ahead by ${away}` : t`${percent} % for ${mover}, behind by ${away}`;
}

/**
 * Return a sentence about the loss of a move.
 * @param {Loss} loss
 * @param {TableView} table
 */
function lost({ winRate: rate, points: many, proven }, { game, position }) {
  const player = game.players[position.toMove];
  const number = proven ? points(many) : many.toFixed(1);
  const of = !many ? "" : !proven ? t`about ${number} points` : number === "1" ? t`1 point` : t`${number} points`;
  if (proven && rate === 1) return of ? t`${player} was winning and now loses; it cost ${of}.` : t`${player} was winning and now loses.`;
  if (proven && rate) return of ? t`It gives half of the game away for ${player}, by ${of}.` : t`It gives half of the game away for ${player}.`;
  const percent = Math.round(100 * rate);
  const chances = rate < 0.01 ? "" : proven ? t`${percent} % of the win rate` : t`about ${percent} % of the win rate`;
  return t`It loses ${of && chances ? t`${of} and ${chances}` : of || chances} for ${player}.`;
}
