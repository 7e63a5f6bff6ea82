// @ts-check
import { circleRing } from "./geometry.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../types/api").Circle} Circle */
/** @typedef {import("../types/api").RegionSet} RegionSet */
/** @typedef {import("../types/geojson").Feature} Feature */

/**
 * What a truck's device monitors, as labelled circles: its regions, and the quiet circle within which it need not report.
 *
 * @param {{regions: RegionSet, quiet: Circle | null}} vehicle
 * @param {Units} units
 * @returns {Feature[]}
 */
export function monitoredRegionFeatures({ regions, quiet }, units) {
  return [
    ...regions.items.map((region) => circleFeature(region, `${region.kind}: ${region.id}`, false)),
    ...(quiet ? [circleFeature(quiet, `quiet within ${units.distance(quiet.radius)}`, true)] : []),
  ];
}

/**
 * @param {Circle} circle
 * @param {string} label
 * @param {boolean} quiet
 * @returns {Feature}
 */
const circleFeature = ({ lat, lon, radius }, label, quiet) => ({
  type: "Feature",
  geometry: { type: "LineString", coordinates: circleRing([lon, lat], radius) },
  properties: { label, quiet },
});
