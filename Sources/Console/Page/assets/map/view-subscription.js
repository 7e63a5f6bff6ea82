// @ts-check
import { debounce } from "../common/scheduling.js";
import { bboxText } from "./geometry.js";

/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../types/geojson").Bounds} Bounds */
/** @typedef {import("./map.js").FleetMap} FleetMap */

const moveDelay = 400;
/** Nothing lies within: without a map the stream sends no positions. */
const emptyView = { bbox: "0,0,0,0", zoom: 0 };

/**
 * Receives the positions of the visible area, also after the map has moved, and texts in the user's units.
 *
 * @param {EventStream} stream
 * @param {FleetMap | null} map
 * @param {Units} units
 */
export function subscribeToView(stream, map, units) {
  const subscribe = map === null ? () => stream.subscribe({ ...emptyView, units: units.system }) : followMap(stream, map, units);
  units.on("change", subscribe);
  subscribe();
}

/**
 * @param {EventStream} stream
 * @param {FleetMap} map
 * @param {Units} units
 * @returns {() => void} subscribes to what is visible now
 */
function followMap(stream, map, units) {
  let { paddedBounds, zoom } = map;
  const subscribe = () => {
    ({ paddedBounds, zoom } = map);
    stream.subscribe({ bbox: bboxText(paddedBounds), zoom: Math.max(0, Math.floor(zoom)), units: units.system });
  };
  map.on("move", debounce(() => {
    // Small moves stay within the padding; another zoom level may have other clusters.
    if (!contains(paddedBounds, map.bounds) || Math.floor(zoom) !== Math.floor(map.zoom)) subscribe();
  }, moveDelay));
  return subscribe;
}

/**
 * @param {Bounds} outer
 * @param {Bounds} inner
 */
const contains = (outer, inner) =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];
