// @ts-check
import { element } from "../common/dom.js";
import { routeURL } from "../common/router.js";
import { formatDuration, timeElement } from "../common/time.js";
import { blindSpotText, descriptionList, fenceLink } from "./badges.js";

/** @typedef {import("../common/time.js").ServerClock} ServerClock */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../types/api").Height} Height */
/** @typedef {import("../types/api").VehicleDetail} VehicleDetail */
/** @typedef {import("../types/api").Visit} Visit */

/** @type {Record<Height["status"], string>} */
const heightStatusTexts = {
  ok: "valid", stale: "expired: the larger of this and the fleet's default height is used", assumed: "assumed: nobody has set a height",
};

/**
 * @param {VehicleDetail} truck
 * @param {Units} units
 */
export function positionDetails(truck, units) {
  const { lat, lon, time, age, accuracy, speed, course, blind } = truck;
  return descriptionList([
    ["Position", lat === null || lon === null ? "none yet" : `${lat.toFixed(5)}, ${lon.toFixed(5)}`],
    ["Received", time === null ? "never" : element("span", {}, timeElement(time), `, ${formatDuration(age)} ago`)],
    ["Accuracy", accuracy === null ? null : units.length(accuracy)],
    ["Speed", speed === null ? null : units.speed(speed)],
    ["Course", course === null ? null : `${Math.round(course)}°`],
    ["Fences", fencesText(truck)],
    ["Last visit", truck.last_visit && visitElement(truck.last_visit)],
    ["Problems", blind.length === 0 ? "none" : blind.map(blindSpotText).join(" ")],
  ]);
}

/** @param {VehicleDetail} truck */
function fencesText({ fences, fences_as_of: asOf }) {
  if (fences.length > 0) return fences.flatMap((fence, index) => (index === 0 ? [fenceLink(fence)] : [", ", fenceLink(fence)]));
  return asOf === null ? "not known yet" : "none";
}

/** @param {Visit} visit */
function visitElement({ phase, confirmed, arrival, departure }) {
  const hasArrived = phase === "arrived";
  return element("span", {},
    timeElement(arrival), " to ", timeElement(departure, hasArrived ? "now" : "unknown"),
    hasArrived && confirmed === false && ", unconfirmed: no position since");
}

/**
 * @param {Height | null} height
 * @param {Units} units
 * @param {ServerClock} clock
 */
export function heightDetails(height, units, clock) {
  if (height === null) return element("p", { class: "note" }, "No height is known.");
  const { value, effective, source, status, measured_at: measuredAt, since, valid_until: validUntil, groups } = height;
  return descriptionList([
    ["Height", element("strong", {}, units.height(value))],
    ["With margin", units.height(effective)],
    ["Source", status === "assumed" ? null : source || "unknown"],
    ["Status", heightStatusTexts[status]],
    ["Measured", measuredAt && timeElement(measuredAt)],
    ["Valid since", since && element("span", {}, timeElement(since), `, for ${formatDuration(clock.secondsSince(since))}`)],
    ["Valid until", validUntil && timeElement(validUntil)],
    ["Groups", groups.length > 0 ? groups.join(", ") : null],
  ]);
}

/**
 * @param {string} kind
 * @param {string} id
 */
function regionElement(kind, id) {
  return kind === "fence" || kind === "clearance"
    ? element("span", {}, `${kind} `, element("a", { href: routeURL(kind, id) }, id)) : `${kind} ${id}`;
}

/**
 * @param {VehicleDetail} truck
 * @param {Units} units
 */
export function regionDetails({ regions: { version, acknowledged, limit, items }, quiet }, units) {
  const state = version === null ? "none sent yet"
    : `version ${version}, ${acknowledged === version ? "acknowledged" : "not acknowledged"}`;
  const center = quiet && `${quiet.lat.toFixed(4)}, ${quiet.lon.toFixed(4)}`;
  return [
    descriptionList([
      ["Areas", `${items.length} of at most ${limit}; ${state}`],
      ["Quiet circle", quiet ? `${units.distance(quiet.radius)} around ${center}: inside it the device need not report` : "none"],
    ]),
    items.length > 0 && element("ul", { class: "rows small" }, items.map(({ kind, id, radius, failed }) => element("li", {},
      regionElement(kind, id), `, within ${units.distance(radius)}`,
      failed && element("strong", {}, `; the device cannot monitor it: ${failed}`)))),
  ];
}
