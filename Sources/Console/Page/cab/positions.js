// @ts-check
import { EventEmitter } from "../assets/common/event-emitter.js";

/** @typedef {import("../assets/common/time.js").ServerClock} ServerClock */
/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */

/** A little under a second: a receiver's interval is not exact. */
const intervalMilliseconds = 900;
/** Milliseconds that the phone's time of a fix may differ from the gateway's before it is put right; below, it is the better one. */
const errorMax = 2000;
/** Milliseconds that a fix takes to the page at most: a clock that says more is wrong. */
const delayMax = 10_000;
/** Milliseconds ahead of its own clock up to which the gateway surely takes a fix: a little less than its minute. */
const aheadMax = 55_000;
/** By so much of the time that passes, times go on that are ahead: they come back to the right ones by and by. */
const slowedRate = 0.9;

/**
 * The phone's own positions. Emits `fix`, at most once a second.
 *
 * @extends {EventEmitter<{fix: [DeviceFix]}>}
 */
export class Positions extends EventEmitter {
  /** @type {DeviceFix | null} */
  last = null;
  /** When the last came, by `performance.now`. */
  #arrival = -Infinity;
  /** Milliseconds by which the phone's time of the last was off; 0 as long as the gateway was never heard. */
  error = 0;
  isRefused = false;
  #clock;
  /** @type {number | null} */
  #watch = null;

  /** @param {ServerClock} clock the gateway's: by the phone's own all fixes may be too old to be judged, or go back */
  constructor(clock) {
    super();
    this.#clock = clock;
    // Who allows the position in the browser's settings changes the permission, or comes back to the page.
    document.addEventListener("visibilitychange", () => this.#watchAnew());
    navigator.permissions?.query({ name: "geolocation" })
      .then((permission) => permission.addEventListener("change", () => this.#watchAnew()), () => {});
  }

  start() {
    if (this.#watch !== null) return;
    this.isRefused = !("geolocation" in navigator);
    if (this.isRefused) return;
    this.#watch = navigator.geolocation.watchPosition(
      (position) => this.#take(position),
      (error) => { this.isRefused = error.code === error.PERMISSION_DENIED; },
      { enableHighAccuracy: true, maximumAge: 0, timeout: 15_000 });
  }

  stop() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
    this.last = null;
    this.#arrival = -Infinity;
  }

  /** A watch that was refused hears nothing once the position is allowed. */
  #watchAnew() {
    if (!this.isRefused || this.#watch === null) return;
    navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
    this.start();
  }

  /** Seconds since the last came; infinite before the first. */
  get age() { return (performance.now() - this.#arrival) / 1000; }

  /** @param {GeolocationPosition} position */
  #take({ coords, timestamp }) {
    this.isRefused = false;
    const elapsed = performance.now() - this.#arrival;
    if (elapsed < intervalMilliseconds) return;
    this.#arrival = performance.now();
    const time = this.#time(timestamp, elapsed);
    const { latitude, longitude, accuracy, speed, heading, altitude } = coords;
    this.last = {
      lat: latitude, lon: longitude, time: new Date(time).toISOString(), accuracy, speed, altitude,
      // It is not a number where the phone does not move.
      course: heading === null || Number.isNaN(heading) ? null : heading,
    };
    this.emit("fix", this.last);
  }

  /**
   * When a fix was taken, later than the one before: the gateway refuses what is older.
   *
   * @param {number} timestamp as the phone says
   * @param {number} elapsed milliseconds since the last came
   */
  #time(timestamp, elapsed) {
    const time = this.#rightTime(timestamp);
    const before = this.last === null ? -Infinity : Date.parse(this.last.time);
    // Before the gateway was heard, the times may have been so far ahead that it refuses them: then there is nothing to hold to.
    return time > before || before - time > aheadMax ? time : before + Math.round(slowedRate * elapsed);
  }

  /** @param {number} timestamp */
  #rightTime(timestamp) {
    if (!this.#clock.isSynchronized) return timestamp;
    const { now } = this.#clock;
    this.error = timestamp - now;
    if (Math.abs(this.error) <= errorMax) return timestamp;
    const delay = Date.now() - timestamp;
    return now - (delay > 0 && delay <= delayMax ? delay : 0);
  }
}
