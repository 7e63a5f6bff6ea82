// @ts-check
import { EventEmitter } from "../common/event-emitter.js";
import { StreamConnection } from "./stream-connection.js";

/** @typedef {import("./api-client.js").ApiClient} ApiClient */
/** @typedef {import("./event-stream-parser.js").ServerSentEvent} ServerSentEvent */
/** @typedef {import("../types/api").Query} Query */
/** @typedef {import("../types/api").ServerEvents} ServerEvents */
/** @typedef {"connecting" | "live" | "lost"} StreamState */

/** The gateway sends a pulse every two seconds: after two missed ones, the loss shows within five seconds. */
const idleSecondsMax = 4.2;
const idleCheckMilliseconds = 250;
const retrySecondsMin = 0.5;
const retrySecondsMax = 8;

/**
 * The event stream of the gateway; reconnects by itself. Emits each event of the API by its name, and `state`.
 *
 * @extends {EventEmitter<ServerEvents & {state: [StreamState]}>}
 */
export class EventStream extends EventEmitter {
  /** @type {ApiClient} */
  #client;
  /** @type {Query} */
  #query = {};
  /** @type {StreamConnection | null} */
  #current = null;
  /**
   * Opened while the current one still receives, for another part of the map, so that no message is missed.
   *
   * @type {StreamConnection | null}
   */
  #next = null;
  /** @type {string | null} */
  #lastEventId = null;
  #retrySeconds = retrySecondsMin;
  #retryTimer = 0;
  /** @type {StreamState} */
  #state = "connecting";

  /** @param {ApiClient} client */
  constructor(client) {
    super();
    this.#client = client;
    setInterval(() => this.#dropIdle(), idleCheckMilliseconds);
    addEventListener("online", () => this.#retryNow());
  }

  get state() { return this.#state; }

  /**
   * Receives positions of a part of the map, and texts in a system of units.
   *
   * @param {{bbox: string, zoom: number, units: string}} view
   */
  subscribe(view) {
    this.#query = view;
    this.#connect();
  }

  /**
   * @param {() => void} listener called where messages may have been missed: what was loaded is to be loaded again
   * @returns {() => void} removes the listener
   */
  onGap(listener) {
    const removals = [this.on("reset", listener), this.on("state", (state) => { if (state === "live") listener(); })];
    return () => { for (const remove of removals) remove(); };
  }

  #connect() {
    clearTimeout(this.#retryTimer);
    this.#next?.close();
    /** @type {StreamConnection} */
    const connection = new StreamConnection(this.#client, {
      query: this.#query,
      lastEventId: this.#lastEventId,
      onEvent: (event) => this.#receive(connection, event),
      onError: () => this.#drop(connection),
    });
    this.#next = connection;
  }

  /**
   * @param {StreamConnection} connection
   * @param {ServerSentEvent} event
   */
  #receive(connection, { kind, data, id }) {
    if (connection === this.#next && kind === "hello") this.#switchToNext();
    if (connection !== this.#current) return;
    if (kind === "reset") this.#lastEventId = null;
    if (id !== null) {
      if (!isLater(id, this.#lastEventId)) return;
      this.#lastEventId = id;
    }
    // The API's description holds for the data; an event of another kind has no listener.
    this.emit(/** @type {keyof ServerEvents} */ (kind), .../** @type {ServerEvents[keyof ServerEvents]} */ ([data]));
  }

  #switchToNext() {
    this.#current?.close();
    this.#current = this.#next;
    this.#next = null;
    this.#retrySeconds = retrySecondsMin;
    this.#setState("live");
  }

  #dropIdle() {
    if (this.#client.isPromptingForToken) return;
    for (const connection of [this.#current, this.#next]) {
      if (connection !== null && connection.idleSeconds > idleSecondsMax) this.#drop(connection);
    }
  }

  /** @param {StreamConnection} connection */
  #drop(connection) {
    connection.close();
    if (connection === this.#current) this.#current = null;
    else if (connection === this.#next) this.#next = null;
    else return;
    if (this.#next !== null) return; // it becomes the current one, or is dropped in turn
    if (this.#current === null) this.#setState("lost");
    this.#retryLater();
  }

  #retryLater() {
    clearTimeout(this.#retryTimer);
    // Jitter: the pages of many users must not reconnect at the same moment.
    this.#retryTimer = setTimeout(() => this.#retryNow(), this.#retrySeconds * (0.8 + 0.4 * Math.random()) * 1000);
    this.#retrySeconds = Math.min(this.#retrySeconds * 2, retrySecondsMax);
  }

  #retryNow() {
    if (this.#next === null || this.#current === null) this.#connect();
  }

  /** @param {StreamState} state */
  #setState(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.emit("state", state);
  }
}

/**
 * Ids are `run-number`; two connections at once receive some messages twice.
 *
 * @param {string} id
 * @param {string | null} last
 */
function isLater(id, last) {
  if (last === null) return true;
  const [a, b] = [splitId(id), splitId(last)];
  return a.run !== b.run || a.number > b.number;
}

/** @param {string} id */
function splitId(id) {
  const dash = id.lastIndexOf("-");
  return { run: id.slice(0, dash), number: Number(id.slice(dash + 1)) };
}
