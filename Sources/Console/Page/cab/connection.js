// @ts-check
import { EventEmitter } from "../assets/common/event-emitter.js";
import { withoutOverlap } from "../assets/common/scheduling.js";
import { ask, CabError } from "./cab-client.js";

/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */
/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */

/** An answer that takes longer counts as none, so that the driver is soon told. */
const timeoutMilliseconds = 5000;
/** Seconds without an answer after which the page counts as not connected: one late answer is no outage. */
const silenceMax = 10;

/**
 * Reads again and again what the gateway tells the vehicle. Emits `answer`, and `connected` after an outage, and `unpaired`
 * where the gateway knows the phone no more.
 *
 * @extends {EventEmitter<{answer: [CabAnswer], connected: [], unpaired: [string]}>}
 */
export class Connection extends EventEmitter {
  /** @type {CabAnswer | null} */
  last = null;
  /** @type {string} */
  #token;
  #lastAnswer = performance.now();
  #isFailing = false;
  /** By alert, the sequence that the driver has acknowledged. @type {Map<string, number>} */
  #acknowledged = new Map();
  /** Those of them that are to be sent. @type {Map<string, number>} */
  #unsent = new Map();
  read = withoutOverlap(() => this.#read());

  /** @param {string} token */
  constructor(token) {
    super();
    this.#token = token;
  }

  /** Seconds since the gateway has answered, or since the page was opened. */
  get silence() { return (performance.now() - this.#lastAnswer) / 1000; }

  get isConnected() { return this.last !== null && this.silence < silenceMax; }

  /** @param {OpenAlertAnswer} alert sent when the gateway can be reached */
  acknowledge({ id, sequence }) {
    this.#acknowledged.set(id, sequence);
    this.#unsent.set(id, sequence);
    this.read();
  }

  /** @param {OpenAlertAnswer} alert */
  isAcknowledged({ id, sequence, acknowledged }) {
    return Math.max(acknowledged ?? 0, this.#acknowledged.get(id) ?? 0) >= sequence;
  }

  /**
   * @param {string} input "profile" or "consent"
   * @param {object} body
   */
  put(input, body) { return ask("PUT", `/cab/${input}`, { token: this.#token, body }); }

  async #read() {
    try {
      /** @type {CabAnswer} */
      const answer = await ask("GET", "/cab", { token: this.#token, timeout: timeoutMilliseconds });
      this.last = answer;
      this.#lastAnswer = performance.now();
      if (this.#isFailing) this.emit("connected");
      this.#isFailing = false;
      this.emit("answer", answer);
      await this.#sendAcknowledgements(answer);
    } catch (error) {
      this.#isFailing = true;
      if (error instanceof CabError && error.status === 401) this.emit("unpaired", error.message);
    }
  }

  /** @param {CabAnswer} answer */
  async #sendAcknowledgements({ alerts }) {
    const ids = new Set(alerts.map(({ id }) => id));
    for (const id of this.#acknowledged.keys()) if (!ids.has(id)) this.#acknowledged.delete(id);
    for (const [alert, sequence] of this.#unsent) {
      if (ids.has(alert)) await ask("POST", "/cab/ack", { token: this.#token, body: { alert, sequence } });
      // A later one may have come meanwhile.
      if (this.#unsent.get(alert) === sequence) this.#unsent.delete(alert);
    }
  }
}
