// The rules in the help dialog: paragraphs and their pictures.

import { byId, html, marked } from "../dom.js";

/** @param {RulesAnswer} answer @param {string} name */
export function showRules({ rules, examples }, name) {
  const figures = (/** @type {number} */ number) =>
    examples
      .filter((each) => each.after === number)
      .map((each) =>
        html(
          "figure",
          {},
          html("img", { src: `/api/games/${name}/rules/${each.name}`, alt: each.alt }),
          html("figcaption", { class: "quiet" }, html("strong", {}, each.alt), html("br"), each.words),
        ),
      );
  const shown = rules.flatMap((text, number) => [html("p", {}, ...marked(text)), ...figures(number)]);
  byId("rules").replaceChildren(...shown);
}
