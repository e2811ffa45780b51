// The main script of the page, which shows one table of the server and draws its changes.

import { AnalysisPanel } from "./analysis/analysis.js";
import { showValues } from "./analysis/explorer.js";
import { Graph } from "./analysis/graph.js";
import { ReviewPanel } from "./analysis/review.js";
import { get, post } from "./api.js";
import { Board } from "./board/board.js";
import { PASS } from "./board/geometry.js";
import { showLegend } from "./board/legend.js";
import { Overlay } from "./board/overlay.js";
import { byId } from "./dom.js";
import { RequestRefused, messageOf, sentence } from "./errors.js";
import { startKeys } from "./keys.js";
import { kindOf } from "./kinds.js";
import { served, t } from "./language.js";
import { startLanguages } from "./languagemenu.js";
import { note } from "./start/memory.js";
import { StartScreen, firstGame } from "./start/start.js";
import { Appearance } from "./table/appearance.js";
import { showControls, startControls } from "./table/controls.js";
import { Editor } from "./table/editor.js";
import { Moves } from "./table/moves.js";
import { NewGame } from "./table/newgame.js";
import { Playing } from "./table/playing.js";
import { startLoading, startSharing } from "./table/records.js";
import { SeatsPanel } from "./table/seats.js";
import { mayPlace, showScore, showState } from "./table/side.js";
import { TurnSignal } from "./table/signal.js";
import { describeChanges } from "./table/speech.js";
import { Visit } from "./table/visit.js";
import { Tabs } from "./tabs.js";
import { Lessons } from "./teaching/lesson.js";
import { Mistakes } from "./teaching/mistakes.js";
import { Puzzles } from "./teaching/puzzles.js";
import { showRules } from "./teaching/rules.js";
import { startTheme } from "./theme.js";

export class Page {
  /** @type {Tree} */ tree;
  /** @type {boolean} */ hinted;
  /** @type {Review | null} */ review;

  /** @param {Kinds} kinds */
  constructor(kinds) {
    this.kinds = kinds;
    this.name = "";
    /** @type {TableView | null} */
    this.table = null;
    /** @type {Analysis | null} */
    this.analysis = null;
    /** @type {ValueGraph | null} */
    this.graph = null;
    /** @type {Guest | null} */
    this.guest = null; // the puzzles or the editor, while they use the board
    this.board = new Board(byId("board"), {
      play: (point) => this.clicked(point),
      point: (point) => this.pointed(point),
      say: (text, unseen) => this.say(text, unseen ? "spoken" : "message"),
      choose: (point) => this.offerPlacing(point),
    });
    this.overlay = new Overlay(this.board);
    this.tabs = new Tabs();
    this.panel = new AnalysisPanel({ line: (move) => this.overlay.setLine(move), play: (move) => this.clicked(move) });
    this.chart = new Graph(byId("graph"), (index) => this.table && this.look(this.table.line[index]));
    this.moves = new Moves({ look: (node) => this.look(node), comment: (node, text) => this.act("comment", { node, text }) });
    this.lessons = new Lessons(kinds, (id) => this.visit.open(firstGame(kinds, id)), (error) => this.fail(error));
    this.reviewPanel = new ReviewPanel({
      review: (on) => {
        if (!on) this.mistakes.wanted = false;
        this.act("review", { on });
      },
      look: (node) => this.look(node),
      line: (node, line, cross) => {
        this.overlay.fix(node, line, cross);
        if (this.table?.viewed !== node) this.look(node);
        else this.showReview(this.review);
      },
    });
    this.newGame = new NewGame(byId("new-dialog"), kinds, (fields) => this.visit.open(fields));
    this.seats = new SeatsPanel({
      pass: (name) => get(`games/${name}/pass`),
      encode: (name, link) => post(`games/${name}/code`, { link }),
      call: (name) => this.act("name", { name }),
    });
    this.signal = new TurnSignal();
    this.appearance = new Appearance(this);
    this.seats.onpass = () => this.table && this.seats.show(this.table, this.name);
    this.puzzles = new Puzzles(this);
    this.mistakes = new Mistakes(this);
    this.editor = new Editor(this, kinds);
    this.playing = new Playing(this);
    this.visit = new Visit(this);
    this.start = new StartScreen(this);
    startControls(this);
    startLoading((fields) => this.visit.open(fields));
    startSharing(() => ({ name: this.name, table: this.table }));
  }

  /** @param {unknown} error */
  fail(error) {
    const message = messageOf(error);
    this.say(sentence(message), "message", true);
    if (!this.table) byId(this.start.shown ? "start-said" : "status").textContent = message;
  }

  /**
   * Switch to another table, and clear everything that belongs to the previous one.
   * @param {string} name
   */
  change(name) {
    this.name = name;
    this.mistakes.wanted = false;
    this.table = this.analysis = this.graph = this.review = null;
    this.dismiss();
    this.board.choose(null);
    byId("deeds").replaceChildren();
    this.seats.leave();
    this.overlay.unfix();
    this.moves.forget();
    this.playing.forget();
  }

  /**
   * Send an action to the table. The server reports the changes as events. Show the reason if it refuses the action.
   * Return whether the action was done.
   * @template {keyof Actions} A
   * @param {A} action
   * @param {Actions[A]} [fields]
   * @param {number | null} [point]
   */
  async act(action, fields = /** @type {Actions[A]} */ ({}), point = null) {
    try {
      this.say("");
      await post(`games/${this.name}/${action}`, fields);
      return true;
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      const where = point === null ? "" : `${this.board.geometry.name(point)}: `;
      this.say(`${where}${sentence(error.message)}`, "message", true);
      if (point !== null && point !== PASS) this.board.refuse(point);
      // Reset the switch or list that was used: it still shows the refused value.
      if (point === null && this.table) this.showAsIs(this.table);
      return false;
    }
  }

  /** @param {number} point */
  async clicked(point) {
    if (this.guest) return this.guest.clicked(point);
    const { table } = this;
    if (!table) return;
    const node = table.viewed;
    if (point === PASS && !(await this.playing.mayPass(node, table))) return;
    if (await this.act("play", { move: point, node }, point)) this.playing.played(node, point, table);
  }

  /** @param {number | null} node */
  look(node) {
    if (node !== null) this.act("look", { node });
  }

  /**
   * Delete a move and all moves after it. Ask for confirmation if there are any.
   * @param {number} viewed
   */
  delete(viewed) {
    const behind = this.tree.count(viewed) - 1;
    const question = behind === 1 ? t`Delete this move and the one behind it?` : t`Delete this move and the ${behind} behind it?`;
    if (behind === 0 || confirm(question)) this.act("delete", { node: viewed });
  }

  /**
   * Show the engine's line of play for the point under the pointer, and the reason if a click would be refused.
   * @param {number | null} point
   */
  pointed(point) {
    if (!this.table) return;
    const known = this.overlay.candidates.some((each) => each.move === point && each.visits);
    this.overlay.setLine(known && this.table.analysing ? point : null);
    const reason = point === null ? "" : this.board.refusals.get(point)?.reason;
    if (point !== null && reason && mayPlace(this.guest?.table ?? this.table)) {
      this.say(`${this.board.geometry.name(point)}: ${reason}.`);
    } else if (this.hinted) {
      this.say("");
    }
    this.hinted = Boolean(reason);
  }

  /**
   * Show a button beside the message that places a stone on the chosen point, or hide it if there is none. It is an
   * alternative to a second tap where points are small for a finger.
   * @param {number | null} point
   */
  offerPlacing(point) {
    const button = byId("place");
    button.hidden = point === null;
    button.textContent = point === null ? "" : t`Place ${this.board.geometry.name(point)}`;
  }

  /** @param {string} text @param {"message" | "spoken"} [where] @param {boolean} [refused] */
  say(text, where = "message", refused = false) {
    const line = byId(where);
    line.textContent = text;
    if (where === "message") {
      line.classList.toggle("refused", refused);
      this.hinted = false;
    }
  }

  /** @param {TableView} table @param {Tree} tree */
  show(table, tree) {
    // Do not draw the same revision again: that could discard text that the user is typing.
    const before = this.table;
    if (table.revision === before?.revision) return;
    [this.table, this.tree] = [table, tree];
    if (this.analysis?.node !== table.viewed) this.analysis = null;
    if (!table.analysing) this.analysis = this.graph = null;
    if (this.guest) return this.guest.shown(table);
    this.appearance.prepare(table, tree);
    this.board.show(table);
    note(this.name, table);
    if (!before && table.seats) this.tabs.show("play"); // the links to the table are there
    this.titles(table);
    this.showScore(table);
    showLegend(table);
    showState(table, this.board.geometry, (action, fields) => this.act(action, fields));
    this.moves.show(table, tree, this.board.geometry);
    // A refusal was about an earlier position or turn.
    if (before && (before.node !== table.node || before.turn !== table.turn) && byId("message").matches(".refused")) this.say("");
    const words = describeChanges(before, table, { tree, geometry: this.board.geometry, status: byId("status").textContent });
    if (words) this.say(words, "spoken");
    showControls(table, this.tree);
    this.lessons.offer(table.game);
    this.showAnalysis(this.analysis);
    this.showGraph(this.graph);
    this.showReview(this.review);
    this.seats.show(table, this.name);
    this.playing.show(table, before);
    const { viewed: node, analysing, ownership } = table;
    const view = { ...(node === table.node ? {} : { node }), analyse: Number(analysing), ownership: Number(ownership) };
    sessionStorage.setItem(this.name, JSON.stringify(view));
  }

  /**
   * Give the board to a guest. Until the board is taken back, only the seats of the table are shown.
   * @param {Guest} guest
   */
  lend(guest) {
    this.guest = guest;
    this.say("");
    this.overlay.show(null);
    this.board.lent = true;
    this.appearance.leave();
    this.playing.unmark();
    document.body.classList.add("guest");
  }

  // Draw the table again, in another way than before.
  redraw() {
    const { table, tree } = this;
    if (!table || this.guest) return;
    this.table = null;
    this.show(table, tree);
  }

  takeBack() {
    this.dismiss();
    if (this.table) this.redraw();
    else this.start.show();
    byId("board").focus({ preventScroll: true });
  }

  dismiss() {
    this.guest = null;
    this.board.lent = false;
    this.say("");
    document.body.classList.remove("guest");
    byId("guest").replaceChildren();
  }

  /** @param {TableView} table */
  titles(table) {
    const { game, number } = table;
    const defaults = kindOf(this.kinds.games, game.id).options;
    const special = Object.entries(game.options)
      .filter(([name, value]) => value !== defaults[name])
      .map(([name, value]) => `${served(name.replaceAll("_", " "))} ${served(value)}`);
    byId("title").textContent = game.name;
    const size = game.hex ? t`side ${game.size}` : game.columns === game.rows ? `${game.size} × ${game.size}` : game.size.replace("x", " × ");
    byId("subtitle").textContent = [size, ...special].join(" · ");
    document.title = `${this.signal.show(this.name, table)}${t`${game.name}, move ${number}`} · linage-bot`;
    byId("save").href = `/api/games/${this.name}/sgf`;
  }

  /** @param {TableView} table */
  showAsIs(table) {
    this.showScore(table);
    showControls(table, this.tree);
    this.seats.show(table, this.name);
  }

  /** @param {TableView} table */
  showScore(table) {
    showScore(table, this.kinds.levels, (player, level) => this.act("sit", { player, seat: level === "" ? null : Number(level) }));
    this.playing.clocks.draw();
  }

  /** @param {Analysis | null} analysis */
  showAnalysis(analysis) {
    const { table } = this;
    if (!table || (analysis && analysis.node !== table.viewed)) return;
    this.analysis = table.analysing ? analysis : null;
    this.overlay.show(this.analysis);
    this.panel.show(this.analysis, table, this.board.geometry);
    showValues(this.analysis, table, this.board.geometry, (move) => this.clicked(move));
  }

  /** @param {ValueGraph | null} graph */
  showGraph(graph) {
    this.graph = graph;
    if (this.table?.analysing) this.chart.show(graph, this.table);
  }

  // Show the review of the whole game, and return whether there is one; if not, begin it.
  openReview() {
    this.tabs.choose("review");
    const { review, table } = this;
    const known = review !== null && (!("line" in review) || review.line.at(-1) === table?.node);
    if (!known) byId("review").click();
    return known;
  }

  // Start the puzzles that are made of the mistakes, as soon as the game is reviewed.
  learn() {
    this.mistakes.wanted = true;
    if (this.openReview()) this.showReview(this.review);
  }

  /** @param {Review | null} review */
  showReview(review) {
    const found = review && "line" in review ? review : null;
    if (!found) this.overlay.unfix();
    this.review = review;
    if (!this.table) return;
    this.reviewPanel.show(review, this.table, this.tree, this.board.geometry);
    if (found && this.mistakes.wanted && !this.guest) this.mistakes.open(found, this.table);
    this.moves.mark(found ? found.mistakes.map(({ number }) => found.line[number]) : []);
  }

  /**
   * Show how to play the game with its current options, as described by the server.
   * @param {Game} game
   */
  async help(game) {
    const rules = await get(`games/${this.name}/rules`).catch((error) => ({ rules: [sentence(error.message)], examples: [] }));
    byId("help-lesson").hidden = !this.lessons.teach(game.id);
    byId("help-title").textContent = t`How to play ${game.name}`;
    byId("help-options").textContent = byId("subtitle").textContent;
    showRules(rules, this.name);
    if (!byId("help-dialog").open) byId("help-dialog").showModal();
  }
}

startTheme();
startLanguages();
try {
  const kinds = await get("kinds");
  // A visitor who was admitted to a single table cannot open others.
  if (kinds.guest) for (const id of /** @type {const} */ (["new", "load", "puzzles", "edit"])) byId(id).hidden = byId(id).disabled = true;
  const page = new Page(kinds);
  startKeys((tab) => page.tabs.show(tab));
  await page.visit.arrive();
  document.body.classList.add("ready");
} catch (error) {
  byId("status").textContent = messageOf(error);
}
