// Keys that work wherever the focus is, but in fields.

import { byId, html } from "./dom.js";

const KEYS = [
  ["[", "back", "one move back"],
  ["]", "forward", "one move forward"],
  ["Home", "first", "first position"],
  ["End", "last", "last position"],
  ["U", "undo", "take back"],
  ["R", "redo", "make again"],
  ["P", "pass", "pass"],
  ["A", "analyse", "analysis on or off"],
  ["O", "ownership", "ownership on or off"],
  ["L", "legal", "show legal points"],
  ["N", "new", "new game"],
  ["S", "save", "save as SGF"],
  ["T", "theme", "light or dark"],
  ["?", "help", "rules and keys"],
];

export function startKeys() {
  const targets = new Map(KEYS.map(([key, id]) => [key.toLowerCase(), byId(id)]));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.matches("input:not([type=checkbox]), textarea, select") || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    const own = document.body.classList.contains("guest") && key !== "t" && key !== "?";
    const target = own ? document.querySelector(`#guest [data-key="${CSS.escape(key)}"]`) : targets.get(key);
    if (!target) return;
    event.preventDefault();
    if (!target.disabled) target.click();
  });
  const rows = [["Arrows", "", "move the cursor on the board"], ["Enter", "", "place a stone there"], ...KEYS];
  byId("keys").replaceChildren(...rows.flatMap(([key, , what]) => [html("dt", {}, html("kbd", {}, key)), html("dd", {}, what)]));
}
