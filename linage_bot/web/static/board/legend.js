// The legend that explains the colours and dots on the board. Games with stones of one colour have no legend.

import { byId, html } from "../dom.js";
import { served, t } from "../language.js";
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
 * Return the legend's entry for a kind of area. Both players are named even if only one of them has such an area, so
 * that the layout changes little during the game.
 * @param {Game} game
 * @param {string} kind
 * @param {string} mark
 * @param {Set<number | null>} owners
 */
function line({ players }, kind, mark, owners) {
  /** @type {[number | null, string][]} */
  const keys = [[0, players[0]], [1, players[1]]];
  if (owners.has(null)) keys.push([null, t`shared`]);
  return html(
    "span",
    {},
    html("span", { class: "kind" }, served(kind)),
    ...keys.flatMap(([owner, name]) => [html("span", { class: `${mark} ${owner === null ? "free" : SIDES[owner]}`, "aria-hidden": "true" }), html("span", {}, name)]),
  );
}
