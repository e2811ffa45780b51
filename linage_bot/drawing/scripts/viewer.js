// Games to step through: a board, buttons, a slider and the arrow keys. Reports and the pages of a CGOS server share
// this; without it they show a picture. Whatever a game says is put in as text.

import { Drawing } from "./board/drawing.js";
import { around, find, findAll, html, svg } from "./board/elements.js";

const OWNED = 3; // as in drawing/steps.py
/** @type {[name: string, key: string, to: (at: number) => number][]} */
const STEPS = [
  ["First", "Home", () => 0],
  ["Back", "ArrowLeft", (at) => at - 1],
  ["Next", "ArrowRight", (at) => at + 1],
  ["Last", "End", () => Infinity],
];

/** @param {string} name @param {() => void} onclick */
const button = (name, onclick) => html("button", { type: "button", onclick }, name);

class Viewer {
  /** @type {number} */ at;
  /** @type {Drawing} */ board;
  /** @type {ViewedGame} */ game;

  /** @param {(at: number) => void} [changed] */
  constructor(changed = () => {}) {
    this.changed = changed;
    this.place = html("div", { class: "place" });
    this.slider = html("input", { type: "range", min: 0, "aria-label": "Move", oninput: ({ target }) => this.go(Number(target.value)) });
    this.buttons = STEPS.map(([name, , to]) => button(name, () => this.go(to(this.at))));
    this.words = html("p", { class: "words", "aria-live": "polite" });
    this.note = html("p", { class: "note" });
    const steps = html("div", { class: "steps", role: "group", "aria-label": "Steps" }, ...this.buttons);
    this.parts = [this.place, steps, this.slider, this.words, this.note];
  }

  get last() {
    return this.game.words.length - 1;
  }

  /** @param {ViewedGame} game @param {number} at */
  load(game, at) {
    this.game = game;
    this.slider.max = String(this.last);
    this.board = new Drawing(game.board, { role: "img" });
    const { hex, width, height } = this.board.geometry;
    const x = hex ? 14 : 0; // less room beside a hexagon than for the largest coordinates
    this.board.image.setAttribute("viewBox", `${x} 0 ${width - 2 * x} ${height}`);
    this.board.image.prepend(svg("rect", { class: "paper", x, width: width - 2 * x, height, rx: 8 }));
    this.board.drawLabels(12);
    this.place.replaceChildren(this.board.image);
    this.go(at);
  }

  /** @param {number} to */
  go(to) {
    const at = (this.at = Math.max(0, Math.min(this.last, to)));
    this.draw(at);
    const words = this.game.words[at];
    this.board.image.setAttribute("aria-label", words);
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", `${at} of ${this.last}`);
    this.words.textContent = words;
    this.note.textContent = this.game.notes[at] ?? "";
    // Not `disabled`, which would take the focus away from who has come to an end.
    this.buttons.forEach((each, i) => each.setAttribute("aria-disabled", String(at === (i < 2 ? 0 : this.last))));
    this.changed(at);
  }

  /** @param {number} at */
  draw(at) {
    const looks = new Map();
    for (const changed of this.game.changes.slice(0, at + 1)) {
      for (let i = 0; i < changed.length; i += 2) looks.set(changed[i], changed[i + 1]);
    }
    const areas = [0, 1].map((owner) => {
      const owned = [...looks].filter(([, look]) => Math.floor(look / OWNED) === owner + 1);
      return { owner, points: owned.map(([point]) => point) };
    });
    this.board.drawAreas(areas);
    const stones = new Map();
    for (const [point, look] of looks) if (look % OWNED) stones.set(point, (look % OWNED) - 1);
    this.board.drawStones(stones, this.game.moves[at - 1] ?? null);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { key, target } = event;
    if (!(target instanceof Element) || target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const inside = this.place.parentElement?.contains(target);
    const step = STEPS.find(([, each]) => each === key);
    if (!step || (!inside && !key.startsWith("Arrow"))) return;
    event.preventDefault();
    this.go(step[2](this.at));
  }
}

/** @param {HTMLElement} element @returns {ViewedGame} */
const gameIn = (element) => JSON.parse(find(element, "script")?.textContent ?? "");

/**
 * Put the one game of a page in place of its picture. Links to its moves lead to them on the board.
 * @param {HTMLElement} frame
 */
function inline(frame) {
  const { at: start = Infinity, path = "", refresh } = frame.dataset;
  const links = "a[data-step], .graph .strips a[href^='#move-']";
  const stepOf = (/** @type {Element} */ link) => Number(link.getAttribute("data-step") ?? link.getAttribute("href")?.slice("#move-".length));
  const mark = (/** @type {number} */ at) => {
    for (const link of findAll(document, links)) {
      if (stepOf(link) === at) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
    const here = find(document, "ol [aria-current]");
    const list = here?.closest("ol"); // which scrolls, where the page shall stay
    if (here && list) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  };
  const viewer = new Viewer((at) => {
    mark(at);
    if (path) history.replaceState(null, "", at === viewer.last ? path : `${path}/${at}`);
  });
  const game = gameIn(frame);
  document.body.classList.add("viewing"); // for the style sheet: which hides what the viewer shows better
  frame.replaceChildren(...viewer.parts);
  viewer.load(game, Number(start));
  document.addEventListener("keydown", (event) => viewer.pressed(event));
  document.addEventListener("click", (event) => {
    const link = around(event, links);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.go(stepOf(link));
    frame.scrollIntoView({ block: "nearest" });
  });
  if (refresh) follow(viewer, path, Number(refresh), () => mark(viewer.at));
}

/**
 * Wait, and fetch a page of the server; null if the browser shows another tab or cannot reach the server.
 * @param {string} path
 * @param {number} seconds
 */
async function later(path, seconds) {
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const text = document.hidden ? null : await fetch(path).then((answer) => answer.text(), () => null);
  return text === null ? null : new DOMParser().parseFromString(text, "text/html");
}

/**
 * Follow a live game by regular requests; a page at the last move is moved to each new one.
 * @param {Viewer} viewer
 * @param {string} path
 * @param {number} seconds
 * @param {() => void} onchange
 */
async function follow(viewer, path, seconds, onchange) {
  for (let live = true; live; ) {
    const page = await later(path, seconds);
    const [fresh, about] = [page && find(page, ".viewer"), page && find(page, ".about")];
    if (!fresh || !about) continue;
    viewer.load(gameIn(fresh), viewer.at === viewer.last ? Infinity : viewer.at);
    find(document, ".about")?.replaceWith(about);
    onchange();
    live = Boolean(fresh.dataset.refresh);
  }
}

/**
 * Renew the part of a page that changes while games are played, unless it has the focus.
 * @param {HTMLElement} part
 */
async function renew(part) {
  while (part.dataset.refresh) {
    const page = await later(location.pathname, Number(part.dataset.refresh));
    const fresh = page && find(page, ".live");
    if (!fresh || part.contains(document.activeElement)) continue;
    part.replaceWith(fresh);
    part = fresh;
  }
}

/**
 * Open each of a page's games in the same dialog.
 * @param {HTMLElement[]} figures
 */
function gallery(figures) {
  let shown = 0;
  const viewer = new Viewer();
  const title = html("h2", { id: "viewer-title" });
  const result = html("p", { class: "soft" });
  const record = html("a", {}, "SGF");
  const others = [-1, 1].map((by) => button(by < 0 ? "Previous game" : "Next game", () => shown + by in figures && show(shown + by)));
  const dialog = html(
    "dialog",
    { class: "viewer", "aria-labelledby": "viewer-title" },
    html("header", {}, title, button("Close", () => dialog.close())),
    ...viewer.parts,
    result,
    html("div", { class: "steps" }, ...others, record),
  );
  dialog.addEventListener("keydown", (event) => viewer.pressed(event));
  /** @param {number} number */
  function show(number) {
    shown = number;
    const figure = figures[number];
    title.textContent = figure.dataset.title ?? "";
    result.textContent = figure.dataset.result ?? "";
    record.href = find(figure, "figcaption a")?.getAttribute("href") ?? "";
    others.forEach((each, i) => each.setAttribute("aria-disabled", String(!(number + (i ? 1 : -1) in figures))));
    viewer.load(gameIn(figure), 0);
  }
  document.body.append(dialog);
  figures.forEach((figure, number) => {
    const open = () => {
      show(number);
      dialog.showModal();
      viewer.buttons[2].focus();
    };
    const opener = button("Step through", open);
    opener.setAttribute("aria-label", `Step through ${figure.dataset.title}`);
    figure.append(opener);
    figure.querySelector("svg")?.addEventListener("click", open);
  });
}

for (const frame of findAll(document, ".viewer")) inline(frame);
for (const part of findAll(document, ".live")) renew(part);
const figures = [...findAll(document, "figure.game")];
if (figures.length) gallery(figures);
