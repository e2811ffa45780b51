// The list of moves in two columns, First's and Second's, with variations across both, and the comment on the
// viewed position.

import { around, byId, find, findAll, focused, html } from "../dom.js";
import { t } from "../language.js";
import { SIDES, icon } from "./side.js";
import { ROOT } from "./tree.js";

const PAUSE_MS = 800; // pause in typing after which a comment is saved
const DEEPEST = 5; // levels of nesting beyond which variations are not indented further

export class Moves {
  /** @type {number} */ node;
  /** @type {Geometry} */ geometry;
  /** @type {Set<number>} */ played;
  /** @type {Tree} */ tree;

  /**
   * `on.look(node)` views a node, and `on.comment(node, text)` saves its comment.
   * @param {MoveListHandlers} on
   */
  constructor(on) {
    this.on = on;
    this.list = byId("moves");
    this.list.addEventListener("click", (event) => {
      const node = around(event, "[data-node]")?.dataset.node;
      if (node !== undefined) on.look(Number(node));
    });
    this.comment = new Comment(byId("comment"), on.comment);
  }

  /** @param {TableView} table @param {Tree} tree @param {Geometry} geometry */
  show(table, tree, geometry) {
    // Do not rebuild a long list if only the viewed node has changed.
    if (tree !== this.tree || table.node !== this.node || geometry !== this.geometry) {
      [this.tree, this.node, this.geometry] = [tree, table.node, geometry];
      this.played = new Set(tree.main);
      for (const node of tree.ahead(table.node)) this.played.delete(node);
      const chosen = this.list.contains(document.activeElement) ? focused()?.dataset.node : undefined;
      this.list.replaceChildren(...this.items(table));
      if (chosen) find(this.list, `[data-node="${chosen}"]`)?.focus({ preventScroll: true });
      byId("movers").replaceChildren(...[0, 1].map((player) => html("span", {}, icon(table, player), table.game.players[player])));
    }
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.list.querySelector(`[data-node="${table.viewed}"]`);
    current?.setAttribute("aria-current", "step");
    if (current) this.list.scrollTop += current.getBoundingClientRect().top - this.list.getBoundingClientRect().top - this.list.clientHeight / 2;
    this.comment.show(table.viewed, table.comment);
    this.comment.field.disabled = Boolean(table.closed);
  }

  /**
   * Mark the moves that lead to these nodes as mistakes.
   * @param {number[]} mistakes
   */
  mark(mistakes) {
    for (const each of this.list.querySelectorAll(".mistake")) each.classList.remove("mistake");
    for (const node of mistakes) this.list.querySelector(`[data-node="${node}"]`)?.classList.add("mistake");
  }

  // Discard the state of the current game, including a comment that is not yet saved.
  forget() {
    this.node = -1; // no node, so that the list is rebuilt
    this.comment.node = undefined;
    this.comment.text = this.comment.field.value;
  }

  /**
   * Return the items of the list: the main line, with the alternatives to each move after it.
   * @param {TableView} table
   */
  items(table) {
    const items = [];
    for (const node of this.tree.ahead(ROOT)) {
      const { move, player, closed } = this.tree.get(node);
      const column = move === null || closed ? "across" : SIDES[player];
      items.push(html("li", { class: column }, this.button(node, table, false)));
      const branches = this.branches(this.tree.others(node), table);
      if (branches.length) items.push(html("li", { class: "across branches" }, ...branches));
    }
    return items;
  }

  /**
   * Return a row for each variation, followed by indented rows for the variations within it.
   * @param {number[]} starts
   * @param {TableView} table
   */
  branches(starts, table) {
    const rows = [];
    /** @type {[number, number][]} */
    const waiting = [];
    for (const node of starts.toReversed()) waiting.push([node, 0]);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [start, depth] = next;
      const line = [start, ...this.tree.ahead(start)];
      rows.push(html("div", { class: `branch in-${Math.min(depth, DEEPEST)}` }, ...line.map((node) => this.button(node, table))));
      const others = line.slice(1).flatMap((node) => this.tree.others(node));
      for (const node of others.reverse()) waiting.push([node, depth + 1]);
    }
    return rows;
  }

  /** @param {number} node @param {TableView} table @param {boolean} [marked] */
  button(node, table, marked = true) {
    const { move, number, player, noted, closed } = this.tree.get(node);
    const main = this.tree.main.has(node);
    const name = closed ? t`not playable` : move === null ? t`note` : this.geometry.name(move);
    const what = closed ? t`${name}: a variation of the file` : move === null ? t`${name} after move ${number}` : `${number} ${name}, ${table.game.players[player]}`;
    const where = closed ? "" : !main ? t`, in a variation` : this.played.has(node) ? "" : t`, taken back`;
    return html(
      "button",
      {
        "data-node": node,
        "data-move": main && move !== null ? number : null,
        class: main && !this.played.has(node) ? "undone" : null,
        "aria-label": `${what}${where}${noted ? t`, commented` : ""}`,
      },
      move === null ? null : html("span", { class: "number" }, `${number}`),
      " ",
      marked && move !== null ? icon(table, player) : null,
      html("span", { class: noted ? "name noted" : "name" }, name),
    );
  }
}

// The field for a comment. Its text is saved on the server shortly after it is typed.
class Comment {
  /** @type {number | undefined} */ node;
  /** @type {number | undefined} */ pause;
  /** @type {string} */ text;

  /** @param {HTMLTextAreaElement} field @param {(node: number, text: string) => void} onchange */
  constructor(field, onchange) {
    this.field = field;
    this.onchange = onchange;
    field.addEventListener("input", () => {
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.keep(), PAUSE_MS);
    });
    field.addEventListener("change", () => this.keep());
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape" || (event.key === "Enter" && event.ctrlKey)) field.blur();
    });
  }

  /** @param {number} node @param {string} text */
  show(node, text) {
    if (node !== this.node) {
      this.keep();
      [this.node, this.text, this.field.value] = [node, text, text];
    } else if (text !== this.text) {
      if (!this.pause && this.field.value === this.text) this.field.value = text; // keep text that is being typed
      this.text = text;
    }
  }

  // Send the comment if it has changed. It counts as saved when the server sends it back: until then it may be lost.
  keep() {
    clearTimeout(this.pause);
    this.pause = undefined;
    if (this.node !== undefined && this.field.value !== this.text) this.onchange(this.node, this.field.value);
  }
}
