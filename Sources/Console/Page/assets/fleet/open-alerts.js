// @ts-check
import { errorMessage } from "../common/errors.js";
import { EventEmitter } from "../common/event-emitter.js";
import { throttle, withoutOverlap } from "../common/scheduling.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../types/api").Alert} Alert */
/** @typedef {import("../types/api").AlertProgress} AlertProgress */
/** @typedef {import("../types/api").OpenAlertAnswer} OpenAlertAnswer */

/**
 * @typedef {object} OpenAlert
 * @property {Alert} message the last one of the alert
 * @property {number | null} acknowledged the sequence that the driver has acknowledged
 * @property {number} distance to the low edge as of now, in metres
 * @property {number | null} detourDistance to the last turn-off as of now, in metres
 */

const finalStages = new Set(["passed", "cleared"]);
/** How many ended alerts are still shown, and for how many seconds. */
const endedMax = 10;
const endedSecondsMax = 600;
const loadMax = 1000;
/** Open alerts that the stream sends at most. */
const streamMax = 200;
/** Alerts from before the page was opened are loaded at most once in so many milliseconds. */
const loadInterval = 3000;

/**
 * The open alerts, worst first, with their current distances, and those that have ended recently. Emits `change`, and
 * `message` with each message of an alert that is new to the page.
 *
 * @extends {EventEmitter<{change: [], message: [Alert]}>}
 */
export class OpenAlerts extends EventEmitter {
  /** @type {ApiClient} */
  #client;
  /**
   * By id.
   *
   * @type {Map<string, OpenAlert>}
   */
  #alerts = new Map();
  /**
   * Ids, worst first.
   *
   * @type {string[]}
   */
  #order = [];
  /** @type {{message: Alert, receivedAt: number}[]} */
  #ended = [];
  #loadAll = withoutOverlap(() => this.#load(loadMax));
  #loadWorst = throttle(withoutOverlap(() => this.#load(streamMax)), loadInterval);
  /**
   * Why the alerts could not be loaded.
   *
   * @type {string | null}
   */
  error = null;
  isLoaded = false;

  /**
   * @param {ApiClient} client
   * @param {EventStream} stream
   */
  constructor(client, stream) {
    super();
    this.#client = client;
    stream.on("alert", (message) => { if (message.type === "low-clearance") this.#receive(message); });
    stream.on("alerts", ({ open }) => this.#update(open));
    stream.on("reset", this.#loadAll);
    stream.on("state", (state) => { if (state === "live") this.#loadAll(); });
  }

  /** Worst first. */
  get open() { return this.#order.flatMap((id) => this.#alerts.get(id) ?? []); }

  /** The messages that ended alerts, the latest first. */
  get ended() {
    const oldest = Date.now() - endedSecondsMax * 1000;
    return this.#ended.filter(({ receivedAt }) => receivedAt > oldest).map(({ message }) => message);
  }

  /** @param {number} limit how many of the worst; alerts beyond it stay as they are */
  async #load(limit) {
    try {
      /** @type {{items: OpenAlertAnswer[], isComplete: boolean}} */
      const { items, isComplete } = await this.#client.getAll("/alerts", { state: "open" }, limit);
      // The stream may already have ended an alert that the answer still has.
      const open = items.filter(({ id }) => !this.#ended.some(({ message }) => message.id === id));
      if (isComplete) this.#alerts.clear();
      for (const answer of open) this.#alerts.set(answer.id, fromAnswer(answer));
      this.#reorder(open.map(({ id }) => id), isComplete);
      this.error = null;
      this.isLoaded = true;
    } catch (error) {
      this.error = errorMessage(error);
    }
    this.emit("change");
  }

  /** @param {Alert} message */
  #receive(message) {
    const known = this.#alerts.get(message.id);
    if (known && known.message.sequence >= message.sequence) return;
    if (finalStages.has(message.stage)) this.#end(message);
    else this.#set(message, known);
    this.emit("change");
    this.emit("message", message);
  }

  /**
   * A new alert is shown on top until the stream's next list has its place.
   *
   * @param {Alert} message
   * @param {OpenAlert | undefined} known
   */
  #set(message, known) {
    if (!known) this.#order.unshift(message.id);
    this.#alerts.set(message.id, {
      message, acknowledged: known?.acknowledged ?? null, distance: message.distance,
      detourDistance: message.detour?.distance ?? null,
    });
  }

  /** @param {Alert} message */
  #end(message) {
    this.#alerts.delete(message.id);
    const others = this.#ended.filter((ended) => ended.message.id !== message.id);
    this.#ended = [{ message, receivedAt: Date.now() }, ...others].slice(0, endedMax);
  }

  /** @param {AlertProgress[]} open worst first */
  #update(open) {
    for (const { id, distance, detour_distance: detourDistance, acknowledged } of open) {
      const alert = this.#alerts.get(id);
      if (alert) Object.assign(alert, { distance, detourDistance, acknowledged });
    }
    this.#reorder(open.map(({ id }) => id), open.length < streamMax);
    if (open.some(({ id, sequence }) => (this.#alerts.get(id)?.message.sequence ?? 0) < sequence)) this.#loadWorst();
    this.emit("change");
  }

  /**
   * @param {string[]} worst ids, worst first; other alerts keep their order behind them
   * @param {boolean} isComplete there are no others
   */
  #reorder(worst, isComplete) {
    const listed = new Set(worst);
    const others = isComplete ? [] : this.#order.filter((id) => !listed.has(id) && this.#alerts.has(id));
    this.#order = [...worst, ...others];
  }
}

/**
 * @param {OpenAlertAnswer} answer
 * @returns {OpenAlert}
 */
const fromAnswer = (answer) => ({
  message: answer,
  acknowledged: answer.acknowledged ?? null,
  distance: answer.now?.distance ?? answer.distance,
  detourDistance: answer.now?.detour_distance ?? answer.detour?.distance ?? null,
});
