// @ts-check
import { element } from "../common/dom.js";
import { downloadFeatures } from "../common/download.js";
import { field, FormMessage, select } from "../common/form.js";
import { remembered } from "../common/remembered-input.js";
import { routeURL } from "../common/router.js";
import { debounce } from "../common/scheduling.js";
import { bboxText } from "../map/geometry.js";
import { placeNames, sourceText, standingText, verdictBadge } from "./badges.js";
import { PagedList } from "./paged-list.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/selection.js").Selection} Selection */
/** @typedef {import("../map/map.js").FleetMap} FleetMap */
/** @typedef {import("../types/api").ClearanceSummary} ClearanceSummary */
/** @typedef {import("../types/api").Query} Query */

/**
 * @typedef {object} ClearancesViewOptions
 * @property {ApiClient} client
 * @property {EventStream} stream
 * @property {Selection} selection
 * @property {Units} units
 * @property {FleetMap | null} map
 * @property {boolean} canEdit
 */

const inputDelay = 300;

/** The clearances of an area, also those of unknown height and those without a road. */
export class ClearancesView {
  /** @type {HTMLElement} */
  element;
  /** @type {Selection} */
  #selection;
  /** @type {FleetMap | null} */
  #map;
  /** @type {PagedList<ClearanceSummary>} */
  #list;
  #search = remembered(element("input", { type: "search", autocomplete: "off" }), "search");
  #height = remembered(element("input", { autocomplete: "off", placeholder: "13'9\"" }), "height");
  #verdict = remembered(
    select([["", "any"], ["too-low", "too low"], ["unknown", "unknown height"], ["fits", "fits"]], ""), "verdict");
  #standing = remembered(
    select([["", "any"], ["in-force", "active"], ["unsnapped", "not on a road"], ["merged", "same bridge as another"]], ""), "status");
  #area;
  #client;
  #message = new FormMessage();
  #removeListeners;

  /** @param {ClearancesViewOptions} options */
  constructor({ client, stream, selection, units, map, canEdit }) {
    this.#client = client;
    this.#selection = selection;
    this.#map = map;
    this.#area = remembered(
      select([["visible", "visible on the map"], ["all", "everywhere"]], map ? "visible" : "all"), "area");
    this.#list = new PagedList({
      client, list: tableBody(), makeRow: (item) => clearanceRow(item, units, map), focusSelector: "button",
      emptyText: "No clearance matches. Choose another area or fewer filters; clearances come from road files, clearance files and "
        + "dispatch.",
      // A truck that has not reported yet has no height to judge by.
      withoutUnknown: (query) => (query.vehicle === null ? null : { ...query, vehicle: null, verdict: null }),
    });
    const show = () => this.#show();
    const showDebounced = debounce(show, inputDelay);
    for (const control of [this.#search, this.#height]) control.addEventListener("input", showDebounced);
    for (const control of [this.#verdict, this.#standing, this.#area]) control.addEventListener("change", show);
    this.#removeListeners = [selection.on("change", show), units.on("change", show), stream.on("map", showDebounced), stream.onGap(showDebounced),
      map?.on("move", () => { if (this.#area.value === "visible") showDebounced(); })];
    this.element = element("div", { class: "stack" },
      canEdit && element("p", {}, element("a", { href: routeURL("clearance") }, "New clearance")), this.#fields(),
      element("div", { class: "row" },
        element("button", { type: "button", onclick: () => this.#download() }, "Download GeoJSON"), this.#message.element),
      this.#list.element);
    this.#show();
  }

  close() { for (const remove of this.#removeListeners) remove?.(); }

  #fields() {
    const { vehicle } = this.#selection;
    return element("div", { class: "fields" },
      field("Name or road", this.#search),
      field("For a height of", this.#height, {
        hint: vehicle === null ? "Leave empty for any height." : `Leave empty for the height of ${vehicle}.`,
      }),
      field("Fits?", this.#verdict, { hint: "Enter a height or select a truck first." }),
      field("Status", this.#standing),
      field("Area", this.#area, { isWide: true }));
  }

  async #download() {
    await this.#message.run(async () => {
      const { count, isComplete } = await downloadFeatures(this.#client, "/clearances", this.#query, "clearances.geojson");
      this.#message.showSuccess(isComplete ? `${count} clearances.` : `The first ${count} clearances; choose a smaller area.`);
    });
  }

  #show() {
    this.#verdict.disabled = !this.#hasVerdict;
    this.#list.show("/clearances", this.#query);
  }

  get #hasVerdict() { return this.#height.value.trim() !== "" || this.#selection.vehicle !== null; }

  /** @returns {Query} */
  get #query() {
    const height = this.#height.value.trim();
    return {
      q: this.#search.value,
      standing: this.#standing.value,
      verdict: this.#hasVerdict ? this.#verdict.value : null,
      height,
      vehicle: height === "" ? this.#selection.vehicle : null,
      bbox: this.#area.value === "visible" && this.#map ? bboxText(this.#map.bounds) : null,
    };
  }
}

/** The body of a new table, for its rows. */
function tableBody() {
  const body = element("tbody");
  element("table", {},
    element("caption", {}, "Clearances"),
    element("thead", {}, element("tr", {}, ["Height", "Location", "Status"].map((name) => element("th", { scope: "col" }, name)))),
    body);
  return body;
}

/**
 * @param {ClearanceSummary} clearance
 * @param {Units} units
 * @param {FleetMap | null} map
 */
function clearanceRow({ id, lat, lon, height, posted, name, road, source, date, verdict, standing }, units, map) {
  const heightText = units.height(height);
  const title = placeNames(name, road) || id;
  const show = element("button", {
    type: "button", disabled: map === null, "aria-label": `Show ${heightText}, ${title}`,
    onclick: () => map?.show([lon, lat]),
  }, heightText);
  const details = [units.posted(height, posted), sourceText(source), date, id].filter(Boolean).join(" · ");
  return element("tr", {},
    element("td", {}, show, " ", verdictBadge(height === null ? "unknown" : verdict)),
    element("td", {}, element("a", { href: routeURL("clearance", id) }, title), element("div", { class: "muted" }, details)),
    element("td", {}, standingText(standing)));
}
