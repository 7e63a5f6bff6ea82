// @ts-check
import { pointFeature } from "./geometry.js";

/** @typedef {import("../types/api").Explanation} Explanation */
/** @typedef {import("../types/geojson").Feature} Feature */

/**
 * Where the truck was, the path that it was expected on, and the clearances nearby.
 *
 * @param {Explanation} explanation
 * @returns {Feature[]}
 */
export function explanationFeatures({ fix, path, clearances }) {
  const { lat, lon, course } = fix;
  const truck = pointFeature([lon, lat],
    { icon: course === undefined ? "truck-stopped" : "truck", course: course ?? 0, label: "Explained here" });
  const places = clearances.map(({ lat: latitude, lon: longitude, verdict }) =>
    pointFeature([longitude, latitude], { icon: `clearance-${verdict}`, course: 0, label: "" }));
  // Where nothing leads on there is no line.
  const hasLine = path !== undefined && path.line.coordinates.length > 1;
  return [...(hasLine ? [{ type: /** @type {const} */ ("Feature"), geometry: path.line, properties: {} }] : []), ...places, truck];
}
