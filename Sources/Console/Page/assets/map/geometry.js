// @ts-check

/** @typedef {import("../types/geojson").Bounds} Bounds */
/** @typedef {import("../types/geojson").Feature} Feature */
/** @typedef {import("../types/geojson").FeatureCollection} FeatureCollection */
/** @typedef {import("../types/geojson").Point} Point */
/** @typedef {import("../types/geojson").Position} Position */
/** @typedef {import("../types/api").FenceFeature} FenceFeature */

const earthRadius = 6_371_008.8;
const radiansPerDegree = Math.PI / 180;
/** Pixels of MapLibre's tiles. */
const tileSize = 512;
/** Corners of the polygon that stands for a circle. */
const circleCorners = 72;

/**
 * The closed ring of a circle.
 *
 * @param {Position} center
 * @param {number} radius in metres
 * @returns {Position[]}
 */
export function circleRing(center, radius) {
  const corners = Array.from({ length: circleCorners }, (_, corner) => destination(center, (corner * 360) / circleCorners, radius));
  return [...corners, corners[0]];
}

/**
 * @param {Position} start
 * @param {number} bearing in degrees clockwise from north
 * @param {number} metres along a great circle
 * @returns {Position}
 */
function destination([longitude, latitude], bearing, metres) {
  const angle = metres / earthRadius;
  const [lat, azimuth] = [latitude * radiansPerDegree, bearing * radiansPerDegree];
  const endLat = Math.asin(Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(azimuth));
  const deltaLon = Math.atan2(
    Math.sin(azimuth) * Math.sin(angle) * Math.cos(lat), Math.cos(angle) - Math.sin(lat) * Math.sin(endLat));
  return [longitude + deltaLon / radiansPerDegree, endLat / radiansPerDegree];
}

/**
 * Great-circle distance in metres (haversine).
 *
 * @param {Position} a
 * @param {Position} b
 */
export function distance([longitudeA, latitudeA], [longitudeB, latitudeB]) {
  const [a, b] = [latitudeA * radiansPerDegree, latitudeB * radiansPerDegree];
  const haversine = Math.sin((b - a) / 2) ** 2
    + Math.cos(a) * Math.cos(b) * Math.sin(((longitudeB - longitudeA) * radiansPerDegree) / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/**
 * A fence as the map draws it: a circle becomes a polygon, and a corridor has its width in pixels at zoom 0.
 *
 * @param {FenceFeature} fence
 * @param {(length: string | number | undefined) => number | null} parseLength
 * @returns {Feature}
 */
export function drawnFence({ id, geometry, properties }, parseLength) {
  const shown = { id, name: properties.name ?? id };
  if (geometry.type === "Point") {
    const ring = circleRing(geometry.coordinates, parseLength(properties.radius) ?? 0);
    return { type: "Feature", geometry: { type: "Polygon", coordinates: [ring] }, properties: shown };
  }
  if (geometry.type === "LineString") {
    const pixels = (parseLength(properties.width) ?? 0) / metresPerPixel(geometry.coordinates[0][1]);
    return { type: "Feature", geometry, properties: { ...shown, pixels } };
  }
  return { type: "Feature", geometry, properties: shown };
}

/**
 * All of a fence, with its radius or width.
 *
 * @param {FenceFeature} fence
 * @param {(length: string | number | undefined) => number | null} parseLength
 */
export function fenceBounds({ geometry, properties }, parseLength) {
  const extent = geometry.type === "Point" ? parseLength(properties.radius) : (parseLength(properties.width) ?? 0) / 2;
  const bounds = boundsOf(geometry);
  if (bounds === null || !extent) return bounds;
  const [west, south, east, north] = bounds;
  return boundsOf({ coordinates: [...circleRing([west, south], extent), ...circleRing([east, north], extent)] });
}

/**
 * At zoom 0.
 *
 * @param {number} latitude
 */
function metresPerPixel(latitude) {
  return (2 * Math.PI * earthRadius * Math.cos(latitude * radiansPerDegree)) / tileSize;
}

/**
 * The bounds of coordinates at any depth of nesting.
 *
 * @param {{coordinates: Position | Position[] | Position[][] | Position[][][]}} geometry
 * @returns {Bounds | null} null: there is no position
 */
export function boundsOf({ coordinates }) {
  /** @type {number[]} */
  const numbers = coordinates.flat(3);
  if (numbers.length < 2) return null;
  /** @type {Bounds} */
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const [longitude, latitude] = [numbers[index], numbers[index + 1]];
    bounds[0] = Math.min(bounds[0], longitude);
    bounds[1] = Math.min(bounds[1], latitude);
    bounds[2] = Math.max(bounds[2], longitude);
    bounds[3] = Math.max(bounds[3], latitude);
  }
  return bounds;
}

/**
 * @param {Feature[]} features
 * @returns {FeatureCollection}
 */
export const collection = (features) => ({ type: "FeatureCollection", features });

/**
 * @param {Position} coordinates
 * @param {object} properties
 * @returns {Feature & {geometry: Point}}
 */
export const pointFeature = (coordinates, properties = {}) =>
  ({ type: "Feature", geometry: { type: "Point", coordinates }, properties });

/**
 * Bounds as the API's `bbox`: within ±180°, west greater than east across the antimeridian.
 *
 * @param {Bounds} bounds
 */
export function bboxText([west, south, east, north]) {
  const wrap = (/** @type {number} */ longitude) => ((((longitude + 180) % 360) + 360) % 360) - 180;
  const sides = east - west >= 360 ? [-180, south, 180, north] : [wrap(west), south, wrap(east), north];
  return sides.map((degrees) => degrees.toFixed(6)).join(",");
}

/**
 * Bounds as MapLibre takes them: east is greater than west also across the antimeridian.
 *
 * @param {Bounds} bounds
 */
export const unwrapBounds = ([west, south, east, north]) => [west, south, east < west ? east + 360 : east, north];
