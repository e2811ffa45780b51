// The choice of colours: light, dark, or the system's setting.

import { byId } from "./dom.js";

// Each click changes the colours: after the system's own come the other ones.
const NAMES = matchMedia("(prefers-color-scheme: dark)").matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];

export function startTheme() {
  const stored = localStorage.getItem("theme") ?? "";
  let name = NAMES.includes(stored) ? stored : "auto";
  const button = byId("theme");
  const set = (/** @type {string} */ next) => {
    name = next;
    localStorage.setItem("theme", name);
    document.documentElement.dataset.theme = name;
    button.setAttribute("aria-label", `Colours: ${name}`);
    button.title = `Colours: ${name} (T)`;
  };
  button.addEventListener("click", () => set(NAMES[(NAMES.indexOf(name) + 1) % NAMES.length]));
  set(name);
}
