// @ts-check
import { pathSegment } from "../api/api-client.js";
import { boundsOf } from "./geometry.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../fleet/open-alerts.js").OpenAlerts} OpenAlerts */
/** @typedef {import("../fleet/selection.js").Selection} Selection */
/** @typedef {import("../fleet/trucks.js").Trucks} Trucks */
/** @typedef {import("../types/api").VehicleDetail} VehicleDetail */
/** @typedef {import("../types/geojson").Position} Position */
/** @typedef {import("./map.js").FleetMap} FleetMap */

/**
 * Selects an alert's truck, and moves the map to the alert's bridge, detour and truck.
 *
 * @param {FleetMap} map
 * @param {string} id
 * @param {{client: ApiClient, alerts: OpenAlerts, selection: Selection, trucks: Trucks}} dependencies
 */
export async function showAlert(map, id, { client, alerts, selection, trucks }) {
  const alert = alerts.open.find(({ message }) => message.id === id);
  if (alert === undefined) return;
  const { clearance, detour, vehicle } = alert.message;
  selection.select(vehicle);
  map.scrollIntoView();
  const truck = trucks.get(vehicle) ?? await loadPosition(client, vehicle);
  const positions = [clearance, detour, truck].flatMap((place) => (place === null ? [] : [positionOf(place)]));
  const bounds = boundsOf({ coordinates: [...positions, ...(detour?.line.coordinates ?? [])] });
  if (bounds) map.fitBounds(bounds);
}

/**
 * The truck may be far outside of the visible area.
 *
 * @param {ApiClient} client
 * @param {string} vehicle
 * @returns {Promise<{lat: number, lon: number} | null>} null: not known, or not to be loaded now
 */
async function loadPosition(client, vehicle) {
  try {
    /** @type {VehicleDetail} */
    const { lat, lon } = await client.get(`/vehicles/${pathSegment(vehicle)}`);
    return lat === null || lon === null ? null : { lat, lon };
  } catch {
    return null;
  }
}

/**
 * @param {{lat: number, lon: number}} place
 * @returns {Position}
 */
const positionOf = ({ lat, lon }) => [lon, lat];
