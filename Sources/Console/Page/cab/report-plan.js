// @ts-check
import { distanceBetween } from "./geometry.js";

/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */
/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */

/**
 * Whether a fix is to be reported: each is, except inside of the quiet circle, where nothing can happen to the vehicle as long
 * as the gateway's word holds and no alert is open.
 *
 * @param {DeviceFix} fix
 * @param {CabAnswer | null} answer the last one; null: none yet
 */
export function isToBeReported(fix, answer) {
  const tracking = answer?.tracking;
  if (answer === null || !tracking?.quiet || answer.alerts.length > 0) return true;
  if (Date.parse(fix.time) >= Date.parse(tracking.valid_until)) return true;
  return distanceBetween(fix, tracking.quiet) + fix.accuracy >= tracking.quiet.radius;
}
