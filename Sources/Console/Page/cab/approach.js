// @ts-check
import { distanceBetween, distanceToLine, plane } from "./geometry.js";

/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */
/** @typedef {import("../assets/types/geojson").LineString} LineString */
/** @typedef {{lat: number, lon: number}} Place */

/** Metres and seconds before the last turn-off at which the stage is `detour`, as in the gateway. */
const detourMetres = 300;
const detourSeconds = 20;
/** Seconds before the last turn-off within which a notice is an alarm: those of the gateway, and one until the next fix. */
const alarmSeconds = 11;
/** Metres a second: the least speed that is counted with, that of streets in a town, and the one below which a vehicle stands. */
const speedMin = 14;
const standingSpeed = 1;
/** Degrees within which a direction is that of the bridge, and the fixes in a row that it takes: one may be noise. */
const boundDegrees = 15;
const boundFixes = 3;
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
  #from;
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
    this.#from = from;
    this.#straight = Math.max(1, distanceBetween(from, place));
    this.#nearest = this.#straight;
    this.straight = this.#straight;
    this.distance = along;
  }

  /** @param {Place} position */
  move(position) {
    this.straight = distanceBetween(position, this.#place);
    this.#nearest = Math.min(this.#nearest, this.straight);
    // From close by, the share of the straight line says nothing; but no more is left than there was, and what was driven since.
    const left = Math.min((this.#along * this.straight) / this.#straight, this.#along + distanceBetween(this.#from, position));
    this.distance = Math.max(this.straight, left);
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
  /** Fixes in a row with a course to the bridge. */
  #bound = 0;
  stage;
  /** @type {"alarm" | "notice"} */
  attention;
  /** Whether the vehicle is on the detour, or has the bridge behind it. */
  isLeft = false;

  /**
   * @param {OpenAlertAnswer} alert as the gateway said last
   * @param {DeviceFix} fix where the vehicle was then
   */
  constructor(alert, fix) {
    this.#alert = alert;
    this.stage = alert.stage;
    this.attention = alert.attention;
    this.#before = fix;
    this.#last = fix;
    const { detour, now } = alert;
    this.#bridge = new Target(alert.clearance, now?.distance ?? alert.distance, fix);
    if (detour === null || alert.stage === "stop") return;
    // Null: the turn-off is reached. It counts as behind only as far as the page sees that.
    this.#detour = new Target(detour, now ? now.detour_distance ?? 0 : detour.distance, fix);
  }

  get distance() { return this.#bridge.distance; }

  /** To the last turn-off; null where there is none, or none is left. */
  get detourDistance() { return this.stage === "stop" ? null : this.#detour?.distance ?? null; }

  /** @param {DeviceFix} fix */
  move(fix) {
    this.#bridge.move(fix);
    this.#bound = this.#isBoundForBridge(fix) ? this.#bound + 1 : 0;
    const mayTurnOff = this.#followDetour(fix);
    this.isLeft = this.#bridge.growth > leftMetres || this.#isOnDetour;
    if (this.isLeft) return;
    if (this.#callsForAlarm(fix)) this.attention = "alarm";
    if (this.#detour === null) return;
    const isBehind = this.#detour.growth > Math.max(behindMetres, fix.accuracy);
    if (this.#alert.side_road) {
      if (isBehind && this.#hasTurnedToBridge(fix)) this.stage = "stop";
    } else if (isBehind) {
      if (!mayTurnOff) this.stage = "stop";
    } else if (this.#detour.distance <= Math.max(detourMetres, detourSeconds * (fix.speed ?? 0))) {
      this.stage = "detour";
    }
  }

  /**
   * Whether the last turn-off is decided about before the next fix, or the vehicle drives straight at the bridge.
   *
   * @param {DeviceFix} fix
   */
  #callsForAlarm(fix) {
    if ((fix.speed ?? 0) < standingSpeed) return false;
    const speed = Math.max(speedMin, fix.speed ?? 0);
    const isAtTurnOff = this.#detour !== null && this.#detour.growth <= 0 && this.#detour.distance <= alarmSeconds * speed;
    const isAtBridge = this.#bridge.straight <= Math.max(detourMetres, detourSeconds * speed);
    return isAtTurnOff || (isAtBridge && this.#bound >= boundFixes);
  }

  /** @param {DeviceFix} fix */
  #isBoundForBridge(fix) { return fix.course !== null && angle(fix.course, bearing(fix, this.#alert.clearance)) < boundDegrees; }

  /**
   * Whether the vehicle is on the straight line from the last turn-off to a bridge that lies round a corner there. Of a notice the
   * page does not know the detour: who turns off in almost that direction cannot be told from who drives on to the bridge.
   *
   * @param {DeviceFix} fix
   */
  #hasTurnedToBridge(fix) {
    const { clearance, detour } = this.#alert;
    if (detour === null || distanceToLine(fix, places(detour.line)) < Math.max(detourWidth, fix.accuracy)) return false;
    const driven = distanceBetween(detour, fix);
    return driven > Math.max(turnedOffMetres, 2 * fix.accuracy) && driven < distanceBetween(detour, clearance)
      && angle(bearing(detour, fix), bearing(detour, clearance)) < boundDegrees && this.#bound > 0;
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
    const line = places(detour.line);
    const aside = distanceToLine(fix, line);
    const isBeside = aside < Math.max(detourWidth, fix.accuracy);
    // Nearer to the turn-off, the receiver's error alone may be so great a turn.
    const isFar = straight > Math.max(turnedOffMetres, 2 * fix.accuracy);
    this.#hasTurnedOff ||= isBeside && isFar && growth > 0
      && angle(bearing(this.#before, detour), bearing(detour, fix)) > turnedOffDegrees;
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

/** @param {LineString} line */
function places(line) { return line.coordinates.map(([lon, lat]) => ({ lat, lon })); }

/**
 * Degrees clockwise from north, in a straight line.
 *
 * @param {Place} from
 * @param {Place} to
 */
function bearing(from, to) {
  const { x, y } = plane(to, from);
  return (Math.atan2(x, y) * 180) / Math.PI;
}

/**
 * Degrees between two directions.
 *
 * @param {number} one
 * @param {number} other
 */
function angle(one, other) { return Math.abs(((one - other + 900) % 360) - 180); }
