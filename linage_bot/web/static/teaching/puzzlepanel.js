// What stands beside the board while a puzzle is on it: lists to choose from, the task, buttons, progress.

import { PASS } from "../board/geometry.js";
import { html, keyButton } from "../dom.js";
import { capital } from "../errors.js";
import { t } from "../language.js";
import { points } from "../table/side.js";

const MIXED = "mixed"; // in the list of games: puzzles of all games near the learner's rating
const GRADES = [t`very easy`, t`easy`, t`medium`, t`hard`, t`very hard`];
const SIGNS = { first: "✓", later: "✓", shown: "·" };
const WORDS = { first: t`solved at the first try`, later: t`solved after a wrong move`, shown: t`solution seen` };

export class PuzzlePanel {
  /** @type {HTMLElement} */ grades;

  /** @param {PuzzleActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.title = html("p", { id: "puzzle-title" });
    this.goal = html("p", { id: "puzzle-goal", tabindex: -1 });
    this.counted = html("p", { id: "puzzle-count", class: "quiet" });
    this.said = html("p", { id: "puzzle-said", role: "status", "aria-live": "polite" });
    this.progress = html("p", { id: "puzzle-progress", class: "quiet" });
    this.number = html("select", { id: "puzzle-number", "aria-label": t`Puzzle`, onchange: (event) => actions.number(Number(event.target.value)) });
    this.again = keyButton("puzzle-again", "u", t`Try again`, () => actions.again());
    this.pass = keyButton("puzzle-pass", "p", t`Pass`, () => actions.pass());
    this.solution = keyButton("puzzle-solution", "s", t`Solution`, () => actions.solution());
    this.previous = keyButton("puzzle-previous", "[", t`Previous`, () => actions.step(-1));
    this.next = keyButton("puzzle-next", "]", t`Next`, () => actions.step(1));
    this.back = keyButton("puzzle-back", "escape", t`Back to the game`, () => actions.leave());
  }

  /**
   * Return all that the panel consists of, with the chosen game and grade in its lists.
   * @param {PuzzleGame[]} games
   * @param {{ gameId: string, grade: string, mixed: boolean }} chosen
   */
  parts(games, { gameId, grade, mixed }) {
    const { actions } = this;
    const game = html(
      "select",
      { id: "puzzle-game", "aria-label": t`Game`, onchange: ({ target }) => (target.value === MIXED ? actions.mix() : actions.game(target.value)) },
      html("option", { value: MIXED, selected: mixed }, t`Mixed run`),
      ...games.map((each) => html("option", { value: each.id, selected: !mixed && each.id === gameId }, each.name)),
    );
    this.grades = html(
      "select",
      { id: "puzzle-grades", "aria-label": t`Difficulty`, onchange: (event) => actions.grade(event.target.value) },
      html("option", { value: "" }, t`All`),
      ...GRADES.map((words, index) => html("option", { value: index + 1, selected: String(index + 1) === String(grade) }, capital(words))),
    );
    return [
      html("h2", {}, t`Puzzles`),
      html("div", { class: "row" }, game, this.grades, this.number),
      this.title,
      this.goal,
      this.counted,
      this.said,
      html("div", { class: "row", id: "puzzle-deeds" }, this.again, this.pass, this.solution),
      html("div", { class: "row" }, this.previous, this.next, this.back),
      this.progress,
    ];
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.said.ariaBusy = String(busy);
  }

  /** @param {string} text @param {string} [kind] */
  say(text, kind = "") {
    this.said.textContent = text;
    this.said.className = kind;
  }

  /**
   * Show the puzzle's number in the list, its grade and its goal.
   * @param {Puzzle} puzzle
   * @param {PuzzleEntry[]} list
   * @param {PuzzleMemory} kept
   */
  describe(puzzle, list, { solved, mixed = false }) {
    const at = list.findIndex((each) => each.name === puzzle.name);
    const mark = (/** @type {PuzzleEntry} */ each) => SIGNS[solved[each.name]] ?? "";
    this.number.replaceChildren(
      ...list.map((each, index) => html("option", { value: index, selected: index === at }, `${t`${index + 1} of ${list.length}`} ${mark(each)}`)),
    );
    const { grade, steps } = puzzle;
    const stars = html("span", { class: "stars", "aria-hidden": "true" }, "★".repeat(grade) + "☆".repeat(5 - grade));
    const how = WORDS[solved[puzzle.name]];
    this.title.replaceChildren(stars, ` ${capital(GRADES[grade - 1])}.`, how ? ` ${capital(how)}.` : "");
    const goal = t`${puzzle.game.players[puzzle.toMove]} to move. Find the only move that ${wanted(puzzle)}.`;
    this.goal.textContent = steps.length > 1 ? `${goal} ${t`${steps.length} moves in a row.`}` : goal;
    this.grades.hidden = this.number.hidden = this.previous.hidden = mixed;
  }

  /**
   * Show the learner's rating in a mixed run, or else how many puzzles of the game are solved.
   * @param {PuzzleEntry[]} total
   * @param {PuzzleMemory} kept
   */
  showProgress(total, { solved, rating, mixed }) {
    if (mixed) {
      const value = rating ? `${rating.value} (${rating.change < 0 ? "−" : "+"}${Math.abs(rating.change)})` : "";
      const known = rating?.count === 1 ? t`Your rating: ${value} after 1 puzzle.` : t`Your rating: ${value} after ${rating?.count} puzzles.`;
      this.progress.textContent = rating ? known : t`Your rating begins with this puzzle. Only the first try counts.`;
      return;
    }
    const done = total.filter((each) => ["first", "later"].includes(solved[each.name]));
    const first = done.filter((each) => solved[each.name] === "first").length;
    this.progress.textContent = t`Solved ${done.length} of ${total.length}, ${first} at the first try.`;
  }

  /**
   * Show the points that each player has in a position now.
   * @param {PositionAnswer} answer
   */
  showCount({ game, position }) {
    const { scores, tally } = position;
    this.counted.textContent = scores
      ? t`Counted now: ${game.players[0]} ${points(scores[0])}, ${game.players[1]} ${points(scores[1])}.`
      : tally?.words ?? "";
  }

  /**
   * Enable the buttons that can be used, and show which of them is expected next.
   * @param {string} state
   * @param {boolean} begun
   * @param {PuzzleStep} [step]
   */
  showButtons(state, begun, step) {
    const passes = step && (step.best === PASS || String(PASS) in step.wrong);
    const over = state === "solved" || state === "shown";
    this.again.disabled = state === "open" && !begun;
    this.pass.disabled = state !== "open" || !passes;
    this.solution.disabled = over;
    this.again.classList.toggle("primary", state === "wrong");
    this.next.classList.toggle("primary", over);
  }
}

/**
 * Describe what the right move reaches, and no other.
 * @param {Puzzle} puzzle
 */
function wanted({ game, steps }) {
  const { lead } = steps[0];
  if (!game.countsPoints) return t`wins`;
  if (!lead) return t`does not lose`;
  return lead > 0 ? t`wins by ${points(lead)} or more` : t`loses by no more than ${points(-lead)}`;
}
