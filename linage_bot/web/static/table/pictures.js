// The pictures that a user can save: a position as SVG, or as PNG converted in the browser, and a game as a GIF or a page.

import { getBlob } from "../api.js";
import { byId } from "../dom.js";
import { messageOf, sentence } from "../errors.js";
import { t } from "../language.js";

const SHARP = 2; // PNG pixels for each SVG pixel, in both directions

export class Pictures {
  /** @type {string} */ file;
  /** @type {string} */ game;
  /** @type {string} */ name;
  /** @type {string} */ url;
  /** @type {number} */ viewed;

  constructor() {
    /** @type {(id: "picture-png" | "animation", handler: () => Promise<void>) => void} */
    const on = (id, handler) => byId(id).addEventListener("click", () => this.make(byId(id), handler));
    on("picture-png", async () => this.keep(await png(this.url), `${this.file}.png`));
    on("animation", async () => this.keep(await getBlob(`games/${this.name}/animation/${this.viewed}`), `${this.game}.gif`));
  }

  /**
   * Set the game and the viewed node for the pictures.
   * @param {string} name
   * @param {TableView} table
   */
  of(name, { game, viewed, number }) {
    this.name = name;
    this.game = game.id;
    this.viewed = viewed;
    this.file = `${game.id}-${number}`;
    this.url = `/api/games/${name}/picture/${viewed}`;
    byId("picture-svg").href = this.url;
    byId("picture-svg").download = `${this.file}.svg`;
    byId("game-page").href = `/api/games/${name}/page/${viewed}`;
    byId("game-page").download = `${game.id}.html`;
    this.say("");
  }

  /** @param {HTMLButtonElement} button @param {() => Promise<void>} handler */
  async make(button, handler) {
    button.disabled = true;
    this.say(t`Drawing …`);
    try {
      await handler();
      this.say(t`Saved.`);
    } catch (error) {
      this.say(sentence(messageOf(error)), true);
    }
    button.disabled = false;
    button.focus();
  }

  /** @param {string} text @param {boolean} [wrong] */
  say(text, wrong = false) {
    byId("pictures-said").textContent = text;
    byId("pictures-said").classList.toggle("error", wrong);
  }

  /** @param {Blob} blob @param {string} name */
  keep(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the file is certainly written by then
  }
}

/** @param {string} url @returns {Promise<Blob>} */
async function png(url) {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => {
    throw new Error(t`the picture does not come`);
  });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth * SHARP, image.naturalHeight * SHARP];
  const context = canvas.getContext("2d");
  if (!context) throw new Error(t`the picture cannot be drawn`);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(t`the picture is too large`))), "image/png"));
}
