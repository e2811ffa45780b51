// The tabs of the panel beside the board, or below it on a phone. The chosen tab is remembered in the browser.

import { byId } from "./dom.js";

const KEPT = "tab"; // key in the browser's storage

/** @type {TabName[]} */
const TABS = ["play", "analysis", "moves", "review"];

export class Tabs {
  constructor() {
    const kept = TABS.find((name) => name === localStorage.getItem(KEPT));
    this.show(kept ?? "play");
    for (const name of TABS) byId(`tab-${name}`).addEventListener("click", () => this.choose(name));
    byId("tabs").addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.fit()).observe(byId("stage"));
  }

  // Whether the board stays in sight while the page scrolls, as on a phone held upright.
  get sticks() {
    return getComputedStyle(byId("stage")).position === "sticky";
  }

  // Keep what gets the focus from being scrolled under the board.
  fit() {
    document.documentElement.style.scrollPaddingTop = this.sticks ? `${byId("stage").offsetHeight}px` : "";
  }

  /**
   * Show a tab that the user chose, and remember it. On a phone, bring its panel into sight below the board.
   * @param {TabName} name
   */
  choose(name) {
    localStorage.setItem(KEPT, name);
    this.show(name);
    if (this.sticks) scrollTo({ top: scrollY + byId("score").getBoundingClientRect().bottom });
  }

  /**
   * Show a tab, but do not remember it.
   * @param {TabName} name
   */
  show(name) {
    this.shown = name;
    document.body.dataset.tab = name;
    for (const each of TABS) {
      const tab = byId(`tab-${each}`);
      tab.ariaSelected = String(each === name);
      tab.tabIndex = each === name ? 0 : -1;
      byId(`panel-${each}`).hidden = each !== name;
    }
    this.fit();
  }

  /**
   * Choose the next or the previous tab by an arrow key, the first by Home and the last by End.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const last = TABS.length - 1;
    const at = TABS.indexOf(/** @type {TabName} */ (this.shown));
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at ? at - 1 : last, Home: 0, End: last }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.choose(TABS[next]);
    byId(`tab-${TABS[next]}`).focus();
  }
}
