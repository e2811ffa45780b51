// Functions that create and find HTML and SVG elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, unknown>} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {HtmlAttributes<HTMLElementTagNameMap[T]>} [attributes]
 * @param {...Child} children
 */
export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Return the first element that a selector matches, or null.
 * @param {ParentNode} parent
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function find(parent, selector) {
  return parent.querySelector(selector);
}

/**
 * Return all elements that a selector matches.
 * @param {ParentNode} parent
 * @param {string} selector
 * @returns {NodeListOf<HTMLElement>}
 */
export function findAll(parent, selector) {
  return parent.querySelectorAll(selector);
}

/**
 * Return the nearest element at or around the target of an event that a selector matches, or null.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function around({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}
