// The choice of colours: light, dark, or the system's setting.

import { byId } from "./dom.js";

const NAMES = ["auto", "light", "dark"];

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
