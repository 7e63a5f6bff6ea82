// @ts-check
import { pathSegment } from "../api/api-client.js";
import { parsePlace } from "../common/degrees.js";
import { element, setChildren, setText } from "../common/dom.js";
import { field, FormMessage } from "../common/form.js";
import { boundsOf } from "../map/geometry.js";
import { PlacePicker } from "../map/place-picker.js";
import { destinationOf, lineLength, routeFeatures } from "../map/route-lines.js";
import { descriptionList } from "./badges.js";
import { PlaceSearch } from "./place-search.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../common/undo.js").Undo} Undo */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../map/map.js").FleetMap} FleetMap */
/** @typedef {import("../types/api").RouteCheck} RouteCheck */
/** @typedef {import("../types/api").VehicleDetail} VehicleDetail */
/** @typedef {import("../types/api").VehicleRoute} VehicleRoute */
/** @typedef {import("../types/geojson").Position} Position */

/**
 * @typedef {object} DestinationOptions
 * @property {ApiClient} client
 * @property {EventStream} stream
 * @property {Units} units
 * @property {Undo} undo
 * @property {boolean} canEdit
 * @property {FleetMap | null} map
 * @property {string} vehicle
 * @property {() => Position | null} near where the truck is
 */

/** Where a truck is bound, and what is too low on the way there; publishes a destination as its route, which is retained. */
export class Destination {
  /** @type {HTMLElement} */
  element;
  /** @type {DestinationOptions} */
  #options;
  #path;
  #picker;
  #state = element("div", { class: "stack" });
  #driver = element("p", { class: "small muted", hidden: true });
  #place = element("input", { name: "destination", autocomplete: "off", required: true, placeholder: "42.28070, -83.75450" });
  #pick = element("button", { type: "button", class: "primary", onclick: () => this.#pickPlace() }, "Pick on the map");
  #remove = element("button", { type: "button", class: "danger", hidden: true, onclick: () => this.#removeRoute() },
    "Remove destination");
  #message = new FormMessage();
  #removeListeners;
  /** @type {VehicleRoute | null} */
  #route = null;
  #isClosed = false;

  /** @param {DestinationOptions} options */
  constructor(options) {
    this.#options = options;
    const { client, stream, units, canEdit, map, vehicle, near } = options;
    this.#path = `/vehicles/${pathSegment(vehicle)}/route`;
    this.#picker = map && new PlacePicker(map);
    this.#pick.hidden = map === null;
    this.element = element("section", { class: "destination stack" },
      element("h3", {}, "Destination"), this.#driver, this.#state, canEdit && this.#form(), this.#message.element,
      canEdit && new PlaceSearch(client, near, (place) => this.#put(place)).element);
    this.#removeListeners = [units.on("change", () => this.#show()),
      stream.on("route-check", (check) => { if (check.vehicle === vehicle) this.#load(); })];
    this.#load();
  }

  /**
   * Whether the driver can be reached, and lets the position be used.
   *
   * @param {VehicleDetail | null} truck null: it is not known
   */
  showTruck(truck) {
    this.#driver.hidden = truck === null;
    setText(this.#driver, `Consent: ${truck?.consent} · Presence: ${truck?.presence ?? "unknown"}`);
  }

  close() {
    for (const remove of this.#removeListeners) remove();
    this.#isClosed = true;
    this.#picker?.cancel();
    this.#options.map?.setFeatures("route", []);
  }

  #form() {
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#submitPlace();
    };
    return element("form", { class: "stack", onsubmit: submit },
      field("Latitude, longitude", this.#place, { isWide: true }),
      element("div", { class: "row" }, element("button", {}, "Set these coordinates"), this.#pick, this.#remove));
  }

  async #load() {
    try {
      /** @type {VehicleRoute} */
      const route = await this.#options.client.get(this.#path);
      this.#set(route.waypoints?.length === 0 ? null : route);
    } catch {
      // The view says what is wrong, or that the gateway does not know the truck yet.
      this.#set(null);
    }
  }

  /** @param {VehicleRoute | null} route */
  #set(route) {
    if (this.#isClosed) return;
    this.#route = route;
    this.#show();
  }

  #show() {
    const route = this.#route;
    this.#remove.hidden = route === null;
    this.#options.map?.setFeatures("route", route === null ? [] : routeFeatures(route));
    if (route === null) {
      setChildren(this.#state, element("p", { class: "note" }, "No destination is set."));
      return;
    }
    const [longitude, latitude] = destinationOf(route);
    setChildren(this.#state,
      descriptionList([["Destination", `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`]]),
      route.check === null
        ? element("p", { class: "note" }, "The route is not checked yet: the truck's position or height may not be known.")
        : this.#checkElements(route.check));
  }

  /** @param {RouteCheck} check */
  #checkElements({ text, clearances, line, safe_line: safeLine }) {
    const { units } = this.#options;
    return [
      element("p", { class: "route-check", "data-verdict": clearances.length === 0 ? "fits" : "too-low" }, text),
      descriptionList([
        ["Expected route", line && units.distance(lineLength(line))],
        ["Route around it", clearances.length === 0 ? null : safeLine ? units.distance(lineLength(safeLine)) : "none is known"],
      ]),
      clearances.length > 0 && element("ul", { class: "rows small" }, clearances.map(({ name, height, distance }) =>
        element("li", {}, `${height === null ? "Height unknown" : units.height(height)}, ${name}, ${units.distance(distance)} from here`))),
    ];
  }

  async #pickPlace() {
    if (this.#picker === null) return;
    if (this.#picker.isPicking) {
      this.#picker.cancel();
      return;
    }
    setText(this.#pick, "Cancel");
    this.#message.showSuccess("Click on the destination on the map, or press Escape.");
    const place = await this.#picker.pick();
    setText(this.#pick, "Pick on the map");
    this.#message.clear();
    if (place !== null && !this.#isClosed) await this.#put(place);
  }

  #submitPlace() {
    const place = parsePlace(this.#place.value);
    if (place !== null) this.#put(place);
    else this.#message.showError("Expected a latitude from -90 to 90 and a longitude from -180 to 180, such as 42.2807, -83.7545.");
  }

  /** @param {Position} place */
  async #put([longitude, latitude]) {
    await this.#message.run(async () => {
      await this.#options.client.put(this.#path, { waypoints: [[longitude, latitude]] });
      await this.#load();
      this.#message.showSuccess("Saved and active.");
      this.#place.value = "";
      this.#showLines();
    });
  }

  #showLines() {
    const line = this.#route?.check?.line;
    const bounds = line && boundsOf(line);
    if (bounds) this.#options.map?.fitBounds(bounds);
  }

  async #removeRoute() {
    const { client, undo, vehicle } = this.#options;
    const before = this.#route;
    await this.#message.run(async () => {
      await client.delete(this.#path);
      await this.#load();
      this.#message.showSuccess("Removed.");
      if (before === null) return;
      const { check, ...route } = before;
      undo.offer(`The destination of ${vehicle} is removed.`, async () => {
        await client.put(this.#path, route);
        await this.#load();
      });
    });
  }
}
