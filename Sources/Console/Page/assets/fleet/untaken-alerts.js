// @ts-check
import { EventEmitter } from "../common/event-emitter.js";

/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../types/api").UntakenAlert} UntakenAlert */

/**
 * The alerts that a dispatcher has to take: the gateway keeps them, the same for all users. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class UntakenAlerts extends EventEmitter {
  /**
   * The most urgent first: bridges that were passed, then stops that nobody has answered in time.
   *
   * @type {UntakenAlert[]}
   */
  all = [];
  /** Also those that are not among the most urgent. */
  count = 0;

  /** @param {EventStream} stream */
  constructor(stream) {
    super();
    stream.on("untaken", ({ count, alerts }) => {
      this.all = alerts;
      this.count = count;
      this.emit("change");
    });
  }
}
