// @ts-check
import { EventEmitter } from "../assets/common/event-emitter.js";

/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */

/** A little under a second: a receiver's interval is not exact. */
const intervalMilliseconds = 900;

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
  isRefused = false;
  /** @type {number | null} */
  #watch = null;

  constructor() {
    super();
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
    if (performance.now() - this.#arrival < intervalMilliseconds) return;
    this.#arrival = performance.now();
    const { latitude, longitude, accuracy, speed, heading, altitude } = coords;
    this.last = {
      lat: latitude, lon: longitude, time: new Date(timestamp).toISOString(), accuracy, speed, altitude,
      // It is not a number where the phone does not move.
      course: heading === null || Number.isNaN(heading) ? null : heading,
    };
    this.emit("fix", this.last);
  }
}
