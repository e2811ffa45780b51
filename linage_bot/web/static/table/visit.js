// The choice of the table from the page's address, and the connection that receives the table's events.

import { Events, post } from "../api.js";
import { RequestRefused, messageOf, sentence } from "../errors.js";
import { t } from "../language.js";
import { forget, unfinished } from "../start/memory.js";
import { FRIEND, invited, remember, takeSeat } from "./seats.js";
import { showCompiling } from "./side.js";
import { Tree } from "./tree.js";

export class Visit {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Events | null} */
    this.events = null; // the connection to the table that is shown
    this.leave = () => {}; // gives up a table that is not shown yet
    addEventListener("popstate", () => this.arrive(false)); // also fired by a link pasted into the address
  }

  /**
   * Show the table or the linked position that the address names, or else the start screen. The server's own address
   * resumes the last game if it has not ended; going back to that address shows the start screen. Nothing is shown if
   * the visitor goes elsewhere in the meantime.
   * @param {boolean} [resume]
   */
  async arrive(resume = true) {
    const link = location.hash.slice(1);
    const name = location.pathname.match(/^\/g\/([\w-]+)$/)?.[1];
    if (link.includes("game=")) {
      await this.open({ link }, true).catch((error) => this.unread(error));
    } else if (name) {
      const said = await takeSeat(name, (word) => post(`games/${name}/take`, { word }));
      if (!location.pathname.endsWith(`/${name}`)) return;
      await this.sit(name).catch((error) => this.missing(name, error));
      if (said) this.page.say(sentence(said), "message", true);
    } else {
      const last = resume && !history.state?.start ? unfinished() : null;
      if (last) await this.go(last, true).catch((error) => this.missing(last, error));
      else this.home(false);
    }
  }

  /**
   * Leave the table, and show the start screen.
   * @param {boolean} [leaving] whether to make an entry in the browser's history
   * @param {string} [said]
   */
  home(leaving = true, said = "") {
    if (leaving) history.pushState(null, "", "/");
    this.leave();
    this.events?.close();
    this.events = null;
    this.page.change("");
    this.page.start.show(said);
  }

  /**
   * Report a link that describes no position. Keep the table that is shown, or show the start screen if there is none.
   * @param {unknown} error
   */
  unread(error) {
    const reason = sentence(messageOf(error));
    if (this.page.table) return this.page.say(reason, "message", true);
    history.replaceState(null, "", "/");
    this.home(false, reason);
  }

  /**
   * Return what this page viewed at a table. The server forgets it when the page disconnects.
   * @param {string} name
   */
  sightOf(name) {
    return JSON.parse(sessionStorage.getItem(name) ?? "{}");
  }

  /**
   * Show the start screen if the server no longer has a table. Report any other error.
   * @param {string} name
   * @param {unknown} error
   */
  missing(name, error) {
    if (!(error instanceof RequestRefused) || error.status !== 404) return this.page.fail(error);
    history.replaceState(null, "", "/");
    forget(name);
    this.home(false, t`That game is not on the server any more.`);
  }

  /** @param {NewTable} fields @param {boolean} [inPlace] */
  async open(fields, inPlace = false) {
    const friend = fields.seats?.includes(FRIEND) ? invited(fields.seats) : null;
    const { name, warnings } = await post("games", { ...fields, ...friend, pace: this.page.playing.pace.kept });
    if (friend) remember(name, friend);
    await this.go(name, inPlace);
    if (warnings) this.page.say(warnings.map(sentence).join(" "));
  }

  /** @param {string} name @param {boolean} [inPlace] */
  async go(name, inPlace = false) {
    history[inPlace ? "replaceState" : "pushState"](null, "", `/g/${name}`);
    await this.sit(name);
  }

  /**
   * Connect to a table. Resolve when it is shown; the previous table stays until then. Resolve, too, if the visitor goes
   * elsewhere before. Reject if the server refuses.
   * @param {string} name
   * @returns {Promise<void>}
   */
  sit(name) {
    this.leave();
    return new Promise((resolve, reject) => {
      /** @type {Tree} */
      let tree; // from the last `tree` event, which precedes a `table` event
      const events = new Events(
        name,
        () => this.sightOf(name),
        {
          tree: (value) => (tree = new Tree(value)),
          table: (value) => {
            if (this.events !== events) {
              this.events?.close();
              this.events = events;
              this.leave = () => {};
              this.page.change(name);
              this.page.start.hide();
            }
            this.page.show(value, tree);
            resolve();
          },
          analysis: (value) => this.page.showAnalysis(value),
          graph: (value) => this.page.showGraph(value),
          review: (value) => this.page.showReview(value),
          compiling: showCompiling,
          clock: (value) => this.page.playing.clocks.set(value),
        },
        (connected) => {
          document.body.classList.toggle("offline", !connected);
          if (connected) this.page.moves.comment.keep(); // a text that could not be sent
        },
        (error) => {
          if (this.events === events || error.status === 503) return this.refused(error);
          events.close();
          reject(error);
        },
        () => this.page.name === name && this.sharing(this.page.table?.seats),
      );
      this.leave = () => {
        events.close();
        resolve();
      };
    });
  }

  /**
   * Return whether this page has a seat at a shared table whose game is not over.
   * @param {Seats | null | undefined} seats
   */
  sharing(seats) {
    return Boolean(seats?.closed && seats.you !== null);
  }

  /**
   * Handle the server's refusal to send the events of a table.
   * @param {RequestRefused} error
   */
  refused(error) {
    if (error.status === 404) {
      this.events?.close();
      this.missing(this.page.name, error);
    } else if (error.status) {
      this.page.fail(error);
    }
  }
}
