// The buttons and switches around the board: what each of them does, and which may be used.

import { PASS } from "../board/geometry.js";
import { byId, findAll } from "../dom.js";
import { t } from "../language.js";
import { mayAct } from "./side.js";
import { ROOT } from "./tree.js";

/** @param {Page} page */
export function startControls(page) {
  /** @type {(id: keyof PageElements, handler: () => unknown) => void} */
  const on = (id, handler) => byId(id)?.addEventListener("click", handler);
  /** @type {(id: keyof PageElements, handler: (table: TableView) => unknown) => void} */
  const atTable = (id, handler) => on(id, () => page.table && handler(page.table));
  on("new", () => page.newGame.open(page.table));
  on("puzzles", () => page.puzzles.open(page.table).catch((error) => page.fail(error)));
  atTable("edit", (table) => page.editor.open(table));
  on("end-review", () => page.openReview());
  for (const id of /** @type {const} */ (["learn", "end-learn"])) on(id, () => page.learn());
  on("undo", () => page.act("undo"));
  on("redo", () => page.act("redo"));
  on("pass", () => page.clicked(PASS));
  on("place", () => page.board.chosen !== null && page.board.on.play(page.board.chosen));
  on("resign", () => confirm(t`Resign this game?`) && page.act("resign"));
  on("first", () => page.look(ROOT));
  atTable("back", ({ viewed }) => page.look(page.tree.back(viewed)));
  atTable("forward", ({ viewed }) => page.look(page.tree.forward(viewed)));
  atTable("last", ({ node }) => page.look(node));
  atTable("before", ({ viewed }) => page.look(page.tree.beside(viewed, -1)));
  atTable("beside", ({ viewed }) => page.look(page.tree.beside(viewed, 1)));
  atTable("promote", ({ viewed }) => page.act("promote", { node: viewed }));
  atTable("delete", ({ viewed }) => page.delete(viewed));
  atTable("help", ({ game }) => page.help(game));
  atTable("help-lesson", ({ game }) => {
    byId("help-dialog").close();
    page.lessons.open(game.id);
  });
  for (const id of /** @type {const} */ (["analyse", "ownership"])) {
    byId(id).addEventListener("change", () => {
      if (id === "ownership" && byId(id).checked) byId("analyse").checked = true;
      page.act("analyse", { on: byId("analyse").checked, ownership: byId("ownership").checked });
    });
  }
  const legal = byId("legal");
  legal.checked = localStorage.getItem("legal") === "on";
  page.board.setShowLegal(legal.checked);
  legal.addEventListener("change", () => {
    localStorage.setItem("legal", legal.checked ? "on" : "off");
    page.board.setShowLegal(legal.checked);
  });
  for (const button of findAll(document, "[data-close]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close());
  }
}

/**
 * Enable the buttons that can be used at the shown position, and set the switches.
 * @param {TableView} table
 * @param {Tree} tree
 */
export function showControls(table, tree) {
  /** @type {(id: ButtonId, enabled: boolean) => void} */
  const set = (id, enabled) => (byId(id).disabled = !enabled);
  const begun = tree.back(table.viewed) !== null;
  set("first", begun);
  set("back", begun);
  set("forward", tree.forward(table.viewed) !== null);
  set("last", table.viewed !== table.node);
  set("before", tree.beside(table.viewed, -1) !== null);
  set("beside", tree.beside(table.viewed, 1) !== null);
  set("promote", !tree.main.has(table.viewed) && !table.closed);
  set("delete", begun && !table.pie);
  set("undo", table.canUndo);
  set("redo", table.canRedo);
  set("pass", (table.viewed !== table.node || mayAct(table)) && !table.pie && table.position.mayPass);
  byId("pass").title = table.position.mayPass || table.position.over ? t`Pass (P)` : table.position.noPass ?? "";
  set("resign", !table.over && !table.pie && table.players.includes(null));
  byId("analyse").checked = table.analysing;
  byId("ownership").checked = table.ownership;
}
