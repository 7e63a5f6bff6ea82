// @ts-check
import { onNextFrame } from "../common/scheduling.js";
import { formatDuration } from "../common/time.js";
import { ClusterMarkers } from "./cluster-markers.js";
import { pointFeature } from "./geometry.js";

/** @typedef {import("../common/time.js").ServerClock} ServerClock */
/** @typedef {import("../fleet/selection.js").Selection} Selection */
/** @typedef {import("../fleet/trucks.js").Truck} Truck */
/** @typedef {import("../fleet/trucks.js").Trucks} Trucks */
/** @typedef {import("./map.js").FleetMap} FleetMap */

/** Older positions are marked as stale. */
const freshSecondsMax = 60;
/** With more trucks only the selected one and those with an alert have labels. */
const labelsMax = 150;
/** Positions become stale without an event. */
const refreshMilliseconds = 10_000;

/**
 * Shows trucks or clusters on the map, and moves the map with the followed truck.
 *
 * @param {FleetMap} map
 * @param {{trucks: Trucks, selection: Selection, clock: ServerClock}} dependencies
 */
export function addTruckLayer(map, { trucks, selection, clock }) {
  const clusters = new ClusterMarkers(map);
  const show = onNextFrame(() => {
    const all = trucks.all;
    const hasLabels = all.length <= labelsMax;
    map.setFeatures("trucks", all.map((truck) =>
      truckFeature(truck, clock.secondsSince(truck.time), truck.id === selection.vehicle, hasLabels)));
    clusters.show(trucks.clusters);
    const followed = selection.isFollowing && selection.vehicle !== null ? trucks.get(selection.vehicle) : undefined;
    if (followed) map.moveTo([followed.lon, followed.lat]);
  });
  trucks.on("change", show);
  selection.on("change", show);
  setInterval(show, refreshMilliseconds);
}

/**
 * @param {Truck} truck
 * @param {number} age in seconds
 * @param {boolean} selected
 * @param {boolean} hasLabel
 */
function truckFeature({ id, lat, lon, course, stage }, age, selected, hasLabel) {
  const isStale = age > freshSecondsMax;
  const icon = `truck${isStale ? "-stale" : ""}${course === null ? "-stopped" : ""}`;
  const label = isStale ? `${id}\n${formatDuration(age)} ago` : id;
  return pointFeature([lon, lat], {
    id, icon, course: course ?? 0, selected,
    ...(hasLabel || selected || stage !== null ? { label } : {}),
    ...(stage !== null ? { stage } : {}),
  });
}
