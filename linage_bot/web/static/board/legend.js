// What the colours and dots on the board mean, where the names beside it do not say so.

import { byId, html } from "../dom.js";
import { SIDES } from "../table/side.js";

/** @param {TableView} table */
export function showLegend({ game, position }) {
  const place = byId("legend");
  place.hidden = game.oneColour;
  if (game.oneColour) return;
  const kinds = new Map();
  for (const { kind, owner, shown } of position.areas) {
    if (owner === null && shown !== "always") continue;
    if (!kinds.has(kind)) kinds.set(kind, { shown, owners: new Set() });
    kinds.get(kind).owners.add(owner);
  }
  place.replaceChildren(...[...kinds].map(([kind, { shown, owners }]) => line(game, kind, shown === "dots" ? "dot" : "swatch", owners)));
}

/**
 * Both players are named even where only one has such an area, so that little moves as they come.
 * @param {Game} game
 * @param {string} kind
 * @param {string} mark
 * @param {Set<number | null>} owners
 */
function line({ players }, kind, mark, owners) {
  /** @type {[number | null, string][]} */
  const keys = [[0, players[0]], [1, players[1]]];
  if (owners.has(null)) keys.push([null, "shared"]);
  return html(
    "span",
    {},
    html("span", { class: "kind" }, kind),
    ...keys.flatMap(([owner, name]) => [html("span", { class: `${mark} ${owner === null ? "free" : SIDES[owner]}`, "aria-hidden": "true" }), html("span", {}, name)]),
  );
}
