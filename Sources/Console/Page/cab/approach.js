// @ts-check
import { distanceBetween, distanceToLine } from "./geometry.js";

/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */
/** @typedef {{lat: number, lon: number}} Place */

/** Metres and seconds before the last turn-off at which the stage is `detour`, as in the gateway. */
const detourMetres = 300;
const detourSeconds = 20;
/** Metres by which the distance to a place must have grown for it to be behind: more than a receiver's noise. */
const behindMetres = 15;
const leftMetres = 50;
/** Within so many metres of the detour, and so far from the last turn-off, the vehicle has turned off there. */
const detourWidth = 20;
const turnedOffMetres = 30;
/** Degrees between the way to the last turn-off and the way now. */
const turnedOffDegrees = 35;

/** One place that is driven to: how far it is along the road, as the gateway said last, carried on by the straight line. */
class Target {
  #place;
  #along;
  #straight;
  #nearest;
  /** Metres in a straight line. */
  straight;
  /** Metres along the road. */
  distance;

  /**
   * @param {Place} place
   * @param {number} along metres along the road
   * @param {Place} from where that was so
   */
  constructor(place, along, from) {
    this.#place = place;
    this.#along = along;
    this.#straight = Math.max(1, distanceBetween(from, place));
    this.#nearest = this.#straight;
    this.straight = this.#straight;
    this.distance = along;
  }

  /** @param {Place} position */
  move(position) {
    this.straight = distanceBetween(position, this.#place);
    this.#nearest = Math.min(this.#nearest, this.straight);
    this.distance = Math.max(this.straight, (this.#along * this.straight) / this.#straight);
  }

  /** Metres by which it was nearer once. */
  get growth() { return this.straight - this.#nearest; }
}

/** The approach to one bridge while the gateway cannot be heard, by the phone's own positions. */
export class Approach {
  #alert;
  #bridge;
  /** @type {Target | null} null: there is none, or it is behind */
  #detour = null;
  #heading;
  stage;
  /** Whether the vehicle has turned off, or has the bridge behind it. */
  isLeft = false;

  /**
   * @param {OpenAlertAnswer} alert as the gateway said last
   * @param {DeviceFix} fix where the vehicle was then
   */
  constructor(alert, fix) {
    this.#alert = alert;
    this.stage = alert.stage;
    this.#heading = fix.course;
    this.#bridge = new Target(alert.clearance, alert.now?.distance ?? alert.distance, fix);
    const distance = alert.now?.detour_distance ?? alert.detour?.distance ?? 0;
    if (alert.detour !== null && distance > 0 && alert.stage !== "stop") this.#detour = new Target(alert.detour, distance, fix);
  }

  get distance() { return this.#bridge.distance; }

  /** To the last turn-off; null where there is none, or none is left. */
  get detourDistance() { return this.stage === "stop" ? null : this.#detour?.distance ?? null; }

  /** @param {DeviceFix} fix */
  move(fix) {
    this.#bridge.move(fix);
    this.#detour?.move(fix);
    this.isLeft = this.#bridge.growth > leftMetres || this.#hasTurnedOff(fix);
    if (this.isLeft || this.#alert.side_road || this.#detour === null) return;
    const isBehind = this.#detour.growth > Math.max(behindMetres, fix.accuracy);
    if (isBehind) {
      this.stage = "stop";
    } else if (this.#detour.distance <= Math.max(detourMetres, detourSeconds * (fix.speed ?? 0))) {
      this.stage = "detour";
    }
  }

  /**
   * On the detour beyond the last turn-off, and no longer in the direction in which it was driven to.
   *
   * @param {DeviceFix} fix
   */
  #hasTurnedOff(fix) {
    const { detour } = this.#alert;
    if (detour === null || this.#detour === null || fix.course === null) return false;
    if (this.#detour.growth <= 0) {
      this.#heading = fix.course;
      return false;
    }
    const turn = Math.abs(((fix.course - (this.#heading ?? fix.course) + 540) % 360) - 180);
    const line = detour.line.coordinates.map(([lon, lat]) => ({ lat, lon }));
    return turn > turnedOffDegrees && distanceBetween(fix, detour) > turnedOffMetres
      && distanceToLine(fix, line) < Math.max(detourWidth, fix.accuracy);
  }
}
