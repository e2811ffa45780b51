// The games that this browser has played on this server, with a small picture of each. The list is in the browser's
// storage alone; the games are on the server.

import { getBlob, post } from "../api.js";
import { byId, html } from "../dom.js";
import { RequestRefused, messageOf, sentence } from "../errors.js";
import { kindOf } from "../kinds.js";
import { t } from "../language.js";
import { forget, keep, kept } from "./memory.js";
import { picture } from "./start.js";

export class GameList {
  /** @param {GameKind[]} kinds @param {(name: string) => Promise<void>} open shows a game */
  constructor(kinds, open) {
    this.kinds = kinds;
    this.open = open;
    byId("games-export").addEventListener("click", () => this.export());
  }

  show() {
    const games = kept();
    byId("games").hidden = games.length === 0;
    byId("games-list").replaceChildren(...games.map((each) => this.row(each)));
    byId("games-said").textContent = "";
  }

  /** @param {GameMemory} entry */
  row(entry) {
    const { name, title, game, position } = entry;
    const words = title || described(entry);
    return html(
      "li",
      {},
      html("a", { href: `/g/${name}`, onclick: (event) => this.follow(event, name) },
        picture(game, position, ""),
        html("strong", {}, words),
        html("small", {}, title ? described(entry) : "", title ? html("br") : "", state(entry, this.kinds)),
      ),
      html("button", { class: "icon", title: t`Rename`, "aria-label": t`Rename: ${words}`, onclick: () => this.rename(entry) }, "✎"),
      html("button", { class: "icon", title: t`Delete`, "aria-label": t`Delete: ${words}`, onclick: () => this.remove(entry) }, "✕"),
    );
  }

  /** @param {MouseEvent} event @param {string} name */
  follow(event, name) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // opens another window
    event.preventDefault();
    this.open(name).catch((error) => (byId("games-said").textContent = sentence(messageOf(error))));
  }

  /** @param {GameMemory} entry */
  rename(entry) {
    const title = prompt(t`Name of this game`, entry.title);
    if (title === null) return;
    keep(kept().map((each) => (each.name === entry.name ? { ...each, title: title.trim().slice(0, 80) } : each)));
    this.show();
  }

  /**
   * Delete a game here and on the server. A game with a friend stays there for the other player.
   * @param {GameMemory} entry
   */
  async remove(entry) {
    const { name, title, shared } = entry;
    const words = title || described(entry);
    if (!confirm(shared ? t`Delete "${words}" from this list?` : t`Delete "${words}"?`)) return;
    try {
      if (!shared) await post(`games/${name}/discard`, {});
    } catch (error) {
      const gone = error instanceof RequestRefused && error.status === 404;
      if (!gone) return void (byId("games-said").textContent = sentence(messageOf(error)));
    }
    forget(name);
    this.show();
  }

  // Save all games as one file of SGF, in which each is a game of the collection.
  async export() {
    const games = kept();
    const texts = [];
    for (const { name } of games) {
      const file = await getBlob(`games/${name}/sgf`).catch(() => null); // one after the other: the server loads each
      if (file) texts.push(await file.text());
    }
    const missing = games.length - texts.length;
    byId("games-said").textContent = missing ? t`${missing} of ${games.length} games could not be read from the server.` : "";
    if (!texts.length) return;
    const url = URL.createObjectURL(new Blob(texts, { type: "application/x-go-sgf" }));
    html("a", { href: url, download: "my-games.sgf" }).click();
    URL.revokeObjectURL(url);
  }
}

/**
 * Describe a game by its board and opponent, which entries of earlier versions lack, as they lack the winner.
 * @param {GameMemory} entry
 */
function described({ game, shared, levels = [] }) {
  const size = game.hex ? t`side ${(game.columns + 1) / 2}` : `${game.columns} × ${game.rows}`;
  const [one, other] = levels;
  const opponent = shared ? t`with a friend` : other !== undefined ? t`level ${one} against level ${other}` : one !== undefined ? t`level ${one}` : "";
  return [game.name, size, opponent].filter(Boolean).join(" · ");
}

/** @param {GameMemory} entry @param {GameKind[]} games */
function state({ game, moves, over, winner, when }, games) {
  const count = moves === 1 ? t`1 move` : t`${moves} moves`;
  const result = winner === null ? t`Draw` : t`${kindOf(games, game.id).players[winner]} won`;
  return `${over && winner !== undefined ? result : count} · ${new Date(when).toLocaleDateString()}`;
}
