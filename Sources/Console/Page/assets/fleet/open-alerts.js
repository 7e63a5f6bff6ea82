// @ts-check
import { errorMessage } from "../common/errors.js";
import { EventEmitter } from "../common/event-emitter.js";
import { throttle, withoutOverlap } from "../common/scheduling.js";
import { compareAlerts, secondsLeft } from "./alert-order.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../types/api").Alert} Alert */
/** @typedef {import("../types/api").AlertProgress} AlertProgress */
/** @typedef {import("../types/api").OpenAlertAnswer} OpenAlertAnswer */

/**
 * @typedef {object} OpenAlert
 * @property {Alert} message the last one of the alert
 * @property {number | null} acknowledged the sequence that the driver has acknowledged
 * @property {number} distance to the low edge as of now, in metres
 * @property {number | null} detourDistance to the last turn-off as of now, in metres
 * @property {string} text what the driver was told, with the distances of now in the user's units
 * @property {number} eta seconds to the low edge as of now
 * @property {number} receivedAt when its last message came, in milliseconds since 1970
 */

const finalStages = new Set(["passed", "cleared"]);
/** How many ended alerts are still shown, and for how many seconds. */
const endedMax = 10;
const endedSecondsMax = 600;
/** More than there are at one time in a fleet of 100,000 trucks. */
const loadMax = 10_000;
/** Alerts in one answer; of several answers, an alert may move from one that is still to come to one that came. */
const pageMax = 1000;
/** Messages of one vehicle among which the last of an ended alert is sought. */
const historyMax = 100;
/** Alerts that are loaded to have the worst again. */
const worstMax = 200;
/** Alerts from before the page was opened are loaded at most once in so many milliseconds. */
const loadInterval = 3000;
/** All are loaded at most once in so many milliseconds because the page has more or fewer than the gateway says. */
const recountInterval = 10_000;
/** A large fleet has many alert messages a second; listeners hear of them together, at most once in so many milliseconds. */
const changeInterval = 250;
/** A list of the stream may be of before a message that came so many milliseconds ago. */
const listAgeMax = 2000;
/** An answer to a request for the alerts may be of before an alert ended so many milliseconds ago. */
const answerAgeMax = 30_000;
/** More alerts than end within that time in a fleet of 100,000 trucks. */
const justEndedMax = 10_000;

/**
 * The open alerts, worst first, with their current distances, and those that have ended recently. Emits `change`, and
 * `message` with each message of an alert that is new to the page.
 *
 * @extends {EventEmitter<{change: [], message: [Alert]}>}
 */
export class OpenAlerts extends EventEmitter {
  /** @type {ApiClient} */
  #client;
  /** @type {Units} */
  #units;
  /**
   * By id.
   *
   * @type {Map<string, OpenAlert>}
   */
  #alerts = new Map();
  /**
   * The same, worst first; null after a change.
   *
   * @type {OpenAlert[] | null}
   */
  #sorted = null;
  /** Another one as soon as another alert is open or one has another message: distances change every second. */
  revision = 0;
  /** @type {{message: Alert, receivedAt: number}[]} */
  #ended = [];
  /**
   * When each alert ended, by its id, the earliest first.
   *
   * @type {Map<string, number>}
   */
  #justEnded = new Map();
  #emitChange = throttle(() => this.emit("change"), changeInterval);
  #loadAll = withoutOverlap(() => this.#load(loadMax));
  #loadWorst = throttle(withoutOverlap(() => this.#load(worstMax)), loadInterval);
  #recount = throttle(this.#loadAll, recountInterval);
  /**
   * Since when, by `performance.now`, the gateway has had another number of open alerts; null: it has not.
   *
   * @type {number | null}
   */
  #differsSince = null;
  /**
   * What was loaded last in several answers.
   *
   * @type {OpenAlertAnswer[]}
   */
  #loaded = [];
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
   * @param {Units} units
   */
  constructor(client, stream, units) {
    super();
    this.#client = client;
    this.#units = units;
    stream.on("alert", (message) => { if (message.type === "low-clearance") this.#receive(message); });
    stream.on("alerts", ({ count, open }) => this.#update(count, open));
    stream.onGap(this.#loadAll);
  }

  /** Worst first. */
  get open() { return this.#sorted ??= [...this.#alerts.values()].sort(compareAlerts); }

  /** How many are open. */
  get count() { return this.#alerts.size; }

  /**
   * The last message of an alert that is open.
   *
   * @param {string} id
   */
  message(id) { return this.#alerts.get(id)?.message ?? null; }

  /** The messages that ended alerts, the latest first. */
  get ended() {
    const oldest = Date.now() - endedSecondsMax * 1000;
    return this.#ended.filter(({ receivedAt }) => receivedAt > oldest).map(({ message }) => message);
  }

  /**
   * The last message of an alert that has ended.
   *
   * @param {string} id
   * @param {string} vehicle
   * @returns {Promise<Alert | null>} null: it is not kept
   */
  async lastMessage(id, vehicle) {
    const known = this.#ended.find(({ message }) => message.id === id);
    if (known) return known.message;
    /** @type {import("../types/api").ListPage<Alert>} */
    const { items } = await this.#client.get("/alerts", { state: "all", vehicle, order: "desc", limit: historyMax });
    return items.find((message) => message.id === id) ?? null;
  }

  /** @param {number} limit how many of the worst are loaded; others stay as they are */
  async #load(limit) {
    try {
      /** @type {{items: OpenAlertAnswer[], isComplete: boolean}} */
      const { items, isComplete } = await this.#client.getAll("/alerts", { state: "open", units: this.#units.system }, limit);
      // The stream may already have ended an alert that the answer still has.
      const open = items.filter(({ id }) => !this.#hasJustEnded(id));
      if (isComplete) this.#keepOnly([...open, ...this.#loaded]);
      this.#loaded = items.length > pageMax ? open : [];
      // Messages may have come while the answer was under way.
      for (const answer of open) if (answer.sequence >= this.#sequence(answer.id)) this.#put(fromAnswer(answer));
      this.error = null;
      this.isLoaded = true;
    } catch (error) {
      this.error = errorMessage(error);
    }
    this.#emitChange();
  }

  /** @param {string} id */
  #sequence(id) { return this.#alerts.get(id)?.message.sequence ?? 0; }

  /** @param {OpenAlert} alert */
  #put(alert) {
    const { id, sequence } = alert.message;
    if (this.#sequence(id) !== sequence) this.revision += 1;
    this.#alerts.set(id, alert);
    this.#sorted = null;
  }

  /** @param {string} id */
  #remove(id) {
    if (!this.#alerts.delete(id)) return;
    this.revision += 1;
    this.#sorted = null;
  }

  /** @param {Alert} message */
  #receive(message) {
    const known = this.#alerts.get(message.id);
    if ((known && known.message.sequence >= message.sequence) || this.#hasJustEnded(message.id)) return;
    if (finalStages.has(message.stage)) this.#end(message);
    else this.#set(message, known);
    this.#emitChange();
    this.emit("message", message);
  }

  /**
   * @param {Alert} message
   * @param {OpenAlert | undefined} known
   */
  #set(message, known) {
    this.#put({
      message, acknowledged: known?.acknowledged ?? null, distance: message.distance,
      detourDistance: message.detour?.distance ?? null, text: message.text, eta: message.eta, receivedAt: Date.now(),
    });
  }

  /** @param {Alert} message */
  #end(message) {
    const receivedAt = Date.now();
    this.#remove(message.id);
    const others = this.#ended.filter((ended) => ended.message.id !== message.id);
    this.#ended = [{ message, receivedAt }, ...others].slice(0, endedMax);
    this.#justEnded.set(message.id, receivedAt);
    for (const [id, time] of this.#justEnded) {
      if (time > receivedAt - answerAgeMax && this.#justEnded.size <= justEndedMax) break;
      this.#justEnded.delete(id);
    }
  }

  /**
   * Whether messages and answers may still say that an alert is open which has ended.
   *
   * @param {string} id
   */
  #hasJustEnded(id) { return (this.#justEnded.get(id) ?? -Infinity) > Date.now() - answerAgeMax; }

  /**
   * @param {number} count of all
   * @param {AlertProgress[]} open the worst
   */
  #update(count, open) {
    for (const { id, distance, detour_distance: detourDistance, eta, acknowledged, text } of open) {
      const alert = this.#alerts.get(id);
      if (alert) Object.assign(alert, { distance, detourDistance, eta, acknowledged, text });
    }
    this.#sorted = null;
    if (open.length === count) this.#keepOnly(open);
    else this.#compareCount(count);
    if (open.some(({ id, sequence }) => this.#sequence(id) < sequence)) this.#loadWorst();
    this.#emitChange();
  }

  /**
   * Of a truck that is forgotten, or may not be watched any more, no message says that its alerts have ended.
   *
   * @param {number} count
   */
  #compareCount(count) {
    if (count === this.#alerts.size || count > loadMax) {
      this.#differsSince = null;
      return;
    }
    this.#differsSince ??= performance.now();
    if (performance.now() - this.#differsSince > listAgeMax) this.#recount();
  }

  /** @param {{id: string}[]} open all that are open, but for those of which a message has only just come */
  #keepOnly(open) {
    const ids = new Set(open.map(({ id }) => id));
    const newest = Date.now() - listAgeMax;
    const gone = this.open.filter(({ message, receivedAt }) => !ids.has(message.id) && receivedAt < newest);
    for (const { message } of gone) this.#remove(message.id);
    this.#findEnds(gone.slice(0, endedMax));
  }

  /**
   * What ended them, where the page has not heard it.
   *
   * @param {OpenAlert[]} gone
   */
  async #findEnds(gone) {
    for (const { message: { id, vehicle } } of gone) {
      const last = await this.lastMessage(id, vehicle).catch(() => null);
      if (last === null || !finalStages.has(last.stage) || this.#hasJustEnded(id)) continue;
      this.#end(last);
      this.#emitChange();
    }
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
  text: answer.text_now,
  eta: secondsLeft(answer, answer.now?.distance ?? answer.distance),
  receivedAt: 0,
});
