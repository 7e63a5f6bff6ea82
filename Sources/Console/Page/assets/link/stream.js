import { Listeners } from "../parts/listeners.js";
import { Connection } from "./connection.js";

/** The gateway speaks every two seconds: two beats missed and a little, and the viewer is told within five seconds. */
const silenceMax = 4.2;
const firstDelay = 0.5;
const delayMax = 8;

/**
 * What happens, as it happens; mends itself. Tells each kind of event of the API by its name, and `state`: `live` or `lost`.
 */
export class Stream extends Listeners {
  #server;
  #view = {};
  #current = null;
  /** Opened beside the current one for another part of the map, so that nothing is missed between the two. */
  #next = null;
  #last = null;
  #delay = firstDelay;
  #timer = null;
  #state = "connecting";

  constructor(server) {
    super();
    this.#server = server;
    setInterval(() => this.#dropSilent(), 250);
    addEventListener("online", () => this.#retryNow());
  }

  get state() { return this.#state; }

  /** Looks at a part of the map: `{bbox, zoom}`. */
  watch(view) {
    this.#view = view;
    this.#connect();
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#next?.close();
    const connection = new Connection(this.#server, this.#view, this.#last, {
      onEvent: (event) => this.#hear(connection, event),
      onEnd: (problem) => { if (problem) this.#drop(connection); },
    });
    this.#next = connection;
  }

  #hear(connection, { kind, data, id }) {
    if (connection === this.#next && kind === "hello") this.#change();
    if (connection !== this.#current) return;
    if (kind === "reset") this.#last = null;
    if (id !== null) {
      if (!isLater(id, this.#last)) return;
      this.#last = id;
    }
    this.tell(kind, data);
  }

  #change() {
    this.#current?.close();
    this.#current = this.#next;
    this.#next = null;
    this.#delay = firstDelay;
    this.#become("live");
  }

  #dropSilent() {
    if (this.#server.isAsking) return;
    for (const connection of [this.#current, this.#next]) {
      if (connection !== null && connection.secondsOfSilence > silenceMax) this.#drop(connection);
    }
  }

  #drop(connection) {
    connection.close();
    if (connection === this.#current) this.#current = null;
    else if (connection === this.#next) this.#next = null;
    else return;
    if (this.#next !== null) return; // its outcome decides
    if (this.#current === null) this.#become("lost");
    this.#retryLater();
  }

  #retryLater() {
    clearTimeout(this.#timer);
    // A room full of viewers must not come back in one moment.
    this.#timer = setTimeout(() => this.#retryNow(), this.#delay * (0.8 + 0.4 * Math.random()) * 1000);
    this.#delay = Math.min(this.#delay * 2, delayMax);
  }

  #retryNow() {
    if (this.#next === null || this.#current === null) this.#connect();
  }

  #become(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.tell("state", state);
  }
}

/** Ids are `run-number`; two streams side by side bring some messages twice. */
function isLater(id, last) {
  if (last === null) return true;
  const [run, number] = parts(id);
  const [lastRun, lastNumber] = parts(last);
  return run !== lastRun || number > lastNumber;
}

function parts(id) {
  const dash = id.lastIndexOf("-");
  return [id.slice(0, dash), Number(id.slice(dash + 1))];
}
