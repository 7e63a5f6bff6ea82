// @ts-check
import { pathSegment } from "../api/api-client.js";
import { element, setChildren, setText } from "../common/dom.js";
import { errorMessage } from "../common/errors.js";
import { routeURL } from "../common/router.js";
import { timeElement } from "../common/time.js";
import { explanationFeatures } from "../map/explanation-features.js";
import { boundsOf } from "../map/geometry.js";
import { placeNames, truckLink, verdictBadge } from "./badges.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/selection.js").Selection} Selection */
/** @typedef {import("../map/map.js").FleetMap} FleetMap */
/** @typedef {import("../types/api").ExplainedClearance} ExplainedClearance */
/** @typedef {import("../types/api").Explanation} Explanation */
/** @typedef {import("../types/geojson").Position} Position */

/**
 * @typedef {object} ExplanationViewOptions
 * @property {ApiClient} client
 * @property {Units} units
 * @property {Selection} selection
 * @property {FleetMap | null} map
 * @property {string} moment what `explanationURL` has put into the address
 * @property {HTMLElement} heading
 */

/**
 * The address of the explanation of a truck.
 *
 * @param {string} vehicle
 * @param {string | null} time null: now
 */
export const explanationURL = (vehicle, time = null) => routeURL("why", time === null ? vehicle : `${vehicle}/${time}`);

/**
 * @param {string} vehicle
 * @param {string} time
 */
export const explanationLink = (vehicle, time) =>
  element("a", { href: explanationURL(vehicle, time), "aria-label": `Why was ${vehicle} warned?` }, "Why?");

/** Why a truck is alerted at a time, or why it is not: its road, the path ahead on the map, and each clearance with the reason. */
export class ExplanationView {
  /** @type {HTMLElement} */
  element;
  /** @type {ExplanationViewOptions} */
  #options;
  #vehicle;
  /** @type {string | null} */
  #time;
  #note = element("p", { class: "note", role: "status" }, "Loading…");
  #content = element("div", { class: "stack" });
  #removeListener;
  #isClosed = false;

  /** @param {ExplanationViewOptions} options */
  constructor(options) {
    this.#options = options;
    // No vehicle's id has a slash.
    const [vehicle, time] = options.moment.split("/");
    this.#vehicle = vehicle;
    this.#time = time ?? null;
    setText(options.heading, `Why? ${vehicle}`);
    options.selection.select(vehicle);
    this.element = element("div", { class: "stack" }, this.#buttons(), this.#note, this.#content);
    this.#removeListener = options.units.on("change", () => this.#load());
    this.#load();
  }

  close() {
    this.#isClosed = true;
    this.#removeListener();
    this.#options.map?.setFeatures("explanation", []);
  }

  #buttons() {
    const now = () => {
      this.#time = null;
      history.replaceState(null, "", explanationURL(this.#vehicle));
      this.#load();
    };
    return element("div", { class: "row" },
      element("button", { type: "button", onclick: now }, "Explain now"), "Truck ", truckLink(this.#vehicle));
  }

  async #load() {
    const { client, units, map } = this.#options;
    try {
      /** @type {Explanation} */
      const explanation = await client.get(
        `/vehicles/${pathSegment(this.#vehicle)}/explain`, { at: this.#time, units: units.system });
      if (this.#isClosed) return;
      this.#note.hidden = true;
      setChildren(this.#content, ...this.#parts(explanation));
      const features = explanationFeatures(explanation);
      map?.setFeatures("explanation", features);
      const bounds = boundsOf({ coordinates: placesToShow(explanation) });
      if (bounds) map?.fitBounds(bounds);
    } catch (error) {
      if (this.#isClosed) return;
      this.#note.hidden = false;
      setText(this.#note, errorMessage(error));
      setChildren(this.#content);
      map?.setFeatures("explanation", []);
    }
  }

  /** @param {Explanation} explanation */
  #parts({ time, basis, text, clearances }) {
    const again = "Worked out from the stored track, with the height, route, roads and clearances of now.";
    // The table has the lines of the clearances.
    const paragraphs = text.split("\n\n").filter((paragraph) => !paragraph.startsWith("- "));
    return [
      element("p", {}, "At ", timeElement(time), "."),
      basis === "track" && element("p", { class: "note" }, again),
      ...paragraphs.map((paragraph) => element("p", {}, paragraph)),
      clearances.length > 0 && this.#table(clearances),
    ];
  }

  /** @param {ExplainedClearance[]} clearances */
  #table(clearances) {
    const head = ["Clearance", "Distance", "Why"].map((name) => element("th", { scope: "col" }, name));
    return element("table", { class: "explained" },
      element("caption", {}, "Clearances nearby and what the rules say of them"),
      element("thead", {}, element("tr", {}, head)),
      element("tbody", {}, clearances.map((clearance) => this.#row(clearance))));
  }

  /** @param {ExplainedClearance} clearance */
  #row({ id, name, lat, lon, limit, distance, verdict, text }) {
    const { units, map } = this.#options;
    const height = limit === undefined ? "No height" : units.height(limit);
    const title = placeNames(name) || id;
    const show = element("button", {
      type: "button", disabled: map === null, "aria-label": `Show ${height}, ${title}`, onclick: () => map?.show([lon, lat]),
    }, height);
    const reason = text.charAt(0).toUpperCase() + text.slice(1);
    return element("tr", { "data-clearance": id },
      element("td", {}, show, " ", verdictBadge(verdict), element("div", {}, title)),
      element("td", {}, units.distance(distance)),
      element("td", {}, reason));
  }
}

/**
 * The truck, its path, and the clearances that a rule speaks of.
 *
 * @param {Explanation} explanation
 * @returns {Position[]}
 */
function placesToShow({ fix, path, clearances }) {
  const spokenOf = clearances.filter(({ hazards, straight_line: line }) => line?.is_due || hazards.some(({ rule }) => rule !== undefined));
  return [[fix.lon, fix.lat], ...(path?.line.coordinates ?? []),
    ...spokenOf.map(({ lat, lon }) => /** @type {Position} */ ([lon, lat]))];
}
