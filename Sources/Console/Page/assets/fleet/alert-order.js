// @ts-check

/** @typedef {import("../types/api").Alert} Alert */
/** @typedef {import("../types/api").Stage} Stage */
/** @typedef {import("./open-alerts.js").OpenAlert} OpenAlert */

/**
 * The higher, the worse.
 *
 * @type {Record<Stage, number>}
 */
const ranks = { passed: 3, stop: 2, detour: 1, ahead: 0, cleared: -1 };

/** @param {Alert} message */
const rank = ({ attention, stage }) => (attention === "notice" ? ranks.cleared : ranks[stage]);

/**
 * The order of open alerts, as the gateway has it: notices behind all alarms, by stage, then those on the likely path before those
 * beside it, then by the time that is left.
 *
 * @param {OpenAlert} one
 * @param {OpenAlert} other
 */
export function compareAlerts({ message: a, eta }, { message: b, eta: otherEta }) {
  return rank(b) - rank(a) || Number(a.side_road) - Number(b.side_road) || eta - otherEta
    || (a.id < b.id ? -1 : 1);
}

/**
 * Whether the driver is only told what not to turn onto; these are the last of all.
 *
 * @param {OpenAlert} alert
 */
export const isBesidePath = ({ message: { stage, side_road } }) => stage === "ahead" && side_road;

/**
 * Seconds to the low edge at the speed that was assumed when the driver was told.
 *
 * @param {Alert} message
 * @param {number} distance as of now, in metres
 */
export const secondsLeft = ({ eta, distance: told }, distance) => (told > 0 ? (eta * distance) / told : eta);
