// @ts-check
import { Approach } from "./approach.js";
import { distanceBetween } from "./geometry.js";

/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */
/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */
/** @typedef {import("./connection.js").Connection} Connection */

/**
 * An alert as it stands now: as the gateway says, or carried on from its last word by the phone's own position.
 *
 * @typedef {object} Hazard
 * @property {OpenAlertAnswer} alert
 * @property {string} stage
 * @property {number} distance metres
 * @property {number | null} detourDistance metres to the last turn-off; null: none is left
 * @property {boolean} isOwn whether it is carried on
 */

/** The stages that are shown, the worst first. */
const stages = ["stop", "detour", "ahead"];

/** The hazards of the vehicle, also while the gateway cannot be heard. */
export class HazardWatch {
  #connection;
  /** By alert. @type {Map<string, Approach>} */
  #approaches = new Map();
  /** @type {DeviceFix | null} */
  #fix = null;

  /** @param {Connection} connection */
  constructor(connection) {
    this.#connection = connection;
    connection.on("answer", (answer) => this.#take(answer));
  }

  /** @param {DeviceFix} fix */
  move(fix) {
    this.#fix = fix;
    const alerts = this.#connection.last?.alerts ?? [];
    for (const alert of alerts) {
      const approach = this.#approaches.get(alert.id);
      if (approach === undefined) this.#approaches.set(alert.id, new Approach(alert, fix));
      else approach.move(fix);
    }
  }

  /** The open alarms, the worst and nearest first. */
  get alarms() { return this.#shown("alarm"); }

  get notices() { return this.#shown("notice"); }

  /** The alarms that are no longer counted down: the vehicle has left the way to the bridge, or has passed it. One thing at a time. */
  get left() {
    if (this.#connection.isFresh || this.alarms.length > 0) return [];
    return this.#open("alarm").filter(({ id }) => this.#approaches.get(id)?.isLeft);
  }

  /** Whether the vehicle is near a low clearance that no alert is open for, and that nobody judges now. */
  get isNearClearance() {
    const { last, isFresh } = this.#connection;
    const fix = this.#fix;
    if (isFresh || fix === null || last === null) return false;
    return last.clearances.some((circle) => distanceBetween(fix, circle) <= circle.radius);
  }

  /** @param {CabAnswer} answer */
  #take({ alerts }) {
    const fix = this.#fix;
    this.#approaches = new Map(fix === null ? [] : alerts.map((alert) => [alert.id, new Approach(alert, fix)]));
  }

  /** @param {"alarm" | "notice"} attention */
  #open(attention) { return (this.#connection.last?.alerts ?? []).filter((alert) => alert.attention === attention); }

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
    const approach = this.#approaches.get(alert.id);
    if (this.#connection.isFresh || approach === undefined) {
      const { distance, detour_distance: detourDistance } = alert.now
        ?? { distance: alert.distance, detour_distance: alert.detour?.distance ?? null };
      return [{ alert, stage: alert.stage, distance, detourDistance, isOwn: false }];
    }
    const { stage, distance, detourDistance, isLeft } = approach;
    return isLeft ? [] : [{ alert, stage, distance, detourDistance, isOwn: true }];
  }
}
