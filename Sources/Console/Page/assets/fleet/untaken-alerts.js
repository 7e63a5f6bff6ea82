// @ts-check
import { pathSegment } from "../api/api-client.js";
import { EventEmitter } from "../common/event-emitter.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../types/api").UntakenAlert} UntakenAlert */

/**
 * The alerts that a dispatcher has to take: the gateway keeps them, the same for all users. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class UntakenAlerts extends EventEmitter {
  /** @type {ApiClient} */
  #client;
  /**
   * The newest, the oldest of them first.
   *
   * @type {UntakenAlert[]}
   */
  all = [];
  /** Also those that are not among the newest. */
  count = 0;

  /**
   * @param {ApiClient} client
   * @param {EventStream} stream
   */
  constructor(client, stream) {
    super();
    this.#client = client;
    stream.on("untaken", ({ count, alerts }) => {
      this.all = alerts;
      this.count = count;
      this.emit("change");
    });
  }

  /** @param {string} id */
  take(id) { return this.#client.put(`/alerts/${pathSegment(id)}/handling`, { status: "taken" }); }
}
