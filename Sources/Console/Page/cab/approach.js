// @ts-check
import { distanceBetween, distanceToLine, plane } from "./geometry.js";

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
/** Degrees between the way to the last turn-off and the way from there. */
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
  /** Where the vehicle was before it came near the last turn-off. */
  #before;
  #last;
  #hasTurnedOff = false;
  /** Since it has turned off; also behind the end of the detour. */
  #isOnDetour = false;
  stage;
  /** Whether the vehicle is on the detour, or has the bridge behind it. */
  isLeft = false;

  /**
   * @param {OpenAlertAnswer} alert as the gateway said last
   * @param {DeviceFix} fix where the vehicle was then
   */
  constructor(alert, fix) {
    this.#alert = alert;
    this.stage = alert.stage;
    this.#before = fix;
    this.#last = fix;
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
    const mayTurnOff = this.#followDetour(fix);
    this.isLeft = this.#bridge.growth > leftMetres || this.#isOnDetour;
    if (this.isLeft || this.#alert.side_road || this.#detour === null) return;
    const isBehind = this.#detour.growth > Math.max(behindMetres, fix.accuracy);
    if (isBehind) {
      if (!mayTurnOff) this.stage = "stop";
    } else if (this.#detour.distance <= Math.max(detourMetres, detourSeconds * (fix.speed ?? 0))) {
      this.stage = "detour";
    }
  }

  /**
   * @param {DeviceFix} fix
   * @returns {boolean} whether it is too near to the last turn-off to say that the vehicle does not turn off there
   */
  #followDetour(fix) {
    const { detour } = this.#alert;
    if (detour === null || this.#detour === null) return false;
    const wasNear = this.#detour.straight <= turnedOffMetres;
    this.#detour.move(fix);
    const { growth, straight } = this.#detour;
    if (growth <= 0 && !wasNear) this.#before = this.#last;
    this.#last = fix;
    const line = detour.line.coordinates.map(([lon, lat]) => ({ lat, lon }));
    const aside = distanceToLine(fix, line);
    const isBeside = aside < Math.max(detourWidth, fix.accuracy);
    // Nearer to the turn-off, the receiver's error alone may be so great a turn.
    const isFar = straight > Math.max(turnedOffMetres, 2 * fix.accuracy);
    this.#hasTurnedOff ||= isBeside && isFar && growth > 0 && turn(this.#before, detour, fix) > turnedOffDegrees;
    this.#isOnDetour = this.#hasTurnedOff
      && (isBeside || (this.#isOnDetour && this.#isBehindEnd(line[line.length - 1], fix, aside)));
    return isBeside && straight <= turnedOffMetres;
  }

  /**
   * Whether the vehicle drives on behind the end of the detour, and not from there to the bridge.
   *
   * @param {Place} end
   * @param {DeviceFix} fix
   * @param {number} aside metres to the detour
   */
  #isBehindEnd(end, fix, aside) {
    const nearer = distanceBetween(end, this.#alert.clearance) - this.#bridge.straight;
    return distanceBetween(fix, end) < aside + detourWidth && nearer < Math.max(behindMetres, fix.accuracy);
  }
}

/**
 * Degrees between the way to a place and the way from there, in straight lines.
 *
 * @param {Place} from
 * @param {Place} place
 * @param {Place} to
 */
function turn(from, place, to) {
  const degrees = [from, to].map((end) => {
    const { x, y } = plane(end, place);
    return (Math.atan2(x, y) * 180) / Math.PI;
  });
  return 180 - Math.abs(((degrees[1] - degrees[0] + 540) % 360) - 180);
}
