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
   * The newest, the oldest of them first.
   *
   * @type {UntakenAlert[]}
   */
  all = [];
  /** Also those that are not among the newest. */
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
