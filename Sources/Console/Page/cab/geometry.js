// @ts-check

/** @typedef {{lat: number, lon: number}} Place */

const metresPerDegree = (Math.PI / 180) * 6_371_009;

/**
 * Metres between two positions on a sphere (haversine).
 *
 * @param {Place} one
 * @param {Place} other
 */
export function distanceBetween(one, other) {
  const radians = (/** @type {number} */ degrees) => (degrees * Math.PI) / 180;
  const half = (/** @type {number} */ degrees) => Math.sin(radians(degrees) / 2) ** 2;
  const chord = half(other.lat - one.lat)
    + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * half(other.lon - one.lon);
  return 2 * 6_371_009 * Math.asin(Math.sqrt(chord));
}

/**
 * Metres east and north of an origin, on a plane that touches the earth there: right to a hundredth within some kilometres.
 *
 * @param {Place} place
 * @param {Place} origin
 */
export function plane(place, origin) {
  const degrees = ((place.lon - origin.lon + 540) % 360) - 180;
  return {
    x: degrees * metresPerDegree * Math.cos((origin.lat * Math.PI) / 180), y: (place.lat - origin.lat) * metresPerDegree,
  };
}

/**
 * Metres to the nearest point of a line; infinite where it has none.
 *
 * @param {Place} place
 * @param {Place[]} line
 */
export function distanceToLine(place, line) {
  const points = line.map((point) => plane(point, place));
  let nearest = points.length > 0 ? Math.hypot(points[0].x, points[0].y) : Infinity;
  for (let index = 1; index < points.length; index += 1) {
    const [from, to] = [points[index - 1], points[index]];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const share = Math.min(1, Math.max(0, -(from.x * dx + from.y * dy) / (dx * dx + dy * dy || 1)));
    nearest = Math.min(nearest, Math.hypot(from.x + share * dx, from.y + share * dy));
  }
  return nearest;
}
