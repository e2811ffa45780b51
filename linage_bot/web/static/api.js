// The communication with the server: requests, and the events that the server sends.

import { RequestRefused } from "./errors.js";
import { revive, t } from "./language.js";
import { secretOf } from "./table/seats.js";

/** @param {Response} response @returns {Promise<any>} */
async function answer(response) {
  /** @type {any} */
  let value = {};
  try {
    value = JSON.parse(await response.text(), revive);
  } catch {
    // An answer without a body has only its status.
  }
  if (!response.ok) throw new RequestRefused(response.status, value.refused ?? t`the server answers ${response.status}`);
  if (value.refused !== undefined) throw new RequestRefused(response.status, value.refused, value.about);
  return value;
}

// The random id by which the server distinguishes this page from others at the same table.
const PAGE = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("");

/**
 * Return the headers that identify this page and, in requests about a table, its seat there.
 * @param {string} url
 * @returns {Record<string, string>}
 */
function ours(url) {
  const name = url.match(/^\/api\/games\/([\w-]+)\//)?.[1];
  const secret = name && secretOf(name);
  return { "Board-Page": PAGE, ...(secret ? { "Board-Seat": secret } : {}) };
}

/** @param {string} url @param {RequestInit} options */
async function reached(url, { headers = {}, ...options } = {}) {
  try {
    return await fetch(url, { headers: { ...headers, ...ours(url) }, ...options });
  } catch {
    throw new RequestRefused(0, t`the server does not answer: is linage-bot web still running?`);
  }
}

/**
 * Request a file that is not JSON.
 * @param {string} path
 * @returns {Promise<Blob>}
 */
export async function getBlob(path) {
  const response = await reached(`/api/${path}`);
  const json = response.headers.get("content-type")?.startsWith("application/json");
  return response.ok && !json ? response.blob() : answer(response);
}

/**
 * @template {keyof GetResponses} P
 * @param {P} path
 * @returns {Promise<GetResponses[P]>}
 */
export async function get(path) {
  return answer(await reached(`/api/${path}`));
}

/**
 * @template {keyof PostResponses} P
 * @param {P} path
 * @param {PostBodies[P]} fields
 * @returns {Promise<PostResponses[P]>}
 */
export async function post(path, fields) {
  return answer(
    await reached(`/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    }),
  );
}

const [SOONEST_MS, LATEST_MS] = [250, 8000]; // pause before the next attempt to connect; doubled each time
const SILENT_MS = 50_000; // silence after which a connection counts as dead: the server sends data every 20 s

// A connection that receives the events of a table. It is open only while the page is visible, because a browser has
// few connections to one server. A player for whom others wait stays connected all the time.
export class Events {
  /** @type {AbortController | null} */ listening;
  /** @type {number | undefined} */ silence;

  /**
   * `view()` returns the page's view, as query parameters. `onrefused(error)` is called if the server refuses the
   * connection; attempts continue until `close()`. `stays()` returns whether to stay connected in a hidden page.
   * @param {string} name
   * @param {() => Record<string, string>} view
   * @param {EventHandlers} handlers
   * @param {(connected: boolean) => void} onconnection
   * @param {(error: RequestRefused) => void} onrefused
   * @param {() => boolean} stays
   */
  constructor(name, view, handlers, onconnection, onrefused, stays) {
    this.url = () => `/api/games/${name}/events?${new URLSearchParams(view())}`;
    this.handlers = handlers;
    this.onconnection = onconnection;
    this.onrefused = onrefused;
    this.visibility = () => (document.hidden && !stays() ? this.stop() : this.start());
    document.addEventListener("visibilitychange", this.visibility);
    this.visibility();
  }

  start() {
    if (this.listening) return;
    this.listening = new AbortController();
    this.listen(this.listening.signal);
  }

  /** @param {AbortSignal} signal */
  async listen(signal) {
    let pause = SOONEST_MS;
    while (!signal.aborted) {
      this.watch();
      try {
        const response = await reached(this.url(), { signal });
        if (!response.ok) await answer(response);
        this.onconnection(true);
        pause = SOONEST_MS;
        await this.hear(/** @type {ReadableStream<BufferSource>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader());
      } catch (error) {
        if (error instanceof RequestRefused && error.status && !signal.aborted) this.onrefused(error);
      }
      if (signal.aborted) return;
      this.onconnection(false);
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, LATEST_MS);
    }
  }

  /** @param {ReadableStreamDefaultReader<string>} reader */
  async hear(reader) {
    for (let text = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) return;
      this.watch();
      const events = (text + value).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) this.receive(event);
    }
  }

  /** @param {string} event */
  receive(event) {
    const [, kind, data] = event.match(/^event: (.*)\ndata: (.*)$/) ?? [];
    try {
      this.handlers[/** @type {keyof EventHandlers} */ (kind)]?.(JSON.parse(data, revive));
    } catch (error) {
      reportError(error); // an error of a handler must not end the connection
    }
  }

  // Restart the timer that reconnects after a long silence. A broken connection may show no other sign.
  watch() {
    clearTimeout(this.silence);
    if (!this.listening) return; // data can still arrive while the connection is being stopped
    this.silence = setTimeout(() => {
      this.stop();
      this.onconnection(false);
      this.start();
    }, SILENT_MS);
  }

  stop() {
    clearTimeout(this.silence);
    this.listening?.abort();
    this.listening = null;
  }

  close() {
    this.stop();
    document.removeEventListener("visibilitychange", this.visibility);
  }
}
