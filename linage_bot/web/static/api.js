// Talking to the server: requests, and what it tells by itself.

import { Refused } from "./errors.js";
import { secretOf } from "./table/seats.js";

/** @param {Response} response @returns {Promise<any>} */
async function answer(response) {
  /** @type {any} */
  let value = {};
  try {
    value = await response.json();
  } catch {
    // an answer without a body says it by its status alone
  }
  if (!response.ok) throw new Refused(response.status, value.refused ?? `the server answers ${response.status}`);
  if (value.refused !== undefined) throw new Refused(response.status, value.refused);
  return value;
}

// By which the server tells the requests of this page from those of others at the same table.
const PAGE = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("");

/**
 * Whose the seat is at a table goes with every request about it.
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
    throw new Refused(0, "the server does not answer: is linage-bot web still running?");
  }
}

/**
 * A file that is not JSON.
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
 * @param {object} [fields]
 * @returns {Promise<PostResponses[P]>}
 */
export async function post(path, fields = {}) {
  return answer(
    await reached(`/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    }),
  );
}

const [SOONEST_MS, LATEST_MS] = [250, 8000]; // before another try, twice as long each time
const SILENT_MS = 50_000; // until a connection is taken for dead: the server speaks every 20 s

// Listens to a table while the page is seen: a browser has few connections to one server. Who is
// waited for at a table listens all the time.
export class Events {
  /** @type {AbortController | null} */ listening;
  /** @type {number | undefined} */ silence;

  /**
   * `sight()`: what the page looks at, as words of an address; `onrefused(error)`: the server does
   * not let this page listen; it tries again until it is closed; `stays()`: even if it is not seen
   * @param {string} name
   * @param {() => Record<string, string>} sight
   * @param {EventHandlers} handlers
   * @param {(connected: boolean) => void} onconnection
   * @param {(error: Refused) => void} onrefused
   * @param {() => boolean} stays
   */
  constructor(name, sight, handlers, onconnection, onrefused, stays) {
    this.url = () => `/api/games/${name}/events?${new URLSearchParams(sight())}`;
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
        if (error instanceof Refused && error.status && !signal.aborted) this.onrefused(error);
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
      for (const event of events) this.told(event);
    }
  }

  /** @param {string} event */
  told(event) {
    const [, kind, data] = event.match(/^event: (.*)\ndata: (.*)$/) ?? [];
    try {
      this.handlers[/** @type {keyof EventHandlers} */ (kind)]?.(JSON.parse(data));
    } catch (error) {
      reportError(error); // a fault of ours is no reason to listen no more
    }
  }

  // From now on there may be silence for a while. A connection that dies on the way ends by nothing else.
  watch() {
    clearTimeout(this.silence);
    if (!this.listening) return; // what was read last came while it stopped
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
