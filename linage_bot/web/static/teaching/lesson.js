// The first lesson of a game. It has a board of its own, so that the current game does not change. The server states
// for every move whether it is right and which words to show.

import { get } from "../api.js";
import { Board } from "../board/board.js";
import { PASS } from "../board/geometry.js";
import { byId, html, marked } from "../dom.js";
import { t } from "../language.js";

const ANSWERED = "lesson-offer"; // key in the browser's storage, set when a lesson was opened or declined

export class Lessons {
  /** @type {Board} */ board;
  /** @type {boolean} */ done;
  /** @type {Lesson} */ lesson;

  /**
   * `play(game)` opens a first game after a lesson, and `failed(error)` is called if a lesson cannot be loaded.
   * @param {Kinds} kinds
   * @param {(game: string) => Promise<void>} play
   * @param {(error: unknown) => void} failed
   */
  constructor({ games, guest }, play, failed) {
    this.kinds = games.filter((each) => each.lesson);
    this.guest = guest;
    this.begin = play;
    this.failed = failed;
    this.dialog = byId("lesson-dialog");
    this.at = 0;
    this.solved = new Set();
    // Remove the lesson when the dialog closes, so that the page has only one board again.
    this.dialog.addEventListener("close", () => this.dialog.replaceChildren());
  }

  /** @param {string} id */
  teach(id) {
    return this.kinds.some((each) => each.id === id);
  }

  /**
   * Offer the lesson of a game beside the board, until the user has opened or declined a lesson.
   * @param {Game} game
   */
  offer({ id, name }) {
    const place = byId("lesson-offer");
    place.hidden = localStorage.getItem(ANSWERED) !== null || !this.teach(id);
    if (place.hidden || place.dataset.game === id) return;
    place.dataset.game = id;
    place.replaceChildren(
      html("p", {}, t`New to ${name}?`),
      html("button", { onclick: () => this.open(id), title: t`Learn it on the board, in five steps` }, t`Lesson`),
      html("button", { class: "icon", "aria-label": t`No lesson, thanks`, title: t`No, thanks`, onclick: () => this.answered() }, "✕"),
    );
  }

  answered() {
    localStorage.setItem(ANSWERED, "answered");
    byId("lesson-offer").hidden = true;
  }

  /** @param {string} id */
  async open(id) {
    if (!(await this.load(id))) return;
    this.answered();
    this.build(id);
    this.dialog.showModal();
    this.step(0);
  }

  /** @param {string} id */
  build(id) {
    const choice = html(
      "select",
      { id: "lesson-game", "aria-label": t`Game`, onchange: async (event) => {
        if (await this.load(event.target.value)) this.step(0);
      } },
      ...this.kinds.map((kind) => html("option", { value: kind.id }, kind.name)),
    );
    /** @type {(id: string, text: string, onclick: () => void) => HTMLButtonElement} */
    const button = (id, text, onclick) => html("button", { id, type: "button", onclick }, text);
    this.dialog.replaceChildren(
      html("div", { class: "row", id: "lesson-head" },
        html("h2", { id: "lesson-title" }, t`Lesson`),
        choice,
        html("ol", { id: "lesson-steps", "aria-label": t`Steps` }),
        html("button", { id: "lesson-leave", type: "button", class: "icon", "aria-label": t`Leave the lesson`, title: t`Leave the lesson (Esc)`, onclick: () => this.dialog.close() }, "✕"),
      ),
      html("div", { id: "lesson" },
        html("div", { id: "lesson-text" }, html("h3", { id: "lesson-topic", tabindex: -1, "aria-describedby": "lesson-words lesson-task" }), html("p", { id: "lesson-words" }), html("p", { id: "lesson-task" })),
        html("div", { id: "lesson-place" }, html("div", { id: "lesson-board", role: "application", tabindex: 0, "aria-label": t`Board: arrow keys move the cursor, Enter places a stone`, "aria-describedby": "lesson-task" })),
        html("p", { id: "lesson-message", role: "status", "aria-live": "polite" }),
        html("p", { id: "lesson-spoken", class: "unseen", "aria-live": "polite" }),
        html("div", { id: "lesson-deeds", class: "row" },
          button("lesson-back", t`Back`, () => this.step(this.at - 1)),
          button("lesson-pass", t`Pass`, () => this.play(PASS)),
          button("lesson-show", t`Show me`, () => this.show()),
          button("lesson-next", t`Next`, () => this.next()),
          button("lesson-play", t`Play your first game`, () => this.playFirst()),
        ),
      ),
    );
    choice.value = id;
    this.board = new Board(byId("lesson-board"), {
      play: (point) => this.play(point),
      point: () => {},
      say: (text, unseen) => (unseen ? (byId("lesson-spoken").textContent = text) : this.say(text)),
    });
  }

  /** @param {string} id */
  async load(id) {
    try {
      this.lesson = await get(`lessons/${id}`);
    } catch (error) {
      this.dialog.close();
      this.failed(error);
      return false;
    }
    this.solved.clear();
    return true;
  }

  /** @returns {LessonStep[]} */
  get steps() {
    return this.lesson.steps;
  }

  /**
   * Start or restart a step.
   * @param {number} at
   */
  step(at) {
    this.at = at;
    const step = this.steps[at];
    byId("lesson-topic").textContent = `${at + 1}. ${step.title}`;
    byId("lesson-words").replaceChildren(...marked(step.words));
    byId("lesson-task").textContent = step.task;
    this.say("");
    this.done = false;
    this.board.setShowLegal(false);
    this.board.show(table(step, step.board, true));
    this.controls();
    byId("lesson-topic").focus({ preventScroll: true });
    this.dialog.scrollTop = 0;
  }

  controls() {
    const last = this.at === this.steps.length - 1;
    byId("lesson-back").disabled = this.at === 0;
    byId("lesson-pass").hidden = !this.steps[this.at].position.mayPass || (last && this.done);
    byId("lesson-pass").disabled = byId("lesson-show").disabled = this.done;
    byId("lesson-next").textContent = last ? t`Close` : t`Next`;
    byId("lesson-next").classList.toggle("primary", this.done && (!last || this.guest));
    byId("lesson-play").hidden = !(last && this.done) || this.guest;
    byId("lesson-play").classList.add("primary");
    byId("lesson-show").hidden = byId("lesson-back").hidden = !byId("lesson-play").hidden;
    byId("lesson-steps").replaceChildren(...this.steps.map((step, index) => {
      const done = this.solved.has(index);
      return html("li", {}, html("button", {
        type: "button",
        class: done ? "done" : null,
        "aria-current": index === this.at ? "step" : null,
        "aria-label": done ? t`Step ${index + 1}: ${step.title}, done` : t`Step ${index + 1}: ${step.title}`,
        onclick: () => this.step(index),
      }, `${index + 1}`));
    }));
  }

  next() {
    if (this.at === this.steps.length - 1) this.dialog.close();
    else this.step(this.at + 1);
  }

  /**
   * Show the response of the rules and the lesson to a move.
   * @param {number} move
   */
  play(move) {
    if (this.done) return this.say(t`This step is done. Go on with Next, or begin it again by its number.`);
    const step = this.steps[this.at];
    const answer = step.answers.find((each) => each.moves.includes(move));
    if (!answer) return; // does not occur: the server sends an answer to every move
    const where = move === PASS ? "" : `${this.board.geometry.name(move)}: `;
    this.say(`${where}${answer.words}`, answer.right ? "right" : "wrong");
    if (!answer.right) {
      if (move !== PASS) this.board.refuse(move);
      return;
    }
    this.done = true;
    this.solved.add(this.at);
    this.board.setShowLegal(false);
    const { position, last } = answer;
    if (position) this.board.show(table({ position, last }, step.board, false));
    else this.board.refuse(move);
    this.controls();
    byId(byId("lesson-play").hidden ? "lesson-next" : "lesson-play").focus();
  }

  // Leave the lesson for a first game of the game that it teaches.
  async playFirst() {
    const { game } = this.lesson;
    this.dialog.close();
    await this.begin(game).catch(this.failed);
  }

  // Show the right points to a learner who does not find them.
  show() {
    const right = this.steps[this.at].answers.filter((each) => each.right).flatMap((each) => each.moves);
    const points = right.filter((move) => move !== PASS);
    this.board.setShowLegal(true, points);
    const names = points.map((point) => this.board.geometry.name(point)).reduce((list, name) => (list ? t`${list} or ${name}` : name), "");
    this.say(points.length ? t`Try ${names}.` : t`Press Pass.`);
  }

  /** @param {string} text @param {string} [kind] */
  say(text, kind = "") {
    const line = byId("lesson-message");
    line.textContent = text;
    line.className = kind;
  }
}

/**
 * Return a position of a lesson in the form that the board draws.
 * @param {{ position: Position, last: number | null }} shown
 * @param {Game} game
 * @param {boolean} open
 * @returns {BoardTable}
 */
function table({ position, last }, game, open) {
  return { game, position, last, node: 0, viewed: 0, turn: open ? "person" : null, paused: false, pie: null, over: position.over };
}
