// @ts-check

/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */
/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */

/** Seconds without a position after which there is none. */
const ageMax = 10;
/** Metres; the gateway refuses fixes that are worse, by default. */
const accuracyMax = 100;
const allowedConsents = ["always", "when-in-use"];
/** @type {Record<string, string>} */
const blindSpotTexts = {
  "off-network": "You are not on a known road: low bridges may be missed.",
  "stale-position": "The gateway has no current position of this truck.",
  "tables-pending": "The low bridges for this height are still being worked out.",
  "no-clearance-data": "No bridge heights are known here.",
  "no-consent": "The position is not shared: no warnings.",
  "clock-skew": "The phone's clock is wrong by more than a minute.",
};

/**
 * @typedef {object} Situation
 * @property {CabAnswer | null} answer the last one; null: none yet
 * @property {boolean} isConnected
 * @property {number} silence seconds since the last answer
 * @property {DeviceFix | null} fix the last one
 * @property {number} fixAge seconds
 * @property {boolean} isPositionRefused
 * @property {boolean} hasLeft whether a bridge is no longer counted down to
 * @property {boolean} isScreenKeptOn
 */

/**
 * What the driver is not warned of now, and why, in sentences. Only where there is none may the page say that it watches.
 *
 * @param {Situation} situation
 * @returns {string[]}
 */
export function limits(situation) {
  return [...positionLimits(situation), ...connectionLimits(situation), ...gatewayLimits(situation),
    ...(situation.isScreenKeptOn ? [] : ["The screen may turn off: set the phone to keep it on."])];
}

/** @param {Situation} situation */
function positionLimits({ fix, fixAge, isPositionRefused }) {
  if (isPositionRefused) return ["The browser does not give the position: allow it in the browser's settings."];
  if (fix === null || fixAge > ageMax) return ["No position: no warnings."];
  return fix.accuracy > accuracyMax ? [`Poor position, ${Math.round(fix.accuracy)} m: warnings may be missed.`] : [];
}

/** @param {Situation} situation */
function connectionLimits({ isConnected, silence, answer, hasLeft }) {
  const left = hasLeft ? ["No connection: left the way to the bridge, or passed it."] : [];
  if (isConnected) return left;
  if (answer === null && silence < 10) return ["Connecting…"];
  const rest = answer === null ? "no warnings." : "only known bridges are watched.";
  return [...left, `Not connected for ${Math.round(silence)} s: ${rest}`];
}

/** @param {Situation} situation */
function gatewayLimits({ isConnected, answer }) {
  if (!isConnected || answer === null) return [];
  const { state, height } = answer;
  if (state === null) return ["The gateway has no position of this truck yet."];
  const spots = state.blind.map((kind) => blindSpotTexts[kind] ?? kind);
  const isRefused = !allowedConsents.includes(state.consent) && !state.blind.includes("no-consent");
  return [...spots, ...(isRefused ? [blindSpotTexts["no-consent"]] : []),
    ...(height === null || height.status === "ok" ? [] : ["The height is not confirmed."])];
}
