// @ts-check
import { withoutOverlap } from "../assets/common/scheduling.js";
import { ask, CabError } from "./cab-client.js";

/** @typedef {import("./fix-queue.js").FixQueue} FixQueue */

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
  #pause = 0;
  #earliest = 0;
  #isStopped = false;
  /** Sends what is there, once the pause after a failure is over. */
  send;

  /**
   * @param {FixQueue} queue
   * @param {string} token
   */
  constructor(queue, token) {
    this.#queue = queue;
    this.#token = token;
    this.send = withoutOverlap(() => this.#send());
  }

  stop() { this.#isStopped = true; }

  /** Lets the next call of `send` try at once: the connection is back. */
  endPause() { this.#earliest = 0; }

  async #send() {
    while (!this.#isStopped && performance.now() >= this.#earliest) {
      const batch = await this.#queue.oldest(batchCount);
      if (batch.length === 0) return;
      // The token is for one vehicle; a page of another, which this phone was paired with before, may still have added some.
      const own = batch.filter(({ vehicle }) => vehicle === this.#queue.vehicle);
      try {
        if (own.length > 0) await ask("POST", "/cab/fixes", { token: this.#token, body: own.map(({ fix }) => fix) });
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
}
