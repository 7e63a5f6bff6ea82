// @ts-check
import { pathSegment } from "../api/api-client.js";
import { element, setChildren, setText } from "../common/dom.js";
import { download } from "../common/download.js";
import { errorMessage } from "../common/errors.js";
import { field, select } from "../common/form.js";
import { timeElement } from "../common/time.js";
import { announcementsAt, trackFeatures, trackOf } from "../map/track-features.js";
import { boundsOf } from "../map/geometry.js";
import { stageBadge, truckLink } from "./badges.js";
import { explanationURL } from "./explanation.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../common/time.js").ServerClock} ServerClock */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/selection.js").Selection} Selection */
/** @typedef {import("../fleet/status.js").Status} Status */
/** @typedef {import("../map/map.js").FleetMap} FleetMap */
/** @typedef {import("../map/track-features.js").Announcement} Announcement */
/** @typedef {import("../map/track-features.js").TrackPoint} TrackPoint */
/** @typedef {import("../types/api").Alert} Alert */
/** @typedef {import("../types/api").RouteCheck} RouteCheck */
/** @typedef {import("../types/api").TrackFeature} TrackFeature */

/**
 * @typedef {object} TrackViewOptions
 * @property {ApiClient} client
 * @property {ServerClock} clock
 * @property {Units} units
 * @property {Selection} selection
 * @property {Status} status
 * @property {FleetMap | null} map
 * @property {string} vehicle
 * @property {HTMLElement} heading
 */

/** A day of a truck has fewer. */
const announcementsMax = 1000;
const hourMilliseconds = 3_600_000;

/** Where a truck was in the last hours, and what was announced where. */
export class TrackView {
  /** @type {HTMLElement} */
  element;
  /** @type {TrackViewOptions} */
  #options;
  #note = element("p", { class: "note", role: "status" }, "Loading…");
  #hours = select([["1", "1 hour"], ["3", "3 hours"], ["8", "8 hours"]], "1");
  #slider = element("input", { type: "range", min: 0, step: 1 });
  #place = element("p");
  #list = element("ol", { class: "rows", "aria-label": "Alerts on this track, oldest first" });
  #content;
  /** @type {TrackPoint[]} */
  #points = [];
  /** @type {Announcement[]} */
  #announcements = [];
  #removeListener;
  #isClosed = false;

  /** @param {TrackViewOptions} options */
  constructor(options) {
    this.#options = options;
    const { vehicle, heading, selection, units, status } = options;
    setText(heading, `Track of ${vehicle}`);
    selection.select(vehicle);
    this.#hours.addEventListener("change", () => this.#load());
    this.#slider.addEventListener("input", () => this.#showPlace());
    const download = (/** @type {"gpx" | "geojson"} */ format, /** @type {string} */ name) =>
      element("button", { type: "button", onclick: () => this.#download(format) }, `Download ${name}`);
    this.#content = element("div", { class: "stack", hidden: true },
      field("Time", this.#slider, { isWide: true }), this.#place,
      element("div", { class: "row" }, download("gpx", "GPX"), download("geojson", "GeoJSON")),
      element("section", {}, element("h3", {}, "Alerts"), this.#list));
    this.element = element("div", { class: "stack" },
      element("p", {}, "Truck ", truckLink(vehicle)), field("Last", this.#hours), this.#note, this.#content);
    this.#removeListener = units.on("change", () => this.#showPlace());
    if (status.value?.keep_positions === 0) {
      this.#hours.disabled = true;
      setText(this.#note, "Positions are not kept, so there is no track. The setting privacy.keep_positions says for how long they are kept.");
    } else {
      this.#load();
    }
  }

  close() {
    this.#isClosed = true;
    this.#removeListener();
    this.#options.map?.setFeatures("track", []);
  }

  get #path() { return `/vehicles/${pathSegment(this.#options.vehicle)}/track`; }

  get #from() { return new Date(this.#options.clock.now - Number(this.#hours.value) * hourMilliseconds).toISOString(); }

  async #load() {
    const { client, vehicle } = this.#options;
    const from = this.#from;
    try {
      /** @type {[TrackFeature, {items: (Alert | RouteCheck)[]}]} */
      const [track, { items }] = await Promise.all([
        client.get(this.#path, { from }), client.getAll("/alerts", { state: "all", vehicle, from, order: "asc" }, announcementsMax)]);
      if (!this.#isClosed) this.#show(trackOf(track), items.flatMap((item) => (item.type === "low-clearance" ? [item] : [])));
    } catch (error) {
      if (this.#isClosed) return;
      this.#showNote(errorMessage(error));
    }
  }

  /** @param {string} text why there is no track */
  #showNote(text) {
    this.#content.hidden = true;
    this.#note.hidden = false;
    setText(this.#note, text);
    this.#options.map?.setFeatures("track", []);
  }

  /**
   * @param {TrackPoint[]} points
   * @param {Alert[]} alerts
   */
  #show(points, alerts) {
    this.#points = points;
    this.#announcements = announcementsAt(points, alerts);
    if (points.length === 0) {
      this.#showNote("No position is stored for these hours. Positions are removed when consent ends.");
      return;
    }
    this.#note.hidden = true;
    this.#content.hidden = false;
    this.#slider.max = String(points.length - 1);
    this.#slider.value = this.#slider.max;
    setChildren(this.#list, this.#announcements.length === 0 ? element("li", { class: "muted" }, "No alerts.")
      : this.#announcements.map((announcement) => this.#row(announcement)));
    this.#showPlace();
    const bounds = boundsOf({ coordinates: points.map(({ position }) => position) });
    if (bounds) this.#options.map?.fitBounds(bounds);
  }

  /** @param {Announcement} announcement */
  #row({ alert: { stage, time, text }, index }) {
    const go = () => {
      this.#slider.value = String(index);
      this.#showPlace();
      this.#options.map?.show(this.#points[index].position);
    };
    const { vehicle } = this.#options;
    return element("li", { "data-stage": stage },
      element("div", { class: "card-header" }, stageBadge(stage),
        element("span", {}, element("button", { type: "button", onclick: go }, timeElement(time)), " ",
          element("a", { href: explanationURL(vehicle, time) }, "Why?"))),
      element("p", { class: "small" }, text));
  }

  /** Shows where the truck was at the slider's time. */
  #showPlace() {
    const index = Number(this.#slider.value);
    const point = this.#points.at(index);
    if (point === undefined) return;
    const { units, map, vehicle } = this.#options;
    const time = timeElement(point.time);
    setChildren(this.#place, time, point.speed === null ? "" : `, ${units.speed(point.speed)}`, ", ",
      element("a", { href: explanationURL(vehicle, point.time) }, "Why?"));
    this.#slider.setAttribute("aria-valuetext", time.textContent ?? "");
    map?.setFeatures("track", trackFeatures(this.#points, this.#announcements, index));
  }

  /** @param {"gpx" | "geojson"} format */
  async #download(format) {
    const { client, vehicle } = this.#options;
    try {
      await download(client, this.#path, { from: this.#from, format }, `${vehicle}.${format}`);
    } catch (error) {
      this.#note.hidden = false;
      setText(this.#note, errorMessage(error));
    }
  }
}
