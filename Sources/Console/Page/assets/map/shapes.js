const earthRadius = 6_371_008.8;
const degree = Math.PI / 180;

/** The points of a circle, first and last the same: a polygon that no eye tells from it. */
export function circleRing([longitude, latitude], radius, corners = 72) {
  const ring = [];
  for (let corner = 0; corner <= corners; corner += 1) {
    ring.push(moved([longitude, latitude], (corner % corners) * (360 / corners), radius));
  }
  return ring;
}

/** The point so many metres away in a direction, on a sphere. */
export function moved([longitude, latitude], bearing, metres) {
  const angle = metres / earthRadius;
  const [lat, turn] = [latitude * degree, bearing * degree];
  const to = Math.asin(Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(turn));
  const east = Math.atan2(Math.sin(turn) * Math.sin(angle) * Math.cos(lat), Math.cos(angle) - Math.sin(lat) * Math.sin(to));
  return [longitude + east / degree, to / degree];
}

/** Metres between two points, on a sphere. */
export function distance([longitudeA, latitudeA], [longitudeB, latitudeB]) {
  const [a, b] = [latitudeA * degree, latitudeB * degree];
  const half = Math.sin((b - a) / 2) ** 2
    + Math.cos(a) * Math.cos(b) * Math.sin(((longitudeB - longitudeA) * degree) / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** A fence's Feature as it is drawn: a circle becomes a polygon, a corridor knows how wide a pixel is at zoom 0. */
export function drawnFence(feature, metresOf) {
  const { geometry, properties } = feature;
  const drawn = { ...feature, properties: { id: feature.id ?? properties.id, name: properties.name ?? feature.id } };
  if (geometry.type === "Point") {
    const ring = circleRing(geometry.coordinates, metresOf(properties.radius) ?? 0);
    drawn.geometry = { type: "Polygon", coordinates: [ring] };
  }
  if (geometry.type === "LineString") {
    const latitude = geometry.coordinates[0][1];
    drawn.properties.pixels = (metresOf(properties.width) ?? 0) / metresPerPixel(latitude, 0);
  }
  return drawn;
}

/** Of MapLibre's tiles, which have 512 pixels. */
function metresPerPixel(latitude, zoom) {
  return (2 * Math.PI * earthRadius * Math.cos(latitude * degree)) / (512 * 2 ** zoom);
}

/** `[west, south, east, north]` of a geometry; null where it has no point. */
export function boundsOf(geometry) {
  const points = geometry.coordinates.flat(Infinity);
  if (points.length < 2) return null;
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < points.length; at += 2) {
    bounds[0] = Math.min(bounds[0], points[at]);
    bounds[1] = Math.min(bounds[1], points[at + 1]);
    bounds[2] = Math.max(bounds[2], points[at]);
    bounds[3] = Math.max(bounds[3], points[at + 1]);
  }
  return bounds;
}

export const collection = (features) => ({ type: "FeatureCollection", features });

export const point = ([longitude, latitude], properties = {}) =>
  ({ type: "Feature", geometry: { type: "Point", coordinates: [longitude, latitude] }, properties });

/** Bounds of the map as the API takes them: within ±180°, west beyond east across the antimeridian. */
export function bboxText([west, south, east, north]) {
  const within = (longitude) => ((((longitude + 180) % 360) + 360) % 360) - 180;
  const sides = east - west >= 360 ? [-180, south, 180, north] : [within(west), south, within(east), north];
  return sides.map((degrees) => degrees.toFixed(6)).join(",");
}
