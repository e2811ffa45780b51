// The choice of colours: light, dark, or the system's setting.

import { findAll } from "./dom.js";
import { t } from "./language.js";

// Each click changes the colours: after the system's own come the other ones.
const NAMES = matchMedia("(prefers-color-scheme: dark)").matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
const WORDS = new Map([["auto", t`automatic`], ["light", t`light`], ["dark", t`dark`]]);

export function startTheme() {
  const stored = localStorage.getItem("theme") ?? "";
  let name = NAMES.includes(stored) ? stored : "auto";
  const buttons = findAll(document, ".theme");
  const set = (/** @type {string} */ next) => {
    name = next;
    localStorage.setItem("theme", name);
    document.documentElement.dataset.theme = name;
    for (const button of buttons) {
      button.setAttribute("aria-label", t`Colours: ${WORDS.get(name)}`);
      button.title = t`Colours: ${WORDS.get(name)} (T)`;
    }
  };
  for (const button of buttons) button.addEventListener("click", () => set(NAMES[(NAMES.indexOf(name) + 1) % NAMES.length]));
  set(name);
}
