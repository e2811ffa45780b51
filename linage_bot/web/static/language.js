// The language of the page. English is written in the page, its scripts and the server's messages; each other language
// is a file in languages/ that maps these texts to its own. A text that a file lacks is shown in English.

import { capital } from "./errors.js";

const KEPT = "language"; // key in the browser's storage; without it the browser's languages decide
const ENGLISH = "en";
const PLACE = /\{(\d)\}/g; // a value in a text

/** @type {Map<string, string>} names by code */
export const LANGUAGES = new Map([[ENGLISH, "English"], ...offered()]);
export const language = chosen();

/** @type {Map<string, string>} the texts of the page */
let texts = new Map();
/** @type {Map<string, string>} the texts of the server */
let sent = new Map();
/** @type {{ pattern: RegExp, text: string }[]} those with values, the most specific first */
const patterns = [];

/** @returns {[string, string][]} */
function offered() {
  const list = document.querySelector("meta[name=languages]");
  return Object.entries(JSON.parse(list?.getAttribute("content") ?? "{}"));
}

function chosen() {
  const wanted = [localStorage.getItem(KEPT) ?? "", ...navigator.languages].map((each) => each.split("-")[0]);
  return wanted.find((each) => LANGUAGES.has(each)) ?? ENGLISH;
}

/**
 * Use a language from now on.
 * @param {string} code
 */
export function speak(code) {
  localStorage.setItem(KEPT, code);
  location.reload();
}

/**
 * Return a text of the page in the chosen language. Values stand in it as they are.
 * @param {TemplateStringsArray} parts
 * @param {...(string | number | null | undefined)} values
 */
export function t(parts, ...values) {
  const english = parts.reduce((text, part, at) => `${text}{${at - 1}}${part}`);
  return fill(texts.get(english) ?? english, values);
}

/** @param {string} text @param {(string | number | null | undefined)[]} values */
function fill(text, values) {
  return text.replace(PLACE, (_, at) => String(values[at] ?? ""));
}

/**
 * Return a text of the server in the chosen language, sentence by sentence.
 * @param {string} text
 */
export function served(text) {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z\d*])/);
  return sentences.map((each) => found(each) ?? asSentence(each) ?? afterPlace(each) ?? each).join(" ");
}

/** @param {string} text @returns {string | undefined} */
function found(text) {
  const exact = sent.get(text);
  if (exact !== undefined) return exact;
  for (const { pattern, text: other } of patterns) {
    const values = text.match(pattern)?.slice(1);
    if (values) return fill(other, values.map((value) => found(value) ?? value));
  }
}

/**
 * Return an error that begins with its place, such as "move 3: there is a stone on this point".
 * @param {string} text
 * @returns {string | undefined}
 */
function afterPlace(text) {
  const [place, ...rest] = text.split(": ");
  const reason = rest.length ? found(rest.join(": ")) ?? afterPlace(rest.join(": ")) : undefined;
  return reason && `${found(place) ?? place}: ${reason}`;
}

/**
 * Return a sentence that is made of the reason of a refusal.
 * @param {string} text
 */
function asSentence(text) {
  const reason = text.endsWith(".") ? found(text[0].toLowerCase() + text.slice(1, -1)) : undefined;
  return reason && `${capital(reason)}.`;
}

// The fields of the server's messages that hold texts for readers. What people write is in others.
const FIELDS = new Set([
  "aim", "alt", "closed", "costs", "help", "lost", "noPass", "players", "reason", "refused", "rules", "task", "title",
  "trouble", "verdicts", "warnings", "what", "words",
]);

/** Translates the texts in a message, as a function for `JSON.parse`; undefined in English. */
export const revive = language === ENGLISH ? undefined : translated;

/** @param {string} key @param {any} value */
function translated(key, value) {
  if (!FIELDS.has(key)) return value;
  const one = (/** @type {any} */ each) => (typeof each === "string" ? served(each) : each);
  return Array.isArray(value) ? value.map(one) : one(value);
}

/** @param {Record<string, Record<string, string>>} file */
function use({ page, server }) {
  [texts, sent] = [new Map(Object.entries(page)), new Map(Object.entries(server))];
  const templates = [...sent].filter(([english]) => english.match(PLACE));
  templates.sort(([one], [other]) => literal(other) - literal(one));
  for (const [english, text] of templates) {
    const escaped = english.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(PLACE, "(.+?)");
    patterns.push({ pattern: new RegExp(`^${escaped}$`, "s"), text });
  }
}

/** @param {string} template */
function literal(template) {
  return template.replace(PLACE, "").length;
}

// Translate the texts that are written in page.html.
function translatePage() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = texts.get(node.nodeValue?.trim() ?? "");
    if (text !== undefined) node.nodeValue = text;
  }
  for (const name of ["title", "aria-label", "placeholder", "data-offline"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const text = texts.get(element.getAttribute(name) ?? "");
      if (text !== undefined) element.setAttribute(name, text);
    }
  }
}

if (language !== ENGLISH) {
  const file = await fetch(`/static/languages/${language}.json`).then((response) => response.json()).catch(() => null);
  if (file) {
    use(file);
    document.documentElement.lang = language;
    translatePage();
  }
}
