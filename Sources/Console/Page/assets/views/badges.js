// @ts-check
import { element } from "../common/dom.js";
import { routeURL } from "../common/router.js";

/** @typedef {import("../common/dom.js").Child} Child */
/** @typedef {import("../types/api").ClearanceProperties} ClearanceProperties */
/** @typedef {import("../types/api").FenceOrigin} FenceOrigin */
/** @typedef {import("../types/api").FenceReference} FenceReference */
/** @typedef {import("../types/api").Stage} Stage */
/** @typedef {import("../types/api").Verdict} Verdict */

/** @type {Record<Stage, string>} */
const stageTexts = { ahead: "Ahead", detour: "Turn off", stop: "Stop", passed: "Passed under", cleared: "Cleared" };
/** @type {Record<Verdict, string>} */
const verdictTexts = { "too-low": "Too low", unknown: "Unknown", fits: "Fits" };
/** @type {Record<ClearanceProperties["standing"], string>} */
const standingTexts = {
  "in-force": "active", unsnapped: "not on a road: warned by straight-line distance",
  merged: "same bridge as another clearance: the lower height counts",
};
/** @type {Record<string, string>} */
const sourceTexts = { osm: "OpenStreetMap", nbi: "National Bridge Inventory" };
/** @type {Record<string, string>} */
const blindSpotTexts = {
  "off-network": "It is not on a known road.",
  "stale-position": "Its position is out of date.",
  "tables-pending": "The low bridges for its height are still being worked out.",
  "no-clearance-data": "There are no clearance data for its location.",
  "no-consent": "It has not consented to the use of its position.",
  "clock-skew": "Its clock is wrong by more than a minute.",
};

/** @type {Record<string, string>} */
const blindSpotNames = {
  "off-network": "not on a known road", "stale-position": "position out of date", "tables-pending": "bridges still being worked out",
  "no-clearance-data": "no clearance data", "no-consent": "no consent", "clock-skew": "clock wrong",
};

/** @param {Stage} stage */
export const stageText = (stage) => stageTexts[stage];

/** @param {Stage} stage */
export const stageBadge = (stage) => element("span", { class: "stage", "data-stage": stage }, stageTexts[stage]);

/** @param {Verdict | null} verdict */
export const verdictBadge = (verdict) =>
  verdict && element("span", { class: "verdict", "data-verdict": verdict }, verdictTexts[verdict]);

/** @param {ClearanceProperties["standing"]} standing */
export const standingText = (standing) => standingTexts[standing];

/** @param {string} kind of what hides a vehicle from the gateway; one that is not known is its own text */
export const blindSpotText = (kind) => blindSpotTexts[kind] ?? kind;

/** @param {string} kind the same in two or three words */
export const blindSpotName = (kind) => blindSpotNames[kind] ?? kind;

/** @param {string} vehicle */
export const truckLink = (vehicle) => element("a", { href: routeURL("truck", vehicle) }, vehicle);

/** @param {FenceReference} fence */
export const fenceLink = ({ id, name }) => element("a", { href: routeURL("fence", id) }, name || id);

/**
 * A list of names with their values, without those that are null.
 *
 * @param {[name: string, value: Child | Child[]][]} pairs
 */
export const descriptionList = (pairs) => element("dl", { class: "description-list" }, pairs.flatMap(([name, value]) =>
  (value === null ? [] : [element("dt", {}, name), element("dd", {}, value)])));

/**
 * The names of a place, without those that another has in it; map data has several names of one road with semicolons.
 *
 * @param {(string | null | undefined)[]} names
 */
export function placeNames(...names) {
  const all = [...new Set(names.flatMap((name) => (name ? [name.replace(/\s*;\s*/g, " / ")] : [])))];
  return all.filter((name) => !all.some((other) => other !== name && other.includes(name))).join(", ");
}

/**
 * What the data of a clearance come from.
 *
 * @param {string} source
 */
export const sourceText = (source) => sourceTexts[source] ?? source;

/** @param {FenceOrigin} origin */
export const originText = (origin) => (origin === "file" ? "from a file of the gateway" : "from dispatch");
