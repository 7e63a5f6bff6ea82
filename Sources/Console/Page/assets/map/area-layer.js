// @ts-check
import { ApiError } from "../api/api-client.js";
import { errorMessage } from "../common/errors.js";
import { debounce, withoutOverlap } from "../common/scheduling.js";
import { parseLength } from "../common/units.js";
import { bboxText, drawnFence } from "./geometry.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/selection.js").Selection} Selection */
/** @typedef {import("../types/api").ClearanceFeature} ClearanceFeature */
/** @typedef {import("../types/api").FenceFeature} FenceFeature */
/** @typedef {import("../types/api").Query} Query */
/** @typedef {import("../types/geojson").Feature} Feature */
/** @typedef {import("./map.js").FleetMap} FleetMap */

/**
 * @typedef {object} AreaLayerOptions
 * @property {ApiClient} client
 * @property {EventStream} stream
 * @property {Selection} selection
 * @property {Units} units
 * @property {(note: string | null) => void} onNote called with what is not shown; null: all is shown
 */

/** More would cover the map. */
const clearancesMax = 2000;
const fencesMax = 2000;
const moveDelay = 250;

/** Shows the fences and clearances of the visible area, with verdicts for the selected truck. */
export class AreaLayer {
  /** @type {FleetMap} */
  #map;
  /** @type {ApiClient} */
  #client;
  /** @type {Selection} */
  #selection;
  /** @type {Units} */
  #units;
  /** @type {AreaLayerOptions["onNote"]} */
  #onNote;

  /**
   * @param {FleetMap} map
   * @param {AreaLayerOptions} options
   */
  constructor(map, { client, stream, selection, units, onNote }) {
    this.#map = map;
    this.#client = client;
    this.#selection = selection;
    this.#units = units;
    this.#onNote = onNote;
    const load = withoutOverlap(() => this.#load());
    map.on("move", debounce(load, moveDelay));
    selection.on("change", load);
    units.on("change", load);
    stream.on("map", load);
    stream.onGap(load);
    load();
  }

  async #load() {
    const query = { bbox: bboxText(this.#map.paddedBounds), format: "geojson" };
    try {
      /** @type {{items: FenceFeature[], isComplete: boolean}} */
      const fences = await this.#client.getAll("/fences", query, fencesMax);
      this.#map.setFeatures("fences", fences.items.map((fence) => drawnFence(fence, parseLength)));
      const clearances = await this.#loadClearances(query, this.#selection.vehicle);
      this.#map.setFeatures("clearances", clearances.items.map((clearance) => this.#clearanceFeature(clearance)));
      const isComplete = fences.isComplete && clearances.isComplete;
      this.#onNote(isComplete ? null : "The area is too large to show all its fences and clearances: zoom in.");
    } catch (error) {
      this.#onNote(`Fences and clearances are not shown. ${errorMessage(error)}`);
    }
  }

  /**
   * Without verdicts where the gateway does not know the vehicle yet.
   *
   * @param {Query} query
   * @param {string | null} vehicle
   * @returns {Promise<{items: ClearanceFeature[], isComplete: boolean}>}
   */
  async #loadClearances(query, vehicle) {
    try {
      return await this.#client.getAll("/clearances", { ...query, vehicle }, clearancesMax);
    } catch (error) {
      if (vehicle === null || !(error instanceof ApiError) || error.status !== 404) throw error;
      return this.#client.getAll("/clearances", query, clearancesMax);
    }
  }

  /**
   * @param {ClearanceFeature} clearance
   * @returns {Feature}
   */
  #clearanceFeature({ id, geometry, properties }) {
    const { height, verdict, standing } = properties;
    const text = height === null ? "?" : this.#units.height(height);
    const label = standing === "unsnapped" ? `${text}\nno road` : text;
    const icon = verdict ? `clearance-${verdict}` : "clearance";
    return { type: "Feature", geometry, properties: { ...properties, id, label, icon, order: sortOrder(verdict) } };
  }
}

/** @param {ClearanceFeature["properties"]["verdict"]} verdict */
function sortOrder(verdict) {
  switch (verdict) {
    case "too-low": return 0;
    case "unknown": return 1;
    case "fits": return 3;
    default: return 2;
  }
}
