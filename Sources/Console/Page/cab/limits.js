// @ts-check

/** @typedef {import("../assets/common/units.js").Units} Units */
/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */
/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("../assets/common/texts.js").Texts} Texts */
/** @typedef {[string, Record<string, string>?]} Limit a text and its values */

/** Seconds without a position after which there is none. */
const ageMax = 10;
/** Seconds by which the phone's clock may be wrong: one that is wrong by more is not trusted by the gateway either. */
const clockErrorMax = 60;
/** Metres; the gateway refuses fixes that are worse, by default. */
const accuracyMax = 100;
const allowedConsents = ["always", "when-in-use"];
/** @type {Record<string, string>} */
const blindSpotTexts = {
  "off-network": "pageOffNetwork", "stale-position": "pageStalePosition", "tables-pending": "pageTablesPending",
  "no-clearance-data": "pageNoClearanceData", "no-consent": "pageNoConsent", "clock-skew": "pageClockSkew",
};

/**
 * @typedef {object} Situation
 * @property {CabAnswer | null} answer the last one; null: none yet
 * @property {boolean} isConnected
 * @property {number} silence seconds since the last answer
 * @property {DeviceFix | null} fix the last one
 * @property {number} fixAge seconds
 * @property {boolean} isPositionRefused
 * @property {number} delay seconds since the oldest fix that is not sent
 * @property {number} lag seconds from the fix that the gateway has judged last to the newest
 * @property {number} clockError seconds by which the phone's clock is wrong
 * @property {string[]} left the bridges that are no longer counted down to
 * @property {boolean} isScreenKeptOn
 */

/**
 * What the driver is not warned of now, and why, in sentences. Only where there is none may the page say that it watches.
 *
 * @param {Situation} situation
 * @param {Units} units
 * @param {Texts} texts
 */
export function limits(situation, units, texts) {
  return [...positionLimits(situation, units), ...connectionLimits(situation), ...gatewayLimits(situation),
    ...screenLimits(situation)].map(([key, values]) => texts.text(key, values));
}

/**
 * Whether the gateway says that it may use the position. Of a vehicle whose position was refused it may know nothing.
 *
 * @param {CabAnswer["state"]} state
 */
export function isShared(state) {
  return state !== null && allowedConsents.includes(state.consent) && !state.blind.includes("no-consent");
}

/**
 * @param {Situation} situation
 * @param {Units} units
 * @returns {Limit[]}
 */
function positionLimits({ fix, fixAge, isPositionRefused }, units) {
  if (isPositionRefused) return [["pagePositionRefused"]];
  if (fix === null || fixAge > ageMax) return [["pageNoPosition"]];
  return fix.accuracy > accuracyMax ? [["pagePoorPosition", { accuracy: units.length(fix.accuracy) }]] : [];
}

/**
 * @param {Situation} situation
 * @returns {Limit[]}
 */
function connectionLimits({ isConnected, silence, answer, left }) {
  /** @type {Limit[]} */
  const leftLimits = left.map((bridge) => ["pageLeft", { bridge }]);
  if (isConnected) return leftLimits;
  if (answer === null && silence < 10) return [["pageConnecting"]];
  return [...leftLimits, [answer === null ? "pageNeverConnected" : "pageNotConnected", { seconds: `${Math.round(silence)}` }]];
}

/**
 * @param {Situation} situation
 * @returns {Limit[]}
 */
function gatewayLimits({ isConnected, answer, delay, lag, clockError }) {
  if (!isConnected || answer === null) return [];
  const { state, height } = answer;
  if (state === null) return [["pageNeverSeen"]];
  const kinds = new Set(state.blind);
  if (!isShared(state)) kinds.add("no-consent");
  if (Math.max(delay, lag) > ageMax && state.last_fix !== null) kinds.add("stale-position");
  if (Math.abs(clockError) > clockErrorMax) kinds.add("clock-skew");
  /** @type {Limit[]} */
  const spots = [...kinds].map((kind) => [blindSpotTexts[kind] ?? "pageNotAll"]);
  if (state.last_fix === null) spots.unshift(["pageNeverSeen"]);
  if (height !== null && height.status !== "ok") spots.push(["pageHeightUnconfirmed"]);
  return spots;
}

/**
 * @param {Situation} situation
 * @returns {Limit[]}
 */
function screenLimits({ isScreenKeptOn }) { return isScreenKeptOn ? [] : [["pageScreenMayTurnOff"]]; }
