// @ts-check
import { signText } from "../common/units.js";

/** @typedef {import("../common/texts.js").Texts} Texts */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../types/api").Alert} Alert */

/**
 * An alert as it stands now.
 *
 * @typedef {object} AlertState
 * @property {Alert} alert
 * @property {string} stage
 * @property {number} distance metres
 * @property {number | null} detourDistance metres to the last turn-off; null: none is left
 */

/** Nearer than so many metres it is not told how far it is. */
const nearMetres = 10;

/**
 * The sentence of an alert that is open: the gateway's, but for the name of the road under the bridge.
 *
 * @param {AlertState} state
 * @param {Units} units
 * @param {Texts} texts
 * @param {string} bridge what it is called
 */
export function alertText(state, units, texts, bridge = bridgeText(state.alert.clearance, texts)) {
  const { alert: { attention, side_road: isSideRoad }, stage } = state;
  const values = { bridge, distance: distanceText(state.distance, "here", units, texts) };
  if (stage === "ahead" && (isSideRoad || attention === "notice")) return possibleText(state, values, texts);
  return texts.text(stage, { ...values, leave: leaveText(state, units, texts) }).trim();
}

/**
 * The sentence of a message for who looks on, with the distances that were told with it, and the name of the bridge.
 *
 * @param {Alert} message
 * @param {Units} units
 * @param {Texts} texts
 */
export function messageText(message, units, texts) {
  const { stage, distance, detour, clearance, reason, attention, certainty, side_road: isSideRoad } = message;
  const bridge = bridgeText(clearance, texts) + (clearance.name === "" ? "" : ` (${clearance.name})`);
  if (stage === "cleared" || stage === "passed") {
    const isSilent = reason === "standing" || reason === "position-lost";
    return texts.text(isSilent ? "clearedSilent" : stage, { inner: lowercasedFirst(bridge) });
  }
  // On a road it would be likely, but for a notice, or where nobody knows how high the bridge is.
  if (certainty === "Possible" && attention === "alarm" && clearance.verdict !== "unknown" && !isSideRoad) {
    const ahead = texts.text("straightAhead", { bridge, distance: distanceText(distance, "here", units, texts) });
    const key = { ahead: "straightAheadIf", detour: "straightDetour", stop: "straightStop" }[stage];
    return texts.text(key, { ahead: stage === "detour" ? lowercasedFirst(ahead) : ahead });
  }
  return alertText({ alert: message, stage, distance, detourDistance: detour?.distance ?? null }, units, texts, bridge);
}

/** @param {string} text */
function lowercasedFirst(text) { return text.charAt(0).toLowerCase() + text.slice(1); }

/**
 * @param {Alert["clearance"]} clearance
 * @param {Texts} texts
 */
function bridgeText({ verdict, posted, height }, texts) {
  return verdict === "unknown" ? texts.text("bridgeUnknown") : texts.text("bridgeLow", { sign: signText(posted, height) });
}

/**
 * Of a bridge that may lie straight on or round a corner: only the gateway knows which road leads there.
 *
 * @param {AlertState} state
 * @param {{bridge: string, distance: string}} values
 * @param {Texts} texts
 */
function possibleText({ alert: { detour } }, values, texts) {
  const road = detour?.turn_onto;
  return texts.text("notice", values) + (road ? texts.text("lastTurnOff", { road }) : "");
}

/**
 * Where to leave; empty where the page cannot count down to it.
 *
 * @param {AlertState} state
 * @param {Units} units
 * @param {Texts} texts
 */
function leaveText({ alert: { detour }, detourDistance }, units, texts) {
  if (detour === null || detourDistance === null) return "";
  return texts.text("leave", {
    road: detour.turn_onto ? texts.text("atRoad", { road: detour.turn_onto }) : "",
    place: distanceText(detourDistance, "now", units, texts),
  });
}

/**
 * @param {number} metres
 * @param {"here" | "now"} near what is said where it is so near that no length says anything
 * @param {Units} units
 * @param {Texts} texts
 */
const distanceText = (metres, near, units, texts) =>
  metres < nearMetres ? texts.text(near) : texts.text("inDistance", { distance: units.distance(metres) });
