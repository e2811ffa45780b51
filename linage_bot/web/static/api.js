// Talking to the server: requests, and what it tells by itself.

export class Refused extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

async function answer(response) {
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

async function reached(url, options) {
  try {
    return await fetch(url, options);
  } catch {
    throw new Refused(0, "the server does not answer: is linage-bot web still running?");
  }
}

export async function get(path) {
  return answer(await reached(`/api/${path}`));
}

export async function post(path, fields = {}) {
  return answer(
    await reached(`/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    }),
  );
}

// Listens to a table while the page is seen: a browser has few connections to one server.
export class Events {
  // `onrefused(error)`: the server does not let this page listen
  constructor(name, handlers, onconnection, onrefused) {
    this.url = `/api/games/${name}/events`;
    this.handlers = handlers;
    this.onconnection = onconnection;
    this.onrefused = onrefused;
    this.visibility = () => (document.hidden ? this.stop() : this.start());
    document.addEventListener("visibilitychange", this.visibility);
    this.visibility();
  }

  start() {
    if (this.source) return;
    this.source = new EventSource(this.url);
    for (const [kind, handler] of Object.entries(this.handlers)) {
      this.source.addEventListener(kind, (event) => handler(JSON.parse(event.data)));
    }
    this.source.onopen = () => this.onconnection(true);
    this.source.onerror = () => {
      this.onconnection(false);
      if (this.source?.readyState === EventSource.CLOSED) {
        this.stop();
        this.retry = setTimeout(this.visibility, 3000);
        this.tellWhy();
      }
    };
  }

  // A stream that is refused does not say why; an ordinary request is told.
  async tellWhy() {
    const stopping = new AbortController();
    try {
      const response = await reached(this.url, { signal: stopping.signal });
      if (!response.ok) await answer(response);
    } catch (error) {
      this.onrefused(error);
    }
    stopping.abort();
  }

  stop() {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  close() {
    this.stop();
    document.removeEventListener("visibilitychange", this.visibility);
  }
}

// What the server says of a refusal, with the full stop that it leaves to us.
export function sentence(reason) {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
