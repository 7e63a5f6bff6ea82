// @ts-check
import { pointFeature } from "./geometry.js";

/** @typedef {import("../types/api").Alert} Alert */
/** @typedef {import("../types/api").TrackFeature} TrackFeature */
/** @typedef {import("../types/geojson").Feature} Feature */
/** @typedef {import("../types/geojson").Position} Position */
/** @typedef {{position: Position, time: string, speed: number | null, course: number | null}} TrackPoint */
/** @typedef {{alert: Alert, index: number}} Announcement an alert's message, and the point of the track at its time */

/**
 * The points of a track, by time.
 *
 * @param {TrackFeature} track
 * @returns {TrackPoint[]}
 */
export function trackOf({ geometry, properties: { times, speeds, courses } }) {
  return positionsOf(geometry).map(([longitude, latitude], index) =>
    ({ position: [longitude, latitude], time: times[index], speed: speeds[index], course: courses[index] }));
}

/**
 * @param {TrackFeature["geometry"]} geometry
 * @returns {Position[]}
 */
function positionsOf(geometry) {
  switch (geometry?.type) {
    case "Point": return [geometry.coordinates];
    case "LineString": return geometry.coordinates;
    case "MultiLineString": return geometry.coordinates.flat();
    default: return [];
  }
}

/**
 * The alerts that were told on a track, each at the last point that is not after it.
 *
 * @param {TrackPoint[]} points by time
 * @param {Alert[]} alerts by time
 * @returns {Announcement[]}
 */
export function announcementsAt(points, alerts) {
  const times = points.map(({ time }) => Date.parse(time));
  let index = 0;
  return alerts.flatMap((alert) => {
    const time = Date.parse(alert.time);
    while (index + 1 < times.length && times[index + 1] <= time) index += 1;
    return times.length === 0 || times[index] > time ? [] : [{ alert, index }];
  });
}

/**
 * @param {TrackPoint[]} points
 * @param {Announcement[]} announcements
 * @param {number} index of the point at which the truck is shown
 * @returns {Feature[]}
 */
export function trackFeatures(points, announcements, index) {
  const coordinates = points.map(({ position }) => position);
  const told = announcements.map(({ alert: { stage }, index: at }) =>
    pointFeature(points[at].position, { icon: iconOf(stage), course: 0, label: "" }));
  const { position, course } = points[index];
  const truck = pointFeature(position, { icon: course === null ? "truck-stopped" : "truck", course: course ?? 0, label: "" });
  // A LineString has two positions or more (RFC 7946).
  const hasLine = coordinates.length > 1;
  return [
    ...(hasLine ? [{ type: /** @type {const} */ ("Feature"), geometry: { type: /** @type {const} */ ("LineString"), coordinates }, properties: {} }] : []),
    ...told, truck,
  ];
}

/** @param {Alert["stage"]} stage */
const iconOf = (stage) => (stage === "ahead" || stage === "detour" || stage === "stop" ? `stage-${stage}` : "alert-point");
