// Functions that create and find the elements of the page.

import { html } from "./board/elements.js";
import { t } from "./language.js";

export { around, find, findAll, html, svg } from "./board/elements.js";

/**
 * Replace the children of an element. A child that equals its replacement stays, because the user may be choosing
 * from it. If the child with the focus is replaced, its replacement gets the focus.
 * @param {HTMLElement} element
 * @param {HTMLElement[]} children
 */
export function refill(element, children) {
  const before = [...element.children];
  const rank = before.findIndex((each) => each.contains(document.activeElement));
  for (const [at, child] of children.entries()) {
    if (!before[at]) element.append(child);
    else if (!before[at].isEqualNode(child)) before[at].replaceWith(child);
  }
  for (const each of before.slice(children.length)) each.remove();
  if (rank < 0 || element.contains(document.activeElement)) return;
  const next = element.children[rank] ?? element.lastElementChild;
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/**
 * Return the parts of a text, in which words between asterisks become `dfn` elements.
 * @param {string} text
 */
export function marked(text) {
  return text.split("*").map((part, index) => (index % 2 ? html("dfn", {}, part) : part));
}

/**
 * Return a button that a key presses, too, which its tooltip tells.
 * @param {string} id
 * @param {string} key
 * @param {string} text
 * @param {() => unknown} handler
 */
export function keyButton(id, key, text, handler) {
  const title = `${text} (${key === "escape" ? t`Esc` : key.toUpperCase()})`;
  return html("button", { id, "data-key": key, title, onclick: handler }, text);
}

/**
 * Return the element of the page with an id. types.d.ts states its type.
 * @template {keyof PageElements} I
 * @param {I} id
 */
export function byId(id) {
  return /** @type {PageElements[I]} */ (document.getElementById(id));
}

/** Return the element that has the focus, or null. */
export function focused() {
  return document.activeElement instanceof HTMLElement ? document.activeElement : null;
}

/**
 * Copy the text of a field. Without TLS the clipboard API is available only on the server's own machine; elsewhere
 * `execCommand` copies.
 * @param {HTMLInputElement | HTMLTextAreaElement} input
 * @param {HTMLElement} button
 */
export async function copy(input, button) {
  input.select();
  const written = navigator.clipboard?.writeText(input.value) ?? Promise.reject();
  const copied = await written.then(() => true, () => document.execCommand("copy"));
  if (copied) button.textContent = t`Copied`;
}
