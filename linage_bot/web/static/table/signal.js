// The signals that it is a person's turn at a table of two: the title and the icon of the page, and a short sound.

import { byId, find } from "../dom.js";
import { t } from "../language.js";

const SECONDS = 0.18;
const HERTZ = 660;
const LOUDNESS = 0.12;

export class TurnSignal {
  constructor() {
    const field = byId("sound");
    field.checked = localStorage.getItem("sound") !== "off";
    field.addEventListener("change", () => localStorage.setItem("sound", field.checked ? "on" : "off"));
    /** @type {string | null} */
    this.turn = null; // the table and the number of the move that was signalled last
  }

  /**
   * Return the beginning of the page's title, and change the icon. The sound is played once for a turn.
   * @param {string} name
   * @param {TableView} table
   */
  show(name, { seats, turn, played }) {
    const mine = seats !== null && turn === "person";
    find(document, "link[rel=icon]")?.setAttribute("href", mine ? "/static/icon-turn.svg" : "/static/icon.svg");
    const signalled = mine ? `${name} ${played}` : null;
    if (signalled && signalled !== this.turn && byId("sound").checked) sound();
    this.turn = signalled;
    return mine ? `${t`Your move`} · ` : "";
  }
}

// Play a short tone. Browsers allow none before the first click or key on the page.
function sound() {
  if (!navigator.userActivation?.hasBeenActive) return;
  const context = new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = HERTZ;
  volume.gain.setValueAtTime(LOUDNESS, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + SECONDS);
  tone.connect(volume).connect(context.destination);
  tone.onended = () => context.close();
  tone.start();
  tone.stop(context.currentTime + SECONDS);
}
