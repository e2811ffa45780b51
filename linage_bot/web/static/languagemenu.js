// The menus for the language of the page.

import { findAll, html } from "./dom.js";
import { LANGUAGES, language, speak } from "./language.js";

export function startLanguages() {
  for (const menu of findAll(document, "select.language")) {
    const options = [...LANGUAGES].map(([code, name]) => html("option", { value: code, selected: code === language }, name));
    menu.replaceChildren(...options);
    menu.addEventListener("change", () => {
      // The start screen stays: loaded again, the address would resume the last game.
      if (document.body.classList.contains("starting")) history.replaceState({ start: true }, "", "/");
      speak(/** @type {HTMLSelectElement} */ (menu).value);
    });
  }
}
