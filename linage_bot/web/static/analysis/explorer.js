// The list of a position's moves by their exact values, where these are proven. A click plays a move.

import { signed } from "../board/overlay.js";
import { byId, html } from "../dom.js";
import { t } from "../language.js";

/**
 * Show the values for the player to move. `play(move)` plays a clicked move.
 * @param {Analysis | null} analysis
 * @param {TableView} table
 * @param {Geometry} geometry
 * @param {(move: number) => void} play
 */
export function showValues(analysis, table, geometry, play) {
  const values = analysis?.values ?? [];
  byId("values").hidden = values.length === 0;
  const body = byId("values-rows");
  const key = JSON.stringify([values, table.viewed, table.game.id]);
  if (body.dataset.key === key) return; // avoid replacing a button under the pointer
  body.dataset.key = key;
  const name = (/** @type {number} */ move) => geometry.name(move);
  const best = values[0]?.most;
  body.replaceChildren(
    ...values.map(({ moves, most, exact }) =>
      html(
        "li",
        { class: most === best ? "best" : null },
        html("span", { class: "value" }, worth(most, exact, table.game.countsPoints)),
        html("span", { class: "same" }, ...moves.map((move) => html("button", { "data-play": move, "aria-label": t`Play ${name(move)}: ${worth(most, exact, table.game.countsPoints)}`, onclick: () => play(move) }, name(move)))),
      ),
    ),
  );
}

/** @param {number} most @param {boolean} exact @param {boolean} countsPoints */
function worth(most, exact, countsPoints) {
  if (countsPoints) return exact ? signed(most) : t`at most ${signed(most)}`;
  if (!exact) return most > 0 ? t`not known` : t`does not win`;
  return most > 0 ? t`wins` : most < 0 ? t`loses` : t`draws`;
}
