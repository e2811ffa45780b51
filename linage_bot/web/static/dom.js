// Making elements: of HTML and of SVG.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

// Give an element these children. One that is there already stays, in case somebody is choosing from
// it; and one in the place of that which had the focus gets it.
export function refill(element, children) {
  const before = [...element.children];
  const focused = before.findIndex((each) => each.contains(document.activeElement));
  for (const [at, child] of children.entries()) {
    if (!before[at]) element.append(child);
    else if (!before[at].isEqualNode(child)) before[at].replaceWith(child);
  }
  for (const each of before.slice(children.length)) each.remove();
  if (focused >= 0 && !element.contains(document.activeElement)) (element.children[focused] ?? element.lastElementChild)?.focus({ preventScroll: true });
}

// Text in which a word between asterisks is explained.
export function marked(text) {
  return text.split("*").map((part, index) => (index % 2 ? html("dfn", {}, part) : part));
}

export function byId(id) {
  return document.getElementById(id);
}

// Copy what a field holds. A page that is not served over TLS has no clipboard, but on this machine.
export async function copy(input, button) {
  input.select();
  const written = navigator.clipboard?.writeText(input.value) ?? Promise.reject();
  const copied = await written.then(() => true, () => document.execCommand("copy"));
  if (copied) button.textContent = "Copied";
}
