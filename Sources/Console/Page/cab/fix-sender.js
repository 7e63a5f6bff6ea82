// @ts-check
import { withoutOverlap } from "../assets/common/scheduling.js";
import { ask, CabError } from "./cab-client.js";

/** @typedef {import("../assets/common/time.js").ServerClock} ServerClock */
/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("./fix-queue.js").FixQueue} FixQueue */
/** @typedef {import("./fix-queue.js").StoredFix} StoredFix */

/** Fixes of one request; they are about 80 kB. */
const batchCount = 500;
/** Milliseconds until the next attempt after one that failed; doubled by each further one. */
const pauseMin = 1000;
const pauseMax = 30_000;

/** Sends the fixes of a queue in their order; each stays in the queue until the gateway has answered that it is in force. */
export class FixSender {
  /** @type {FixQueue} */
  #queue;
  /** @type {string} */
  #token;
  #clock;
  #pause = 0;
  #earliest = 0;
  #isStopped = false;
  /**
   * The oldest that is not sent.
   *
   * @type {StoredFix | undefined}
   */
  #oldest;
  /** Sends what is there, once the pause after a failure is over. */
  send;

  /**
   * @param {FixQueue} queue
   * @param {string} token
   * @param {ServerClock} clock by which fixes are timed
   */
  constructor(queue, token, clock) {
    this.#queue = queue;
    this.#token = token;
    this.#clock = clock;
    this.send = withoutOverlap(() => this.#send());
  }

  stop() { this.#isStopped = true; }

  /** Seconds since the oldest fix that is not sent; 0: there is none. */
  get delay() { return this.#oldest === undefined ? 0 : this.#clock.secondsSince(this.#oldest.fix.time); }

  /** Lets the next call of `send` try at once: the connection is back. */
  endPause() { this.#earliest = 0; }

  async #send() {
    while (!this.#isStopped && performance.now() >= this.#earliest) {
      const batch = await this.#queue.oldest(batchCount);
      this.#oldest = batch[0];
      if (batch.length === 0) return;
      // The token is for one vehicle; a page of another, which this phone was paired with before, may still have added some.
      const own = batch.filter(({ vehicle }) => vehicle === this.#queue.vehicle);
      try {
        if (own.length > 0) await this.#post(own.map(({ fix }) => fix));
      } catch (error) {
        // None of them can be read: they would be refused for ever.
        if (!(error instanceof CabError && error.status === 422)) {
          this.#pause = Math.min(pauseMax, Math.max(pauseMin, 2 * this.#pause));
          this.#earliest = performance.now() + this.#pause;
          return;
        }
      }
      this.#pause = 0;
      await this.#queue.removeThrough(batch[batch.length - 1].key);
    }
  }

  /** @param {DeviceFix} fix one that the browser's database does not take: it is sent once */
  sendUnkept(fix) { if (!this.#isStopped) this.#post([fix]).catch(() => {}); }

  /** @param {DeviceFix[]} fixes */
  #post(fixes) { return ask("POST", "/cab/fixes", { token: this.#token, body: fixes }); }
}
