// @ts-check
import { EventEmitter } from "../assets/common/event-emitter.js";
import { withoutOverlap } from "../assets/common/scheduling.js";
import { ServerClock } from "../assets/common/time.js";
import { ask, CabError } from "./cab-client.js";
import { EventStream } from "./event-stream.js";

/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */
/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */
/** @typedef {import("./acknowledgements.js").Acknowledgements} Acknowledgements */

/** An answer that takes longer counts as none, so that the driver is soon told. */
const timeoutMilliseconds = 5000;
/** Seconds without a sign of the gateway after which its distances are counted on by the phone's own position. */
const freshMax = 3;
/** Seconds without one after which the page counts as not connected. Above the pause between two polls. */
const silenceMax = 12;
/** Seconds between two polls while the stream is silent. */
const pollInterval = 10;
/** Milliseconds by which the phone's clock jumps where it was set, or where the phone has slept and `performance.now` has not run on. */
const jumpMin = 2000;

/**
 * Hears what the gateway tells the vehicle: by the event stream, without that by polling. Emits `answer`, and `connected`
 * after an outage, and `unpaired` where the gateway knows the phone no more.
 *
 * @extends {EventEmitter<{answer: [CabAnswer], connected: [], unpaired: [string]}>}
 */
export class Connection extends EventEmitter {
  /** @type {CabAnswer | null} */
  last = null;
  /** The gateway's, by which a height is measured: the phone's own clock may be minutes off. */
  clock = new ServerClock();
  #token;
  #acknowledgements;
  #stream;
  #lastSign = performance.now();
  #lastPoll = -Infinity;
  /** The phone's time when `performance.now` was 0. */
  #origin = Date.now() - performance.now();
  #isFailing = false;
  read = withoutOverlap(() => this.#read());
  #sendAcknowledgements = withoutOverlap(() => this.#sendUnsent());

  /**
   * @param {string} token
   * @param {Acknowledgements} acknowledgements
   */
  constructor(token, acknowledgements) {
    super();
    this.#token = token;
    this.#acknowledgements = acknowledgements;
    this.#stream = new EventStream(token);
    this.#stream.on("sign", () => this.#noteSign());
    this.#stream.on("answer", (answer) => this.#take(answer));
    this.#stream.on("refused", () => this.read());
    this.#stream.run();
  }

  /** Seconds since the gateway has said anything, or since the page was opened. */
  get silence() { return (performance.now() - this.#lastSign) / 1000; }

  get isConnected() { return this.last !== null && this.silence < silenceMax; }

  /** Whether the last answer is of now. */
  get isFresh() { return this.last !== null && this.silence < freshMax; }

  /** To be called each second. */
  tick() {
    if (this.isFresh && this.#acknowledgements.unsent.length > 0) this.#sendAcknowledgements();
    const isDue = !this.isFresh && performance.now() - this.#lastPoll >= pollInterval * 1000;
    if (this.#noteJump() || isDue) this.read();
  }

  stop() { this.#stream.stop(); }

  /** @param {OpenAlertAnswer} alert sent when the gateway can be reached */
  async acknowledge(alert) {
    await this.#acknowledgements.add(alert);
    this.#sendAcknowledgements();
  }

  /** @param {OpenAlertAnswer} alert */
  isAcknowledged(alert) { return this.#acknowledgements.covers(alert); }

  /**
   * @param {string} input "profile" or "consent"
   * @param {object} body
   */
  put(input, body) { return ask("PUT", `/cab/${input}`, { token: this.#token, body }); }

  /** @returns {boolean} whether the gateway's time has to be asked for again */
  #noteJump() {
    const before = this.#origin;
    this.#origin = Date.now() - performance.now();
    return Math.abs(this.#origin - before) > jumpMin;
  }

  async #read() {
    this.#lastPoll = performance.now();
    try {
      /** @type {CabAnswer} */
      const answer = await ask("GET", "/cab", { token: this.#token, timeout: timeoutMilliseconds, clock: this.clock });
      this.#noteSign();
      this.#take(answer);
    } catch (error) {
      this.#isFailing = true;
      if (error instanceof CabError && error.status === 401) this.emit("unpaired", error.message);
    }
  }

  #noteSign() {
    const wasFailing = this.#isFailing || this.silence > freshMax;
    this.#lastSign = performance.now();
    this.#isFailing = false;
    if (!wasFailing) return;
    this.emit("connected");
    this.#sendAcknowledgements();
  }

  /** @param {CabAnswer} answer */
  #take(answer) {
    this.last = answer;
    this.emit("answer", answer);
    // A gateway that has just started knows no vehicle yet, and of its alerts nothing.
    if (answer.state !== null) this.#acknowledgements.removeEnded(answer.alerts);
    this.#sendAcknowledgements();
  }

  async #sendUnsent() {
    for (const entry of this.#acknowledgements.unsent) {
      try {
        await ask("POST", "/cab/ack", { token: this.#token, body: { alert: entry.alert, sequence: entry.sequence } });
        await this.#acknowledgements.noteSent(entry);
      } catch {
        return; // sent again with the next answer
      }
    }
  }
}
