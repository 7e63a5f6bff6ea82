// @ts-check
import { Approach } from "./approach.js";
import { distanceBetween } from "./geometry.js";

/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */
/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */
/** @typedef {import("./connection.js").Connection} Connection */

/**
 * As the gateway says, or carried on from its last word by the phone's own position.
 *
 * @typedef {import("../assets/fleet/alert-text.js").AlertState & {alert: OpenAlertAnswer, isOwn: boolean}} Hazard isOwn: it is carried on
 */

/** The stages that are shown, the worst first. */
export const stages = ["stop", "detour", "ahead"];

/** The hazards of the vehicle, also while the gateway cannot be heard. */
export class HazardWatch {
  #connection;
  /** By alert. @type {Map<string, Approach>} */
  #approaches = new Map();
  /** @type {DeviceFix | null} */
  #fix = null;
  /**
   * Of the last answer of a gateway that knows the vehicle.
   *
   * @type {OpenAlertAnswer[]}
   */
  #alerts = [];
  /** Of the newest fix that the page has judged by itself, in milliseconds since 1970. */
  #judgedUntil = -Infinity;

  /** @param {Connection} connection */
  constructor(connection) {
    this.#connection = connection;
    connection.on("answer", (answer) => this.#take(answer));
  }

  /** @param {DeviceFix} fix */
  move(fix) {
    this.#fix = fix;
    const time = Date.parse(fix.time);
    if (!this.#isHeard || time < this.#judgedUntil) this.#judgedUntil = time;
    for (const alert of this.#alerts) {
      const approach = this.#approaches.get(alert.id);
      if (approach === undefined) this.#approaches.set(alert.id, new Approach(alert, fix));
      else approach.move(fix);
    }
  }

  /** The open alarms, the worst and nearest first. */
  get alarms() { return this.#shown("alarm"); }

  /** The ids of the open alerts: what was told of a notice that the page made an alarm stays told. */
  get openAlerts() { return this.#alerts.map(({ id }) => id); }

  get notices() { return this.#shown("notice"); }

  /** The alarms that are no longer counted down: the vehicle has left the way to the bridge, or has passed it. One thing at a time. */
  get left() {
    if (this.#isHeard || this.alarms.length > 0) return [];
    return this.#open("alarm").filter(({ id }) => this.#approaches.get(id)?.isLeft);
  }

  /** Whether the vehicle is near a low clearance that no alert is open for, and that nobody judges now. */
  get isNearClearance() {
    const { last } = this.#connection;
    const fix = this.#fix;
    if (this.#isHeard || fix === null || last === null) return false;
    return last.clearances.some((circle) => distanceBetween(fix, circle) <= circle.radius);
  }

  /** Seconds by which the fix that the gateway has judged last is older than the newest; 0: no alert is open, by which that is known. */
  get lag() {
    if (this.#fix === null || this.#alerts.length === 0) return 0;
    return (Date.parse(this.#fix.time) - Math.max(...this.#alerts.map(timeOf))) / 1000;
  }

  /** Whether what the gateway said last is of now. One that has just started knows no vehicle yet. */
  get #isHeard() { return this.#connection.isFresh && this.#connection.last?.state !== null; }

  /**
   * Whether the page has judged newer fixes than an alert is of: after an outage the gateway has still to work off those that were
   * kept here, and what it says meanwhile would take back a STOP.
   *
   * @param {OpenAlertAnswer} alert
   */
  #isOutdated(alert) { return timeOf(alert) < this.#judgedUntil; }

  /** @param {CabAnswer} answer */
  #take({ state, alerts }) {
    if (state === null) return;
    this.#alerts = alerts;
    const fix = this.#fix;
    if (fix === null) return;
    this.#approaches = new Map(alerts.map((alert) => [alert.id, this.#approachTo(alert, fix)]));
  }

  /**
   * @param {OpenAlertAnswer} alert
   * @param {DeviceFix} fix
   */
  #approachTo(alert, fix) {
    const before = this.#approaches.get(alert.id);
    const isKept = before !== undefined && this.#isOutdated(alert) && (before.isLeft || rank(before) <= rank(alert));
    return isKept ? before : new Approach(alert, fix);
  }

  /**
   * @param {OpenAlertAnswer} alert
   * @returns {Approach | undefined} by which the page carries it on; undefined: what the gateway says counts
   */
  #carriedOn(alert) { return this.#isHeard && !this.#isOutdated(alert) ? undefined : this.#approaches.get(alert.id); }

  /** @param {"alarm" | "notice"} attention */
  #open(attention) { return this.#alerts.filter((alert) => (this.#carriedOn(alert) ?? alert).attention === attention); }

  /**
   * @param {"alarm" | "notice"} attention
   * @returns {Hazard[]}
   */
  #shown(attention) {
    return this.#open(attention).flatMap((alert) => this.#hazard(alert)).filter(({ stage }) => stages.includes(stage))
      .sort((one, other) => stages.indexOf(one.stage) - stages.indexOf(other.stage) || one.distance - other.distance);
  }

  /**
   * @param {OpenAlertAnswer} alert
   * @returns {Hazard[]} empty where the vehicle has left the way to it
   */
  #hazard(alert) {
    const approach = this.#carriedOn(alert);
    if (approach === undefined) {
      const { distance, detour_distance: detourDistance } = alert.now
        ?? { distance: alert.distance, detour_distance: alert.detour?.distance ?? null };
      return [{ alert, stage: alert.stage, distance, detourDistance, isOwn: false }];
    }
    const { stage, distance, detourDistance, isLeft } = approach;
    return isLeft ? [] : [{ alert, stage, distance, detourDistance, isOwn: true }];
  }
}

/**
 * Of the fix that an alert was judged by last, in milliseconds since 1970.
 *
 * @param {OpenAlertAnswer} alert
 */
function timeOf({ now, time }) { return Date.parse(now?.time ?? time); }

/**
 * The place in order of severity, from 0 for the worst.
 *
 * @param {{attention: "alarm" | "notice", stage: string}} hazard
 */
function rank({ attention, stage }) { return attention === "notice" ? stages.length : stages.indexOf(stage); }
