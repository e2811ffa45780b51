// Games that come from outside and go there: as records, links and pictures.

import { byId, copy } from "./dom.js";
import { Pictures } from "./pictures.js";

const LONGEST = 200_000; // bytes of a record: the server takes no larger bodies than 256 kB

function tooLong(name, bytes) {
  return bytes > LONGEST ? `${name} is too long: a record has at most ${LONGEST / 1000} kB.` : "";
}

// Byte order marks as Latin-1 has them, and what else says how a file is written; a `CA` that can be
// found like this is not in UTF-16.
const MARKS = { "ï»¿": "utf-8", "ÿþ": "utf-16le", "þÿ": "utf-16be" };
const CHARSET = /CA\s*\[\s*(?!utf-?16)([\w.:-]+)\s*\]/i;

// What a file says, as its mark or its `CA` has it; else in UTF-8, or Latin-1 if it is not.
async function wordsOf(file) {
  const bytes = await file.arrayBuffer();
  const read = (charset, fatal) => {
    try {
      return new TextDecoder(charset, { fatal }).decode(bytes);
    } catch {
      return null; // no charset that the browser knows, or not in UTF-8
    }
  };
  const plain = read("latin1", false);
  const mark = Object.keys(MARKS).find((each) => plain.startsWith(each));
  const charset = MARKS[mark] ?? CHARSET.exec(plain.slice(0, 4096))?.[1];
  return (charset && read(charset, false)) ?? read("utf-8", true) ?? plain;
}

// `open` is given what a new table is to be, and fails with the reason why it cannot.
export function startLoading(open) {
  const dialog = byId("load-dialog");
  const [text, file] = [byId("load-text"), byId("load-file")];
  const error = dialog.querySelector(".error");
  byId("load").addEventListener("click", () => {
    text.value = file.value = error.textContent = "";
    dialog.showModal();
  });
  file.addEventListener("change", async () => {
    const chosen = file.files[0];
    error.textContent = chosen ? tooLong(chosen.name, chosen.size) : "";
    text.value = chosen && !error.textContent ? await wordsOf(chosen) : "";
  });
  dialog.querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const words = text.value.trim();
    const chosen = words ? null : file.files[0];
    const reason = tooLong(chosen?.name ?? "The text", chosen?.size ?? new Blob([words]).size);
    if (!words || reason) {
      error.textContent = reason || "Choose a file, or paste an SGF or a link.";
      return;
    }
    error.textContent = "";
    try {
      await open(/\(\s*;/.test(words) ? { sgf: words } : { link: words });
      dialog.close();
    } catch (refused) {
      error.textContent = refused.message;
    }
  });
}

// `shown()` has the name and the table that are shared.
export function startSharing(shown) {
  const pictures = new Pictures();
  byId("share").addEventListener("click", () => {
    const { name, table } = shown();
    byId("share-text").value = `${location.origin}/#${table.link}`;
    byId("copy").textContent = "Copy";
    pictures.of(name, table);
    byId("share-dialog").showModal();
    byId("share-text").select();
  });
  byId("copy").addEventListener("click", () => copy(byId("share-text"), byId("copy")));
}
