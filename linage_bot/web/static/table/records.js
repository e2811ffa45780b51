// The dialogs that load and share games as records, links and pictures.

import { byId, copy, find } from "../dom.js";
import { messageOf } from "../errors.js";
import { t } from "../language.js";
import { Pictures } from "./pictures.js";

const LONGEST = 200_000; // bytes of a record; the server accepts request bodies of at most 288 kB

/** @param {string} name @param {number} bytes */
function tooLong(name, bytes) {
  return bytes > LONGEST ? t`${name} is too long: a record has at most ${LONGEST / 1000} kB.` : "";
}

/**
 * Return a file's bytes in base 64. The server detects the character encoding.
 * @param {File} file
 */
async function bytesOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * Set up the dialog that loads a game. `open(fields)` opens a new table. It may reject with a reason to show.
 * @param {(fields: NewTable) => Promise<void>} open
 */
export function startLoading(open) {
  const dialog = byId("load-dialog");
  const [text, file] = [byId("load-text"), byId("load-file")];
  const error = /** @type {HTMLElement} */ (find(dialog, ".error"));
  byId("load").addEventListener("click", () => {
    text.value = file.value = error.textContent = "";
    dialog.showModal();
  });
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    error.textContent = chosen ? tooLong(chosen.name, chosen.size) : "";
    text.value = ""; // only the last choice is loaded
  });
  text.addEventListener("input", () => (file.value = ""));
  find(dialog, "form")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const words = text.value.trim();
    const chosen = file.files?.[0];
    const reason = tooLong(chosen?.name ?? t`The text`, chosen?.size ?? new Blob([words]).size);
    if (!(words || chosen) || reason) {
      error.textContent = reason || t`Choose a file, or paste an SGF or a link.`;
      return;
    }
    error.textContent = "";
    try {
      if (chosen) await open({ file: await bytesOf(chosen) });
      else await open(/\(\s*;/.test(words) ? { sgf: words } : { link: words });
      dialog.close();
    } catch (refused) {
      error.textContent = messageOf(refused);
    }
  });
}

/**
 * Set up the dialog that shares a game. `shown()` returns the name and the table to share.
 * @param {() => { name: string, table: TableView | null }} shown
 */
export function startSharing(shown) {
  const pictures = new Pictures();
  byId("share").addEventListener("click", () => {
    const { name, table } = shown();
    if (!table) return;
    byId("share-text").value = `${location.origin}/#${table.link}`;
    byId("copy").textContent = t`Copy`;
    pictures.of(name, table);
    byId("share-dialog").showModal();
    byId("share-text").select();
  });
  byId("copy").addEventListener("click", () => copy(byId("share-text"), byId("copy")));
}
