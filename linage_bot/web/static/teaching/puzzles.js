// The puzzles: the learner looks for the only winning move, and a wrong move is answered with its refutation.

import { get } from "../api.js";
import { PASS } from "../board/geometry.js";
import { Guest, positionOf } from "../board/guest.js";
import { RequestRefused, capital, sentence } from "../errors.js";
import { t } from "../language.js";
import { points } from "../table/side.js";
import { PuzzlePanel } from "./puzzlepanel.js";
import { next, rated } from "./rating.js";

const KEPT = "puzzles"; // key in the browser's storage; the value: { solved: { name: how }, at: name, grade, mixed, rating }
const ANSWER_MS = 500; // delay before the opponent answers

export class Puzzles extends Guest {
  /** @type {PuzzleEntry[]} */ all;
  /** @type {symbol | null} */ asked;
  /** @type {number} */ at;
  /** @type {boolean} */ erred;
  /** @type {string} */ gameId;
  /** @type {PuzzleGame[]} */ games;
  /** @type {PuzzleEntry[]} */ list;
  /** @type {number[]} */ played;
  /** @type {Puzzle} */ puzzle;
  /** @type {string} */ state;
  /** @type {number} */ timer;
  /** @type {PuzzleEntry[]} */ total;
  /** @type {symbol} */ wanted;

  /** @param {Page} host */
  constructor(host) {
    super(host);
    /** @type {PuzzleMemory} */
    this.kept = { solved: {}, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
    this.grade = this.kept.grade ?? "";
    this.mixed = this.kept.mixed ?? false;
    this.panel = new PuzzlePanel({
      mix: () => this.mix(),
      game: (id) => this.choose(id, this.grade),
      grade: (grade) => this.choose(this.gameId, grade),
      number: (index) => this.show(this.list[index]),
      step: (by) => this.step(by),
      again: () => this.reset(),
      pass: () => this.clicked(PASS),
      solution: () => this.solve(),
      leave: () => this.leave(),
    });
  }

  /**
   * Show the puzzle that was viewed last, or else the first unsolved puzzle of the table's game.
   * @param {TableView | null} table
   * @param {string} [wanted] the game to prefer without a table
   */
  async open(table, wanted = table?.game.id) {
    this.games ??= (await get("puzzles")).games;
    const all = this.games.flatMap((game) => game.puzzles.map((each) => ({ ...each, game: game.id })));
    this.all = all;
    const last = all.find((each) => each.name === this.kept.at);
    const game = last?.game ?? this.games.find((each) => each.id === wanted)?.id ?? this.games[0]?.id;
    if (!game) throw new Error(t`There are no puzzles.`);
    this.chooseGame(game);
    this.enter(...this.panel.parts(this.games, this));
    const before = document.activeElement;
    const again = last && !this.kept.solved[last.name] ? last : null;
    await this.show(this.mixed ? again ?? this.drawn() : this.list.find((each) => each.name === last?.name) ?? this.unsolved() ?? this.list[0]);
    // Keep the focus where it is if the user moved it while the puzzle was loading.
    if ([before, document.body].includes(document.activeElement)) this.panel.goal.focus();
  }

  /**
   * Choose a game, and list its puzzles of the chosen grade, or all of them if there are none of that grade.
   * @param {string} id
   */
  chooseGame(id) {
    this.gameId = id;
    const all = this.all.filter((each) => each.game === id);
    const graded = all.filter((each) => !this.grade || each.grade === Number(this.grade));
    this.list = graded.length ? graded : all;
    this.total = all;
  }

  unsolved() {
    return this.list.find((each) => !this.kept.solved[each.name]);
  }

  // Return the next puzzle of the mixed run: one of all games, not solved yet while there are such.
  drawn() {
    const fresh = this.all.filter((each) => !this.kept.solved[each.name]);
    return next(fresh.length > 1 ? fresh : this.all, this.kept.rating, this.puzzle?.name) ?? this.all[0];
  }

  // Begin a mixed run, in which the browser keeps the learner's rating.
  mix() {
    this.mixed = true;
    this.keep({ mixed: true });
    return this.show(this.drawn());
  }

  /** @param {string} game @param {string} grade */
  choose(game, grade) {
    this.grade = grade;
    this.mixed = false;
    this.chooseGame(game);
    this.keep({ grade, mixed: false });
    return this.show(this.unsolved() ?? this.list[0]);
  }

  /** @param {number} by */
  step(by) {
    if (this.mixed) return this.show(this.drawn());
    const at = this.list.findIndex((each) => each.name === this.puzzle.name);
    const { length } = this.list;
    return this.show(this.list[(at + by + length) % length]);
  }

  leave() {
    clearTimeout(this.timer);
    super.leave();
  }

  /** @param {Partial<PuzzleMemory>} fields */
  keep(fields) {
    Object.assign(this.kept, fields);
    localStorage.setItem(KEPT, JSON.stringify(this.kept));
  }

  /** @param {{ name: string }} entry */
  async show(entry) {
    const wanted = (this.wanted = Symbol());
    this.wait();
    const puzzle = await this.answered(get(`puzzles/${entry.name}`), () => this.wanted === wanted);
    if (!puzzle && this.puzzle) this.describe(); // the list shows the puzzle on the board again
    if (!puzzle) return;
    this.puzzle = puzzle;
    this.keep({ at: puzzle.name });
    this.erred = false;
    this.describe();
    await this.reset();
  }

  // Begin to wait for a position, and return a token for the request. Until the position arrives, the board
  // does not change and accepts no moves. Answers to earlier requests are discarded.
  wait() {
    clearTimeout(this.timer);
    this.panel.setBusy(true);
    return (this.asked = Symbol());
  }

  settle() {
    this.asked = null;
    this.panel.setBusy(false);
  }

  /**
   * Return the server's answer, or null if it comes too late. If the server refuses, show the reason and return null.
   * The position does not change in either case.
   * @template T
   * @param {Promise<T>} answer
   * @param {() => boolean} isWanted
   * @returns {Promise<T | null>}
   */
  async answered(answer, isWanted) {
    try {
      const found = await answer;
      return this.active && isWanted() ? found : null;
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      if (this.active && isWanted()) {
        this.settle();
        this.host.fail(error);
      }
      return null;
    }
  }

  // Start again at the first move of the puzzle.
  async reset() {
    this.at = 0; // index of the learner's current step
    this.played = [];
    this.say("");
    await this.turn();
  }

  // Show the position that was reached and let the learner move. If it could not be shown, a click requests it again.
  async turn() {
    this.state = "away";
    await this.place(this.played, "open", { turn: "person" });
    this.showButtons();
  }

  /**
   * Draw the position after some moves and set the state. Return whether the position was drawn.
   * @param {number[]} moves
   * @param {string} state
   * @param {{ line?: number[], turn?: "person" | "none" }} options
   */
  async place(moves, state, { line = [], turn = "none" } = {}) {
    const { puzzle } = this;
    const asked = this.wait();
    const found = await this.answered(positionOf(puzzle.link, puzzle.game, moves), () => this.asked === asked);
    if (!found) return false;
    this.settle();
    this.state = state;
    this.draw(found.game, found.position, found.last, turn);
    const { board } = this.host;
    board.layers.line.replaceChildren(...board.line(line, (puzzle.toMove + moves.length) % 2));
    this.panel.showCount(found);
    return true;
  }

  /** @returns {PuzzleStep} */
  get current() {
    return this.puzzle.steps[this.at];
  }

  /** @param {number} move */
  name(move) {
    return move === PASS ? t`a pass` : this.host.board.geometry.name(move);
  }

  player(offset = 0) {
    return this.puzzle.game.players[(this.puzzle.toMove + offset) % 2];
  }

  /**
   * Handle a click on a point, or a pass.
   * @param {number} move
   */
  async clicked(move) {
    if (this.asked) return;
    if (this.state === "wrong" || this.state === "away") return this.retry();
    if (this.state !== "open") return;
    const { best, wrong } = this.current;
    if (move === best) return this.right();
    if (!wrong[move]) return this.refused(move);
    this.rate(false);
    this.erred = true;
    const { lead, line } = wrong[move];
    if (!(await this.place([...this.played, move], "wrong", { line }))) return;
    const [first, ...more] = line.map((each) => this.name(each));
    const answer = more.length ? t`${this.player(1)} answers ${first}, followed by ${more.join(", ")}.` : first ? t`${this.player(1)} answers ${first}.` : "";
    this.say(`${capital(this.name(move))} ${this.only(lead)}. ${answer}`.trim(), "wrong");
    this.showButtons();
    this.panel.again.focus();
  }

  /**
   * Describe the result of a wrong move.
   * @param {number} lead
   */
  only(lead) {
    if (!this.puzzle.game.countsPoints) return t`loses: ${this.player(1)} wins`;
    return lead > 0 ? t`wins by only ${points(lead)}` : lead ? t`loses by ${points(-lead)}` : t`only draws`;
  }

  /**
   * Describe the result of the right moves.
   * @param {number} lead
   */
  result(lead) {
    if (!this.puzzle.game.countsPoints) return t`${this.player()} wins with best play`;
    if (!lead) return t`the game is drawn with best play`;
    const by = points(Math.abs(lead));
    return lead > 0 ? t`${this.player()} wins by ${by} with best play` : t`${this.player()} loses by only ${by} with best play`;
  }

  /**
   * Count the puzzle in the learner's rating, once and only in a mixed run.
   * @param {boolean} solved
   */
  rate(solved) {
    const { name } = this.puzzle;
    if (!this.mixed || this.erred || this.kept.solved[name] || this.kept.rating?.last === name) return;
    this.keep({ rating: rated(this.kept.rating, this.puzzle, solved) });
    this.panel.showProgress(this.total, this.kept);
  }

  /**
   * Show why the rules forbid a move.
   * @param {number} move
   */
  async refused(move) {
    try {
      await positionOf(this.puzzle.link, this.puzzle.game, [...this.played, move]);
    } catch (error) {
      if (!(error instanceof RequestRefused) || !error.status) return this.host.fail(error);
      this.host.say(`${this.host.board.geometry.name(move)}: ${sentence(error.message)}`, "message", true);
      this.host.board.refuse(move);
    }
  }

  // Return to the position before the wrong move.
  async retry() {
    this.say("");
    await this.turn();
  }

  async right() {
    const { best, lead, reply } = this.current;
    const played = [...this.played, best];
    if (reply === null) return this.solved(lead, played);
    if (!(await this.place(played, "answering"))) return;
    this.played = played;
    this.say(t`${capital(this.name(best))} is right. ${this.player(1)} answers ${this.name(reply)}: continue.`, "right");
    this.showButtons();
    this.timer = setTimeout(() => {
      this.played.push(reply);
      this.at += 1;
      this.turn();
    }, ANSWER_MS);
  }

  /** @param {number} lead @param {number[]} played */
  async solved(lead, played) {
    this.rate(true);
    const how = this.erred ? "later" : "first";
    const before = this.kept.solved[this.puzzle.name];
    if (!before || before === "later") this.note(before ?? how);
    if (!(await this.place(played, "solved"))) return;
    this.played = played;
    const solved = t`Solved: with ${this.name(played[played.length - 1])} ${this.result(lead)}.`;
    this.say(this.erred ? solved : `${solved} ${t`At the first attempt.`}`, "right");
    this.describe();
    this.showButtons();
    this.panel.next.focus();
  }

  /** @param {Solved} how */
  note(how) {
    this.keep({ solved: { ...this.kept.solved, [this.puzzle.name]: how } });
  }

  // Show all remaining winning moves with the opponent's answers, from the current step on.
  async solve() {
    const rest = this.puzzle.steps.slice(this.at);
    const line = rest.flatMap(({ best, reply }) => (reply === null ? [best] : [best, reply]));
    const done = this.played.slice(0, 2 * this.at);
    if (!(await this.place(done, "shown", { line }))) return;
    this.played = done;
    this.rate(false);
    this.erred = true;
    if (!this.kept.solved[this.puzzle.name]) this.note("shown");
    const { lead } = rest[rest.length - 1];
    this.say(`${t`Solution: ${line.map((move) => this.name(move)).join(", ")}.`} ${capital(this.result(lead))}.`);
    this.describe();
    this.showButtons();
  }

  /** @param {string} text @param {string} [kind] */
  say(text, kind = "") {
    this.panel.say(text, kind);
    this.host.say("");
  }

  // Show the puzzle's number, grade and goal, and the progress.
  describe() {
    this.panel.describe(this.puzzle, this.list, this.kept);
    this.panel.showProgress(this.total, this.kept);
  }

  showButtons() {
    this.panel.showButtons(this.state, this.at > 0, this.current);
  }
}
