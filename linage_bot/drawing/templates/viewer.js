// Games to step through: a board, buttons, a slider and the arrow keys. Reports and the pages of a
// CGOS server share this; without it they show a picture. Whatever a game says is put in as text.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const OWNED = 3; // as in drawing/steps.py
  const STEPS = [["First", () => 0], ["Back", (at) => at - 1], ["Next", (at) => at + 1], ["Last", () => Infinity]];

  function put(element, attributes, ...children) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }
  const make = (tag, attributes = {}, ...children) => put(document.createElement(tag), attributes, ...children);
  const draw = (tag, attributes) => put(document.createElementNS(SVG, tag), attributes);
  const button = (name, act) => {
    const made = make("button", { type: "button" }, name);
    made.addEventListener("click", act);
    return made;
  };

  class Board {
    constructor(key) {
      this.image = document.getElementById(`board-${key}`).content.firstElementChild.cloneNode(true);
      const { points, cell, radius } = this.image.dataset;
      const [cells, stones] = [".cells", ".stones"].map((layer) => this.image.querySelector(layer));
      this.points = new Map();
      for (const place of points.split(" ")) {
        const [point, x, y] = place.split(",");
        const own = { x, y, cell: draw("path", { d: cell, transform: `translate(${x} ${y})` }), stone: draw("circle", { cx: x, cy: y, r: radius }) };
        cells.append(own.cell);
        stones.append(own.stone);
        this.points.set(Number(point), own);
      }
      this.dot = draw("circle", { class: "dot", r: 4.5 });
      this.image.append(this.dot);
    }

    show(looks, last, words) {
      for (const [point, { cell, stone }] of this.points) {
        const look = looks.get(point) ?? 0;
        cell.dataset.owner = Math.floor(look / OWNED);
        stone.dataset.stone = look % OWNED;
      }
      const place = this.points.get(last);
      this.dot.dataset.stone = place ? looks.get(last) % OWNED : "none";
      if (place) put(this.dot, { cx: place.x, cy: place.y });
      this.image.setAttribute("aria-label", words);
    }
  }

  class Viewer {
    constructor(changed = () => {}) {
      this.changed = changed;
      this.place = make("div", { class: "place" });
      this.slider = make("input", { type: "range", min: 0, "aria-label": "Move" });
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      this.buttons = STEPS.map(([name, to]) => button(name, () => this.go(to(this.at))));
      this.words = make("p", { class: "words", "aria-live": "polite" });
      this.note = make("p", { class: "note" });
      const steps = make("div", { class: "steps", role: "group", "aria-label": "Steps" }, ...this.buttons);
      this.parts = [this.place, steps, this.slider, this.words, this.note];
    }

    get last() {
      return this.game.words.length - 1;
    }

    load(game, key, at) {
      this.game = game;
      this.slider.max = this.last;
      if (key !== this.laid) this.board = new Board((this.laid = key));
      this.place.replaceChildren(this.board.image);
      this.go(at);
    }

    go(to) {
      const at = (this.at = Math.max(0, Math.min(this.last, to)));
      const looks = new Map();
      for (const changed of this.game.changes.slice(0, at + 1)) {
        for (let i = 0; i < changed.length; i += 2) looks.set(changed[i], changed[i + 1]);
      }
      const words = this.game.words[at];
      this.board.show(looks, at ? this.game.moves[at - 1] : null, words);
      this.slider.value = at;
      this.slider.setAttribute("aria-valuetext", `${at} of ${this.last}`);
      this.words.textContent = words;
      this.note.textContent = this.game.notes[at] ?? "";
      // Not `disabled`, which would take the focus away from who has come to an end.
      this.buttons.forEach((each, i) => each.setAttribute("aria-disabled", i < 2 ? at === 0 : at === this.last));
      this.changed(at);
    }

    pressed(event) {
      const { key, target } = event;
      if (target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
      const inside = this.place.parentElement.contains(target);
      const step = ["Home", "ArrowLeft", "ArrowRight", "End"].indexOf(key);
      if (step < 0 || (!inside && !key.startsWith("Arrow"))) return;
      event.preventDefault();
      this.go(STEPS[step][1](this.at));
    }
  }

  const gameIn = (element) => JSON.parse(element.querySelector("script").textContent);

  // The one game of a page, in place of its picture. Links to its moves lead to them on the board.
  function inline(frame) {
    const { board, path } = frame.dataset;
    const links = "a[data-step], .graph .strips a[href^='#move-']";
    const stepOf = (link) => Number(link.dataset.step ?? link.getAttribute("href").slice("#move-".length));
    const mark = (at) => {
      for (const link of document.querySelectorAll(links)) {
        if (stepOf(link) === at) link.setAttribute("aria-current", "step");
        else link.removeAttribute("aria-current");
      }
      const here = document.querySelector("ol [aria-current]");
      const list = here?.closest("ol"); // which scrolls, where the page shall stay
      if (list) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
    };
    const viewer = new Viewer((at) => {
      mark(at);
      if (path) history.replaceState(null, "", at === viewer.last ? path : `${path}/${at}`);
    });
    const game = gameIn(frame);
    document.body.classList.add("viewing"); // for the style sheet: what the viewer says better
    frame.replaceChildren(...viewer.parts);
    viewer.load(game, board, Number(frame.dataset.at ?? Infinity));
    document.addEventListener("keydown", (event) => viewer.pressed(event));
    document.addEventListener("click", (event) => {
      const link = event.target.closest(links);
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      viewer.go(stepOf(link));
      frame.scrollIntoView({ block: "nearest" });
    });
    const refresh = Number(frame.dataset.refresh);
    if (refresh) follow(viewer, path, board, refresh, () => mark(viewer.at));
  }

  // Look now and then at how a live game goes on; who looks at the last move sees the next.
  async function follow(viewer, path, board, seconds, told) {
    for (let live = true; live; ) {
      await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
      if (document.hidden) continue;
      const text = await fetch(path).then((answer) => answer.text(), () => "");
      const page = new DOMParser().parseFromString(text, "text/html");
      const fresh = page.querySelector(".viewer");
      if (!fresh) continue;
      viewer.load(gameIn(fresh), board, viewer.at === viewer.last ? Infinity : viewer.at);
      document.querySelector(".about").replaceWith(page.querySelector(".about"));
      told();
      live = Boolean(fresh.dataset.refresh);
    }
  }

  // Many games of a page: each opens in the same dialog.
  function gallery(figures) {
    let shown = 0;
    const viewer = new Viewer();
    const title = make("h2", { id: "viewer-title" });
    const result = make("p", { class: "soft" });
    const record = make("a", {}, "SGF");
    const other = (name, by) => button(name, () => by(shown) in figures && show(by(shown)));
    const others = [other("Previous game", (n) => n - 1), other("Next game", (n) => n + 1)];
    const dialog = make(
      "dialog",
      { class: "viewer", "aria-labelledby": "viewer-title" },
      make("header", {}, title, button("Close", () => dialog.close())),
      ...viewer.parts,
      result,
      make("div", { class: "steps" }, ...others, record),
    );
    dialog.addEventListener("keydown", (event) => viewer.pressed(event));
    function show(number) {
      shown = number;
      const figure = figures[number];
      title.textContent = figure.dataset.title;
      result.textContent = figure.dataset.result;
      record.href = figure.querySelector("figcaption a").href;
      others.forEach((each, i) => each.setAttribute("aria-disabled", !((i ? number + 1 : number - 1) in figures)));
      viewer.load(gameIn(figure), figure.dataset.board, 0);
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
      figure.querySelector("svg").addEventListener("click", open);
    });
  }

  for (const frame of document.querySelectorAll(".viewer")) inline(frame);
  const figures = [...document.querySelectorAll("figure.game")];
  if (figures.length) gallery(figures);
})();
