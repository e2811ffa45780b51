// Tables shared by links: the seat that this browser stores, and the panel that shows the players.

import { around, byId, copy, find, focused, html, svg } from "../dom.js";
import { RequestRefused, messageOf } from "../errors.js";
import { t } from "../language.js";
import { icon } from "./side.js";

export const FRIEND = "friend"; // used in place of an engine's level
const DECLINED = 200; // the HTTP status if the table refuses and gives its reason
// Controls that are disabled during a shared game.
const HELP = /** @type {const} */ (["undo", "redo", "promote", "delete", "edit", "review", "analyse", "ownership", "comment"]);
// Switches for the engine's help, which is for after the game.
const ENGINES = /** @type {const} */ (["analyse", "ownership", "warn-pass", "warn-mistake"]);
// Controls that spectators may not use, even after the game.
const OF_PLAYERS = /** @type {const} */ (["undo", "redo", "promote", "delete", "review", "comment"]);

const NAME = "name"; // key in the browser's storage: the name that the person gave last

/** @param {string} name @returns {SeatMemory | null} */
function kept(name) {
  return JSON.parse(localStorage.getItem(`seat ${name}`) ?? "null");
}

/** @param {string} name @param {SeatMemory} what */
function keep(name, what) {
  localStorage.setItem(`seat ${name}`, JSON.stringify(what));
}

function fresh() {
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Return the secret that proves to the server which seat this browser has at a table.
 * @param {string} name
 */
export function secretOf(name) {
  return kept(name)?.secret;
}

/**
 * Create the secret and the invitations for a new table to which a friend is invited. Only this browser has them.
 * @param {NonNullable<NewTable["seats"]>} seats
 * @returns {{ secret: string, invitations: NonNullable<NewTable["invitations"]> }}
 */
export function invited(seats) {
  const [first, second] = seats.map((seat) => (seat === FRIEND ? fresh() : null));
  return { secret: fresh(), invitations: [first, second] };
}

/** @param {string} name @param {SeatMemory} seat */
export function remember(name, { secret, invitations }) {
  keep(name, { secret, invitations });
}

/**
 * Use the seat at one table at the table of its rematch, too, where the sides are swapped.
 * @param {string} before
 * @param {string} name
 */
export function inherit(before, name) {
  const seat = kept(before);
  if (seat) keep(name, { secret: seat.secret });
}

/**
 * Take the seat whose invitation is in the address, and remove the invitation from the address. `take(word)` sends
 * the request. Return the message to show, or an empty string.
 * @param {string} name
 * @param {(word: string) => Promise<unknown>} take
 */
export async function takeSeat(name, take) {
  const word = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (!word) return "";
  const had = kept(name);
  const secret = had?.secret ?? fresh();
  let said = "";
  if (had && had.asked !== word) {
    said = t`You have a seat at this table already: the link is for the other player.`;
  } else {
    // Store the secret before sending the request: if the answer is lost, the request can be repeated.
    if (!had) keep(name, { secret, asked: word });
    try {
      await take(word);
      keep(name, { secret });
    } catch (error) {
      // Without a refusal by the table itself, the seat may have been granted: keep the secret.
      if (!(error instanceof RequestRefused) || error.status !== DECLINED) return messageOf(error);
      localStorage.removeItem(`seat ${name}`);
      said = error.message;
    }
  }
  history.replaceState(null, "", location.pathname);
  return said;
}

export class SeatsPanel {
  /** @type {string | null} */ name;
  /** @type {(() => void) | undefined} */ onpass;
  /** @type {boolean} */ opened;
  /** @type {Seats} */ seats;
  /** @type {Pass | null} */ admission;
  /** @type {Map<string, Code | null>} */ codes = new Map(); // by link; null while the server makes it

  /**
   * `pass(name)` requests the word that admits others to a table, `encode(name, link)` the QR code of a link to it, and
   * `call(name)` names the person here.
   * @param {{ pass: (name: string) => Promise<Pass>, encode: (name: string, link: string) => Promise<Code>, call: (name: string) => unknown }} on
   */
  constructor({ pass, encode, call }) {
    this.pass = pass;
    this.encode = encode;
    this.call = call;
    this.card = byId("seats");
    this.card.addEventListener("click", (event) => {
      const button = around(event, "[data-copy]");
      if (button) copy(byId(`link-${button.dataset.copy}`), button);
      if (around(event, "#own-name")) this.rename();
    });
  }

  /** @param {TableView} table @param {string} name */
  show(table, name) {
    const { seats } = table;
    this.card.hidden = !seats;
    if (!seats) return;
    const shared = { ...table, seats };
    this.seats = seats;
    this.limit(shared);
    const chosen = focused()?.dataset.copy; // the links are replaced below
    this.card.replaceChildren(
      html("h2", { class: "unseen" }, t`Players`),
      ...seats.byPlayer.map((seat, number) => row(shared, seat, number)),
      html("p", { class: "quiet" }, note(seats)),
      this.links(shared, name),
    );
    if (chosen) find(this.card, `[data-copy="${chosen}"]`)?.focus();
  }

  rename() {
    const name = prompt(t`Your name, as your friend sees it`, localStorage.getItem(NAME) ?? "");
    if (name === null) return;
    localStorage.setItem(NAME, name);
    this.call(name);
  }

  /** @param {SharedTable} table @param {string} name */
  links(table, name) {
    if (this.name !== name) this.openFor(name);
    const { byPlayer, you } = table.seats;
    const invitations = kept(name)?.invitations ?? [];
    const open = byPlayer.flatMap((seat, number) => (seat && !seat.taken && invitations[number] ? [number] : []));
    if (!this.admission || (you === null && !open.length)) return "";
    const { word, address } = this.admission;
    const link = `${address ?? location.origin}/g/${name}?guest=${word}`;
    const rows = open.flatMap((number) => {
      const [label, own] = [t`Link for ${title(table, number)}`, `${link}#seat=${invitations[number]}`];
      return [field(`seat-${number}`, label, own), address === null ? null : this.code(own, label)];
    });
    const details = html(
      "details",
      { open: open.length > 0 || this.opened },
      html("summary", {}, t`Links`),
      ...rows,
      field("look", t`Link for spectators`, link),
      address === null ? html("p", { class: "quiet" }, t`These open on this machine only. For others start the server with --listen ADDRESS --expose.`) : null,
    );
    details.addEventListener("toggle", () => (this.opened = details.open && !open.length));
    return details;
  }

  /**
   * Return the QR code of a link, for the camera of a phone in the same network; null until the server has made it.
   * @param {string} link
   * @param {string} label
   */
  code(link, label) {
    const code = this.codes.get(link);
    if (code === undefined) this.fetchCode(link);
    if (!code) return null;
    const { size, path } = code;
    return html(
      "figure",
      { class: "code" },
      svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t`QR code: ${label}` }, svg("rect", { width: size, height: size }), svg("path", { d: path })),
      html("figcaption", { class: "quiet" }, t`Scan this with a phone in the same network.`),
    );
  }

  /** @param {string} link */
  async fetchCode(link) {
    if (!this.name) return;
    this.codes.set(link, null);
    const code = await this.encode(this.name, link).catch(() => null);
    if (!code) return;
    this.codes.set(link, code);
    this.onpass?.();
  }

  /** @param {string} name */
  async openFor(name) {
    [this.name, this.admission, this.opened] = [name, null, false];
    this.introduce();
    const answer = await this.pass(name).catch(() => null);
    if (answer && this.name === name) this.admission = answer;
    this.onpass?.();
  }

  // Give the name that this browser stores to a table at which the person has none yet.
  introduce() {
    const name = localStorage.getItem(NAME);
    const { you, byPlayer } = this.seats;
    if (name && you !== null && byPlayer[you]?.name === "") this.call(name);
  }

  /**
   * Disable the controls that are not allowed at a shared table: taking back, any help before the end of the game,
   * and for spectators the actions of players.
   * @param {SharedTable} table
   */
  limit({ seats, turn, over, pie, viewed, node }) {
    const closed = seats.closed ? HELP : seats.you === null ? OF_PLAYERS : /** @type {const} */ (["undo", "redo"]);
    for (const id of closed) byId(id).disabled = true;
    for (const id of ENGINES) {
      byId(id).disabled = seats.closed;
      const label = byId(id).closest("label");
      if (label) label.title = seats.closed ? t`The engine helps after the game` : "";
    }
    byId("edit").disabled = seats.closed;
    byId("resign").disabled = over || pie !== null || seats.you === null;
    if (turn !== "person" && (seats.closed || viewed === node)) byId("pass").disabled = true;
    if (seats.closed && viewed !== node) byId("pass").disabled = true;
  }

  // Leave the table, and enable the controls that were disabled there.
  leave() {
    for (const id of /** @type {const} */ (["edit", "review", "comment", ...ENGINES])) byId(id).disabled = false;
    this.name = null;
  }
}

/** @param {TableView} table @param {number} number */
function title({ game, pie }, number) {
  if (pie) return number === 0 ? t`the player who offers` : t`the player who chooses`;
  return game.players[number];
}

/** @param {SharedTable} table @param {Seat | null} seat @param {number} number */
function row(table, seat, number) {
  const { seats, players, pie } = table;
  const level = players[number];
  const person = seats.you === number ? t`you` : seats.you === null ? t`player` : t`the other player`;
  const who = level !== null ? t`Engine ${level}` : !seat?.name ? person : seats.you === number ? t`${seat.name} (you)` : seat.name;
  const here = Boolean(seat?.taken && seat.here);
  const state = !seat ? "" : !seat.taken ? t`not here yet` : here ? t`here` : t`away`;
  return html(
    "p",
    { class: "seat" },
    pie ? null : icon(table, number),
    html("span", {}, `${title(table, number)}: ${who}`),
    seats.you === number ? html("button", { id: "own-name", class: "small" }, seat?.name ? t`Rename` : t`Add your name`) : html("span", { class: here ? "presence here" : "presence" }, state),
  );
}

/** @param {Seats} seats */
function note({ closed, you, viewers }) {
  const others = viewers - (you === null ? 1 : 0);
  const watching = others > 1 ? t`${others} spectators are watching.` : others === 1 ? t`1 spectator is watching.` : "";
  const state = you === null ? t`You are watching.` : closed ? t`No take-backs; analysis unlocks after the game.` : t`The game is over: everything is open.`;
  return watching ? `${state} ${watching}` : state;
}

/** @param {string} id @param {string} label @param {string} value */
function field(id, label, value) {
  const input = html("input", { id: `link-${id}`, readonly: true, spellcheck: "false", onfocus: (event) => event.target.select() });
  input.value = value;
  return html("label", { class: "field link" }, html("span", {}, label), input, html("button", { type: "button", "data-copy": id, "aria-label": t`Copy: ${label}` }, t`Copy`));
}
