// @ts-check
import { debounce, throttle, withoutOverlap } from "../common/scheduling.js";
import { bboxText } from "./geometry.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../fleet/open-alerts.js").OpenAlerts} OpenAlerts */
/** @typedef {import("../fleet/trucks.js").Trucks} Trucks */
/** @typedef {import("../types/api").AlertPartFeature} AlertPartFeature */
/** @typedef {import("../types/geojson").Feature} Feature */
/** @typedef {import("./map.js").FleetMap} FleetMap */

/** More detours would hide each other. */
const alertsMax = 50;
/** A busy fleet has new alert messages every second. */
const loadInterval = 2000;
const moveDelay = 250;

/**
 * Shows the worst open alerts of the visible area: clearance, last turn-off, detour and where the driver was warned; none where the
 * trucks are shown as clusters, which have their worst alert.
 */
export class AlertLayer {
  /** @type {FleetMap} */
  #map;
  /** @type {ApiClient} */
  #client;
  /** @type {Trucks} */
  #trucks;
  /** Of the alerts when they were loaded last. */
  #revision = -1;

  /**
   * @param {FleetMap} map
   * @param {{client: ApiClient, alerts: OpenAlerts, stream: EventStream, trucks: Trucks}} dependencies
   */
  constructor(map, { client, alerts, stream, trucks }) {
    this.#map = map;
    this.#client = client;
    this.#trucks = trucks;
    const load = withoutOverlap(() => this.#load());
    const loadThrottled = throttle(load, loadInterval);
    map.on("move", debounce(load, moveDelay));
    alerts.on("change", () => {
      if (alerts.revision !== this.#revision) loadThrottled();
      this.#revision = alerts.revision;
    });
    let { hasClusters } = trucks;
    trucks.on("change", () => {
      if (trucks.hasClusters !== hasClusters) load();
      ({ hasClusters } = trucks);
    });
    stream.on("state", (state) => { if (state === "live") load(); });
  }

  async #load() {
    if (this.#trucks.hasClusters) {
      this.#map.setFeatures("alerts", []);
      return;
    }
    const query = { state: "open", bbox: bboxText(this.#map.paddedBounds), format: "geojson" };
    try {
      /** @type {{items: AlertPartFeature[]}} */
      const { items } = await this.#client.getAll("/alerts", query, alertsMax);
      // Trucks have a layer of their own.
      this.#map.setFeatures("alerts", items.filter(({ properties }) => properties.kind !== "vehicle").map(alertFeature));
    } catch {
      // The features stay; the page shows by itself that the connection is lost.
    }
  }
}

/**
 * @param {AlertPartFeature} part
 * @returns {Feature}
 */
function alertFeature({ geometry, properties: { kind, vehicle, turn_onto: turnOnto, height } }) {
  const feature = (/** @type {string | null} */ icon, /** @type {string} */ label) =>
    ({ type: /** @type {const} */ ("Feature"), geometry, properties: { vehicle, icon, label } });
  switch (kind) {
    case "told": return feature("alert-point", `${vehicle} warned`);
    case "detour": return feature("detour", `Turn off: ${turnOnto || "last turn-off"}`);
    case "clearance": return feature(height === null ? "clearance-unknown" : "clearance-too-low", "");
    default: return feature(null, "");
  }
}
