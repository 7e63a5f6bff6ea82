// @ts-check
import { signText } from "../assets/common/units.js";

/** @typedef {import("../assets/common/units.js").Units} Units */
/** @typedef {import("./hazard-watch.js").Hazard} Hazard */
/** @typedef {import("./texts.js").Texts} Texts */

/** Metres before a turn-off at which it is not told how far it is. */
const nowMetres = 10;

/**
 * The sentence of a hazard that the page counts down by itself: the gateway's, with the page's own distances.
 *
 * @param {Hazard} hazard
 * @param {Units} units
 * @param {Texts} texts
 */
export function alertText(hazard, units, texts) {
  const { alert: { attention, clearance, side_road: isSideRoad }, stage } = hazard;
  const bridge = clearance.verdict === "unknown"
    ? texts.text("bridgeUnknown") : texts.text("bridgeLow", { sign: signText(clearance.posted) });
  const values = { bridge, distance: units.distance(hazard.distance) };
  if (stage === "ahead" && (isSideRoad || attention === "notice")) return possibleText(hazard, values, texts);
  return texts.text(stage, { ...values, leave: leaveText(hazard, units, texts) }).trim();
}

/**
 * Of a bridge that may lie straight on or round a corner: only the gateway knows which road leads there.
 *
 * @param {Hazard} hazard
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
 * @param {Hazard} hazard
 * @param {Units} units
 * @param {Texts} texts
 */
function leaveText({ alert: { detour }, detourDistance }, units, texts) {
  if (detour === null || detourDistance === null) return "";
  return texts.text("leave", {
    road: detour.turn_onto ? texts.text("atRoad", { road: detour.turn_onto }) : "",
    place: detourDistance < nowMetres ? texts.text("now") : texts.text("inDistance", { distance: units.distance(detourDistance) }),
  });
}
