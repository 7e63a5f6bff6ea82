// @ts-check
import { EventEmitter } from "../assets/common/event-emitter.js";
import { EventStreamParser } from "../assets/api/event-stream-parser.js";

/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */

/** The gateway sends something each second: after four without it, the connection is taken for lost. */
const idleMillisecondsMax = 4000;
/** Until the next attempt after one that has failed; doubled by each further one. */
const pauseMin = 500;
const pauseMax = 8000;

/**
 * The event stream of the vehicle; opened again by itself. Emits `sign` at each sign of life, `answer` with what the
 * vehicle is told when that has changed, and `refused` where the gateway knows the phone no more.
 *
 * @extends {EventEmitter<{sign: [], answer: [CabAnswer], refused: []}>}
 */
export class EventStream extends EventEmitter {
  #token;
  #pause = pauseMin;
  #idleTimer = 0;
  #isStopped = false;
  #endPause = () => {};
  #abort = new AbortController();

  /** @param {string} token */
  constructor(token) {
    super();
    this.#token = token;
    // The system knows at once that the network is gone, and when it is back.
    addEventListener("offline", () => this.#abort.abort());
    addEventListener("online", () => this.#endPause());
  }

  async run() {
    while (!this.#isStopped) {
      try {
        await this.#read();
      } catch {
        // Refused, lost or idle: it is opened again.
      }
      clearTimeout(this.#idleTimer);
      if (!this.#isStopped) await this.#waitForNextAttempt();
    }
  }

  stop() {
    this.#isStopped = true;
    this.#abort.abort();
  }

  /** @returns {Promise<void>} */
  #waitForNextAttempt() {
    // Jitter: the phones of a fleet must not come back at the same moment.
    const pause = this.#pause * (0.8 + 0.4 * Math.random());
    this.#pause = Math.min(pauseMax, 2 * this.#pause);
    return new Promise((resolve) => {
      this.#endPause = resolve;
      setTimeout(resolve, pause);
    });
  }

  /** One request, until it ends. */
  async #read() {
    this.#abort = new AbortController();
    this.#expectSign();
    const response = await fetch("/api/v1/cab/stream", {
      headers: { Authorization: `Bearer ${this.#token}`, Accept: "text/event-stream" }, cache: "no-store",
      signal: this.#abort.signal,
    });
    if (response.status === 401) this.emit("refused");
    if (!response.ok || response.body === null) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventStreamParser();
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      this.#expectSign();
      this.#pause = pauseMin;
      this.emit("sign");
      // The API's description holds for the data.
      for (const { kind, data } of parser.parse(value ?? "")) if (kind === "cab") this.emit("answer", /** @type {CabAnswer} */ (data));
    }
  }

  #expectSign() {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#abort.abort(), idleMillisecondsMax);
  }
}
