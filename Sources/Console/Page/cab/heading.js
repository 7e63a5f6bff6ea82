// @ts-check
import { distanceBetween, plane } from "./geometry.js";

/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */

/** Metres to move before the direction says more than the receiver's noise. */
const stepMin = 10;

/** The direction and speed of travel: as the device says, else from where it was before. */
export class Heading {
  /** @type {DeviceFix | null} */
  #before = null;
  /** @type {number | null} */
  #degrees = null;
  /**
   * Metres a second.
   *
   * @type {number | null}
   */
  #speed = null;

  /**
   * @param {DeviceFix} fix
   * @returns {DeviceFix} with the course and speed that it has or had last, where they are known
   */
  completed(fix) {
    if (this.#before === null) this.#before = fix;
    if (distanceBetween(this.#before, fix) >= stepMin) {
      const { x, y } = plane(fix, this.#before);
      this.#degrees = ((Math.atan2(x, y) * 180) / Math.PI + 360) % 360;
      this.#speed = Math.hypot(x, y) / Math.max(1, (Date.parse(fix.time) - Date.parse(this.#before.time)) / 1000);
      this.#before = fix;
    }
    this.#degrees = fix.course ?? this.#degrees;
    return { ...fix, course: this.#degrees, speed: fix.speed ?? this.#speed };
  }
}
