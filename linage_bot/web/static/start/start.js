// The start screen: the aim of a game in one sentence with a picture, four doors, and the games of this browser.

import { get } from "../api.js";
import { Drawing } from "../board/drawing.js";
import { byId, html } from "../dom.js";
import { messageOf } from "../errors.js";
import { kindOf } from "../kinds.js";
import { t } from "../language.js";
import { FRIEND } from "../table/seats.js";
import { GameList } from "./games.js";

const HINTS = /** @type {const} */ ({ learn: t`five small steps`, play: t`against the engine`, puzzles: t`find the winning move`, friend: t`by a link` });

export class StartScreen {
  /** @type {string} */ id;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    const { kinds } = page;
    this.games = new GameList(kinds.games, (name) => page.visit.go(name));
    const choice = byId("start-game");
    choice.replaceChildren(...kinds.games.map(({ id, name }) => html("option", { value: id }, name)));
    choice.addEventListener("change", () => this.choose(choice.value));
    /** @type {(id: keyof typeof HINTS, open: () => unknown) => void} */
    const door = (id, open) => {
      byId(`door-${id}`).querySelector("small")?.append(HINTS[id]);
      byId(`door-${id}`).addEventListener("click", async () => {
        try {
          await open();
        } catch (error) {
          byId("start-said").textContent = messageOf(error);
        }
      });
      byId(`door-${id}`).hidden = kinds.guest && id !== "learn";
    };
    door("learn", () => page.lessons.open(this.id));
    door("play", () => page.visit.open(firstGame(kinds, this.id)));
    door("puzzles", () => this.puzzles());
    door("friend", () => page.newGame.open(null, { ...firstGame(kinds, this.id), seats: [null, FRIEND] }));
    byId("home").addEventListener("click", () => page.visit.home());
  }

  get shown() {
    return document.body.classList.contains("starting");
  }

  /** @param {string} [said] a message to show */
  show(said = "") {
    document.body.classList.add("starting");
    document.title = "linage-bot";
    byId("start-said").textContent = said;
    this.choose(this.id ?? this.page.kinds.chosen.id);
    this.games.show();
  }

  hide() {
    document.body.classList.remove("starting");
  }

  async puzzles() {
    await this.page.puzzles.open(null, this.id);
    this.hide();
  }

  /**
   * Show the aim of a game, with the last position of its lesson as a picture.
   * @param {string} id
   */
  async choose(id) {
    this.id = byId("start-game").value = id;
    const { aim, lesson, name } = kindOf(this.page.kinds.games, id);
    byId("start-aim").textContent = aim;
    byId("door-learn").disabled = !lesson;
    byId("start-board").replaceChildren();
    const step = lesson ? await get(`lessons/${id}`).then(({ steps }) => steps[steps.length - 1], () => null) : null;
    if (!step || id !== this.id) return;
    byId("start-board").replaceChildren(picture(step.board, step.position, t`A position of ${name}`));
  }
}

/**
 * Return the fields of a newcomer's game: a small board, unless the server was started with another one.
 * @param {Kinds} kinds
 * @param {string} id
 * @returns {NewTable & { size: string, seats: Seating }}
 */
export function firstGame({ chosen, games, players }, id) {
  const kind = kindOf(games, id);
  const own = chosen.id === id && chosen.size !== kind.size;
  const { komi, komiStep, options } = chosen.id === id ? chosen : kind;
  const size = own ? chosen.size : kind.hex ? "5" : "9";
  return { game: id, size, komi: komiStep === null ? null : komi, options, seats: players };
}

/**
 * Return a small drawing of a position. Without a label, screen readers pass over it.
 * @param {DrawnGame} game
 * @param {Pick<Position, "areas" | "first" | "second">} position
 * @param {string} label
 */
export function picture(game, { areas, first, second }, label) {
  const drawing = new Drawing(game, label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" });
  const { label: [left, right, below], width, height } = drawing.geometry;
  drawing.image.setAttribute("viewBox", [left, 0, width - left - right, height - below].join(" "));
  drawing.drawAreas(areas.filter(({ owner, shown }) => owner !== null && shown !== "dots"));
  for (const [player, points] of [first, second].entries()) {
    drawing.layers.stones.append(...points.map((point) => drawing.stone(point, player)));
  }
  return drawing.image;
}
