// The keyboard shortcuts, which work everywhere except in form fields and dialogs.

import { byId, find, html } from "./dom.js";
import { t } from "./language.js";

const KEYS = [
  ["[", "back", t`one move back`],
  ["]", "forward", t`one move forward`],
  [",", "before", t`previous variation`],
  [".", "beside", t`next variation`],
  ["Home", "first", t`first position`, t`Home`],
  ["End", "last", t`last position`, t`End`],
  ["U", "undo", t`take back`],
  ["R", "redo", t`make again`],
  ["P", "pass", t`pass`],
  ["H", "hint", t`hint: the best move`],
  ["G", "move-now", t`the engine moves now`],
  ["A", "analyse", t`analysis on or off`],
  ["O", "ownership", t`ownership on or off`],
  ["L", "legal", t`show legal points`],
  ["V", "review", t`review the game`],
  ["M", "promote", t`make a variation the main line`],
  ["Delete", "delete", t`delete a move and what follows it`, t`Del`],
  ["C", "comment", t`comment on the position`],
  ["N", "new", t`new game`],
  ["S", "save", t`save as SGF`],
  ["T", "theme", t`light or dark`],
  ["?", "help", t`rules and keys`],
];

// The arrow keys while the focus is not on the board. On the board they move its cursor.
const ARROWS = [["ArrowLeft", "back"], ["ArrowRight", "forward"], ["ArrowUp", "before"], ["ArrowDown", "beside"]];

const STEPPING = ["back", "forward", "before", "beside"]; // repeated while their key is held down

// Keys whose effect is seen in a tab, which they show.
const SHOWN_IN = new Map(/** @type {[string, TabName][]} */ ([["analyse", "analysis"], ["ownership", "analysis"], ["review", "review"], ["comment", "moves"]]));

/** @param {(tab: TabName) => void} show */
export function startKeys(show) {
  const targets = new Map([...KEYS, ...ARROWS].map(([key, id]) => [key.toLowerCase(), find(document, `#${id}`)]));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const field = event.target instanceof Element && event.target.matches("input:not([type=checkbox]), textarea, select");
    if (field || document.querySelector("dialog[open]")) return;
    if (document.body.classList.contains("starting")) return; // the keys are those of a table
    const key = event.key.toLowerCase();
    const own = document.body.classList.contains("guest") && key !== "t" && key !== "?";
    const target = own ? find(document, `#guest [data-key="${CSS.escape(key)}"]`) : targets.get(key);
    const disabled = target?.matches(":disabled");
    if (!target || (disabled && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    if (event.repeat && !STEPPING.includes(target.id)) return;
    const tab = SHOWN_IN.get(target.id);
    if (tab && !disabled) show(tab);
    if (target.matches("textarea")) target.focus();
    else if (!disabled) target.click();
  });
  const rows = [
    [t`Arrows`, "", t`move the cursor on the board; elsewhere step through moves and variations`],
    [t`Enter`, "", t`place a stone there`],
    ...KEYS,
  ];
  byId("keys").replaceChildren(...rows.flatMap(([key, , what, name = key]) => [html("dt", {}, html("kbd", {}, name)), html("dd", {}, what)]));
}
