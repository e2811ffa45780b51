// A table that two share by links: what this browser keeps of its seat, and who is there.

import { byId, copy, html } from "./dom.js";
import { icon } from "./side.js";

export const FRIEND = "friend"; // in place of a level
const DECLINED = 200; // the status of an answer that says why not
const HELP = ["undo", "redo", "promote", "delete", "edit", "review", "analyse", "ownership", "comment"];
const OF_PLAYERS = ["undo", "redo", "promote", "delete", "review", "comment"]; // afterwards, too

function kept(name) {
  return JSON.parse(localStorage.getItem(`seat ${name}`) ?? "null");
}

function keep(name, what) {
  localStorage.setItem(`seat ${name}`, JSON.stringify(what));
}

function fresh() {
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// By what the server knows whose the seat is that this browser has at a table.
export function secretOf(name) {
  return kept(name)?.secret;
}

// What a new table is to know if a friend is to come: only this browser has these words.
export function invited(seats) {
  return { secret: fresh(), invitations: seats.map((seat) => (seat === FRIEND ? fresh() : null)) };
}

export function remember(name, { secret, invitations }) {
  keep(name, { secret, invitations });
}

// Take the seat that the address gives, and take the word out of it; `take(word)` asks the server.
// Returns what is to be said.
export async function takeSeat(name, take) {
  const word = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (!word) return "";
  const had = kept(name);
  let said = "";
  if (had && had.asked !== word) {
    said = "You have a seat at this table already: the link is for the other player.";
  } else {
    // Kept before it is asked for: if the answer is lost, it can be asked for again.
    if (!had) keep(name, { secret: fresh(), asked: word });
    try {
      await take(word);
      keep(name, { secret: secretOf(name) });
    } catch (error) {
      if (error.status !== DECLINED) return error.message; // the table has not said no: it may have said yes
      localStorage.removeItem(`seat ${name}`);
      said = error.message;
    }
  }
  history.replaceState(null, "", location.pathname);
  return said;
}

export class CompanyPanel {
  // `pass(name)` asks the server for what lets others in to a table
  constructor(pass) {
    this.pass = pass;
    this.card = byId("company");
    this.card.addEventListener("click", ({ target }) => target.matches("[data-copy]") && copy(byId(`link-${target.dataset.copy}`), target));
  }

  show(table, name) {
    const { company } = table;
    this.card.hidden = !company;
    if (!company) return;
    this.limit(table);
    const focused = document.activeElement?.dataset?.copy; // the links are made anew
    this.card.replaceChildren(
      html("h2", { class: "unseen" }, "Players"),
      ...company.chairs.map((chair, number) => row(table, chair, number)),
      html("p", { class: "quiet" }, note(company)),
      this.links(table, name),
    );
    if (focused) this.card.querySelector(`[data-copy="${focused}"]`)?.focus();
  }

  links(table, name) {
    if (this.name !== name) this.openFor(name);
    const { chairs, you } = table.company;
    const invitations = kept(name)?.invitations ?? [];
    const open = chairs.flatMap((chair, number) => (chair && !chair.taken && invitations[number] ? [number] : []));
    if (!this.word || (you === null && !open.length)) return "";
    const link = `${location.origin}/g/${name}?guest=${this.word}`;
    const rows = open.map((number) => field(`seat-${number}`, `Link for ${title(table, number)}`, `${link}#seat=${invitations[number]}`));
    const details = html(
      "details",
      { open: open.length > 0 || this.opened },
      html("summary", {}, "Links"),
      ...rows,
      field("look", "Link for spectators", link),
      /^(localhost|127\.|\[::1\])/.test(location.hostname) ? html("p", { class: "quiet" }, "These open on this machine only. For others start the server with --listen ADDRESS --expose.") : null,
    );
    details.addEventListener("toggle", () => (this.opened = details.open && !open.length));
    return details;
  }

  async openFor(name) {
    [this.name, this.word, this.opened] = [name, null, false];
    const told = await this.pass(name).catch(() => null);
    if (told && this.name === name) this.word = told.pass;
    this.onpass?.();
  }

  // At a table of two nothing is taken back, and nobody is helped before the end.
  limit({ company, turn, over, pie, viewed, at }) {
    const closed = company.closed ? HELP : company.you === null ? OF_PLAYERS : ["undo", "redo"];
    for (const id of closed) byId(id).disabled = true;
    for (const id of ["analyse", "ownership"]) {
      byId(id).disabled = company.closed;
      byId(id).closest("label").title = company.closed ? "When the game is over" : "";
    }
    byId("edit").disabled = company.closed;
    byId("resign").disabled = over || pie !== null || company.you === null;
    if (turn !== "person" && (company.closed || viewed === at)) byId("pass").disabled = true;
    if (company.closed && viewed !== at) byId("pass").disabled = true;
  }

  // The last table is left: what was closed there is open again.
  leave() {
    for (const id of ["edit", "review", "analyse", "ownership", "comment"]) byId(id).disabled = false;
    this.name = null;
  }
}

function title({ game, pie }, number) {
  if (pie) return number === 0 ? "who offers" : "who chooses";
  return game.players[number];
}

function row(table, chair, number) {
  const { company, seats, pie } = table;
  const level = seats[number];
  const who = level !== null ? `Engine ${level}` : company.you === number ? "you" : company.you === null ? "player" : "the other player";
  const state = !chair ? "" : !chair.taken ? "not here yet" : chair.here ? "here" : "away";
  return html(
    "p",
    { class: "chair" },
    pie ? null : icon(table, number),
    html("span", {}, `${title(table, number)}: ${who}`),
    company.you === number ? null : html("span", { class: state === "here" ? "presence here" : "presence" }, state),
  );
}

function note({ closed, you, looking }) {
  const others = looking - (you === null ? 1 : 0);
  const watching = others > 0 ? ` ${others} ${others === 1 ? "spectator looks" : "spectators look"} on.` : "";
  if (you === null) return `You look on.${watching}`;
  return (closed ? "Nothing is taken back here, and analysis opens when the game is over." : "The game is over: everything is open.") + watching;
}

function field(id, label, value) {
  const input = html("input", { id: `link-${id}`, readonly: true, spellcheck: "false", onfocus: (event) => event.target.select() });
  input.value = value;
  return html("label", { class: "field link" }, html("span", {}, label), input, html("button", { type: "button", "data-copy": id, "aria-label": `Copy: ${label}` }, "Copy"));
}
