// @ts-check
import { ApiError, pathSegment } from "../api/api-client.js";
import { element, setChildren, setText } from "../common/dom.js";
import { errorMessage } from "../common/errors.js";
import { routeURL } from "../common/router.js";
import { withoutOverlap } from "../common/scheduling.js";
import { monitoredRegionFeatures } from "../map/monitored-regions.js";
import { stageBadge } from "./badges.js";
import { CabLink } from "./cab-link.js";
import { Destination } from "./destination.js";
import { explanationURL } from "./explanation.js";
import { HeightForm } from "./height-form.js";
import { heightDetails, positionDetails, regionDetails } from "./truck-details.js";

/** @typedef {import("../types/geojson").Position} Position */
/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../common/time.js").ServerClock} ServerClock */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../common/undo.js").Undo} Undo */
/** @typedef {import("../fleet/open-alerts.js").OpenAlerts} OpenAlerts */
/** @typedef {import("../fleet/selection.js").Selection} Selection */
/** @typedef {import("../map/map.js").FleetMap} FleetMap */
/** @typedef {import("../types/api").VehicleDetail} VehicleDetail */

/**
 * @typedef {object} TruckViewOptions
 * @property {ApiClient} client
 * @property {EventStream} stream
 * @property {ServerClock} clock
 * @property {Units} units
 * @property {Selection} selection
 * @property {OpenAlerts} alerts
 * @property {Undo} undo
 * @property {boolean} canEdit
 * @property {FleetMap | null} map
 * @property {string} vehicle
 * @property {HTMLElement} heading set to the vehicle's id
 */

const refreshMilliseconds = 3000;
/** Where the gateway does not know it. */
const unknownMilliseconds = 30_000;

/** One truck: its position, height, alerts, and the regions that its device monitors. */
export class TruckView {
  /** @type {HTMLElement} */
  element;
  /** @type {TruckViewOptions} */
  #options;
  #note = element("p", { class: "note", role: "status" }, "Loading…");
  #position = element("div");
  #positionSection;
  /** @type {Position | null} */
  #place = null;
  #height = element("div");
  #alerts = element("div");
  #regions = element("div");
  #form;
  #destination;
  #removeListeners;
  #isOnMap = false;
  /** Whether the map shows the regions. */
  #hasRegions = false;
  #isClosed = false;
  #isKnown = false;
  /** By `performance.now`. */
  #nextLoad = 0;

  /** @param {TruckViewOptions} options */
  constructor(options) {
    this.#options = options;
    const { client, clock, units, selection, alerts, canEdit, undo, vehicle, heading } = options;
    setText(heading, vehicle);
    selection.select(vehicle);
    const load = withoutOverlap(() => this.#load());
    this.#form = new HeightForm({ client, clock, canEdit, undo, vehicle, onChange: load });
    this.#destination = new Destination({ ...options, near: () => this.#place });
    this.#positionSection = element("section", { hidden: true }, element("h3", {}, "Position"), this.#position);
    this.element = element("div", { class: "stack" }, this.#note, this.#buttons(), this.#alerts, this.#positionSection,
      element("section", {}, element("h3", {}, "Height"), this.#height, this.#form.element),
      this.#destination.element,
      new CabLink(options).element,
      element("section", {}, element("h3", {}, "Areas that its device watches"), this.#regionsButton(load), this.#regions));
    const timer = setInterval(() => { if (!document.hidden && performance.now() >= this.#nextLoad) load(); }, refreshMilliseconds);
    this.#removeListeners = [() => clearInterval(timer), units.on("change", load),
      alerts.on("message", (message) => { if (message.vehicle === vehicle) load(); })];
    load();
  }

  close() {
    for (const remove of this.#removeListeners) remove();
    this.#isClosed = true;
    this.#destination.close();
    this.#options.map?.setFeatures("regions", []);
  }

  #buttons() {
    const { selection, vehicle } = this.#options;
    const follow = element("button", { type: "button", "aria-pressed": "false" }, "Follow on the map");
    follow.addEventListener("click", () => {
      selection.setFollowing(!selection.isFollowing);
      follow.setAttribute("aria-pressed", String(selection.isFollowing));
    });
    const deselect = () => {
      selection.select(null);
      location.hash = routeURL("trucks");
    };
    return element("div", { class: "row" },
      follow,
      element("button", { type: "button", onclick: () => { location.hash = explanationURL(vehicle); } }, "Why?"),
      element("a", { href: routeURL("track", vehicle) }, "Track"),
      element("a", { href: routeURL("log", vehicle) }, "Log"),
      element("button", { type: "button", onclick: deselect }, "Clear selection"));
  }

  /** @param {() => void} load */
  #regionsButton(load) {
    const show = element("button", { type: "button", "aria-pressed": "false" }, "Show them on the map");
    show.hidden = this.#options.map === null;
    show.addEventListener("click", () => {
      this.#hasRegions = !this.#hasRegions;
      show.setAttribute("aria-pressed", String(this.#hasRegions));
      load();
    });
    return show;
  }

  async #load() {
    const { client, vehicle } = this.#options;
    try {
      /** @type {VehicleDetail} */
      const truck = await client.get(`/vehicles/${pathSegment(vehicle)}`, { units: this.#options.units.system });
      if (this.#isClosed) return;
      this.#note.hidden = true;
      this.#nextLoad = 0;
      this.#isKnown = true;
      this.#show(truck);
    } catch (error) {
      if (this.#isClosed) return;
      this.#note.hidden = false;
      if (error instanceof ApiError && error.status === 404) this.#showUnknown();
      else setText(this.#note, errorMessage(error));
    }
  }

  #showUnknown() {
    const { vehicle, map } = this.#options;
    this.#nextLoad = performance.now() + unknownMilliseconds;
    setText(this.#note, this.#isKnown ? `${vehicle} is no longer known: it does not consent, or it was forgotten.`
      : `The gateway has no data of ${vehicle} yet. Its height can be set before it departs.`);
    this.#place = null;
    this.#positionSection.hidden = true;
    for (const part of [this.#height, this.#alerts, this.#regions]) setChildren(part);
    this.#destination.showTruck(null);
    this.#form.show(null);
    map?.setFeatures("regions", []);
  }

  /** @param {VehicleDetail} truck */
  #show(truck) {
    const { units, clock, map } = this.#options;
    if (truck.lat !== null && truck.lon !== null && !this.#isOnMap) {
      this.#isOnMap = true;
      map?.moveTo([truck.lon, truck.lat]);
    }
    this.#place = truck.lat === null || truck.lon === null ? null : [truck.lon, truck.lat];
    this.#positionSection.hidden = false;
    setChildren(this.#position, positionDetails(truck, units));
    this.#destination.showTruck(truck);
    setChildren(this.#height, heightDetails(truck.height, units, clock));
    this.#form.show(truck.height);
    setChildren(this.#alerts, truck.alerts.map(({ stage, text_now: text }) => element("p", {}, stageBadge(stage), ` ${text}`)));
    setChildren(this.#regions, ...regionDetails(truck, units));
    map?.setFeatures("regions", this.#hasRegions ? monitoredRegionFeatures(truck, units) : []);
  }
}
