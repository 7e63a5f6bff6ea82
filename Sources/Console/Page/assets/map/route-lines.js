// @ts-check
import { distance, pointFeature } from "./geometry.js";

/** @typedef {import("../types/api").VehicleRoute} VehicleRoute */
/** @typedef {import("../types/geojson").Feature} Feature */
/** @typedef {import("../types/geojson").LineString} LineString */
/** @typedef {import("../types/geojson").Position} Position */

/**
 * Where the route ends.
 *
 * @param {VehicleRoute} route
 * @returns {Position}
 */
export function destinationOf({ waypoints, geometry }) {
  const points = waypoints ?? geometry?.coordinates ?? [];
  return points[points.length - 1];
}

/**
 * Metres along a line.
 *
 * @param {LineString} line
 */
export const lineLength = ({ coordinates }) =>
  coordinates.slice(1).reduce((sum, point, index) => sum + distance(coordinates[index], point), 0);

/**
 * What the map shows of a route: its destination, the expected way, the way without what is too low, and what is too low.
 *
 * @param {VehicleRoute} route
 * @returns {Feature[]}
 */
export function routeFeatures(route) {
  const { check } = route;
  const lines = /** @type {[string, LineString | null][]} */ ([["safe", check?.safe_line ?? null], ["expected", check?.line ?? null]]);
  return [
    ...lines.flatMap(([kind, line]) => (line === null ? [] : [lineFeature(line, kind)])),
    ...(check?.clearances ?? []).map(({ lat, lon }) => pointFeature([lon, lat], { icon: "clearance-too-low" })),
    pointFeature(destinationOf(route), { icon: "corner" }),
  ];
}

/**
 * @param {LineString} geometry
 * @param {string} kind
 * @returns {Feature}
 */
const lineFeature = (geometry, kind) => ({ type: "Feature", geometry, properties: { kind } });
