// @ts-check
import { pathSegment } from "../api/api-client.js";
import { degreesInput, latitudeMax, longitudeMax, parseDegrees } from "../common/degrees.js";
import { element, setChildren, setText } from "../common/dom.js";
import { disableControls, field, FormMessage } from "../common/form.js";
import { routeURL } from "../common/router.js";
import { debounce } from "../common/scheduling.js";
import { inputTime, timeElement, timeForInput } from "../common/time.js";
import { PointPicker } from "../map/point-picker.js";
import { previewFeatures } from "../map/preview-features.js";
import { placeNames, sourceText, truckLink } from "./badges.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../common/time.js").ServerClock} ServerClock */
/** @typedef {import("../common/undo.js").Undo} Undo */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/user-name.js").UserName} UserName */
/** @typedef {import("../map/map.js").FleetMap} FleetMap */
/** @typedef {import("../types/api").ClearanceEvidence} ClearanceEvidence */
/** @typedef {import("../types/api").ClearanceInForce} ClearanceInForce */
/** @typedef {import("../types/api").ClearancePreview} ClearancePreview */
/** @typedef {import("../types/api").Outcome} Outcome */
/** @typedef {import("../types/geojson").Position} Position */

/**
 * @typedef {object} ClearanceViewOptions
 * @property {ApiClient} client
 * @property {ServerClock} clock
 * @property {boolean} canEdit
 * @property {FleetMap | null} map
 * @property {Units} units
 * @property {string | null} id null: a new clearance
 * @property {Undo} undo
 * @property {UserName} userName
 * @property {HTMLElement} heading set to the clearance's name
 */

const inputDelay = 400;
/** More ways would fill the panel; the map has all. */
const waysMax = 6;
/** Decimals of a degree: a decimetre. */
const decimals = 6;

/** Shows, enters, corrects or removes one clearance, with what that would lead to before it is saved. */
export class ClearanceView {
  /** @type {HTMLElement} */
  element;
  /** @type {ClearanceViewOptions} */
  #options;
  #message = new FormMessage();
  #clearance = element("input", { required: true, autocomplete: "off", placeholder: "10'6\" or 3.2 m" });
  #name = element("input", { autocomplete: "off" });
  #road = element("input", { autocomplete: "off" });
  #latitude = degreesInput(latitudeMax);
  #longitude = degreesInput(longitudeMax);
  #validUntil = element("input", { type: "datetime-local" });
  #pick = element("button", { type: "button", onclick: () => this.#picker?.start() }, "Pick on the map");
  #remove = element("button", { type: "button", class: "danger", hidden: true, onclick: () => this.#removeClearance() }, "Remove");
  #origin = element("p", { class: "note" });
  #evidence = element("section", { "aria-label": "Evidence" });
  #preview = element("section", { "aria-label": "Effect", role: "status" });
  /** @type {HTMLFormElement} */
  #form;
  /** @type {PointPicker | null} */
  #picker = null;
  /**
   * As it is in force, with its tag.
   *
   * @type {{feature: ClearanceInForce, tag: string | null} | null}
   */
  #loaded = null;
  /** Counts previews: an answer to an earlier one is not shown. */
  #previewNumber = 0;

  /** @param {ClearanceViewOptions} options */
  constructor(options) {
    this.#options = options;
    const { id, map, canEdit, heading } = options;
    setText(heading, id ?? "New clearance");
    this.#pick.hidden = map === null;
    if (map) this.#picker = new PointPicker(map, (position) => this.#setPosition(position));
    const preview = debounce(() => this.#showPreview(), inputDelay);
    this.#form = element("form", { class: "stack", onsubmit: (event) => this.#submit(event), oninput: preview },
      element("div", { class: "fields" },
        field("Clearance", this.#clearance, { hint: "As on the sign; “none” if it is no longer low." }),
        field("Name", this.#name), field("Road", this.#road, { hint: "The road that it limits. Leave empty for the nearest." }),
        field("Latitude", this.#latitude), field("Longitude", this.#longitude),
        field("Valid until", this.#validUntil, { hint: "Then the map's height applies again. Leave empty for no end." })),
      element("div", { class: "row" }, this.#pick, element("button", { class: "primary" }, "Save"), this.#remove));
    if (!canEdit) {
      disableControls(this.#form);
      this.#message.showError("An editor's token is needed to change clearances.");
    }
    this.element = element("div", { class: "stack" }, this.#origin, this.#evidence, this.#form, this.#message.element, this.#preview);
    this.#origin.hidden = true;
    if (id !== null) this.#load(id);
    else if (canEdit) this.#picker?.start();
  }

  close() {
    this.#previewNumber += 1;
    this.#picker?.close();
    this.#options.map?.setFeatures("explanation", []);
  }

  /** @param {string} id */
  async #load(id) {
    await this.#message.run(async () => {
      /** @type {{value: ClearanceInForce, tag: string | null}} */
      const { value, tag } = await this.#options.client.getTagged(clearancePath(id), { format: "geojson" });
      this.#loaded = { feature: value, tag };
      this.#show(value);
      this.#showEvidence(value, await this.#options.client.get(`${clearancePath(id)}/evidence`));
    }, "");
  }

  /** @param {ClearanceInForce} feature */
  #show({ id, geometry, properties: { clearance, name, road, origin, author, date, valid_until: validUntil } }) {
    const { heading, map, canEdit } = this.#options;
    setText(heading, placeNames(name || road) || id);
    this.#clearance.value = clearance;
    this.#name.value = name;
    this.#road.value = road ?? "";
    this.#validUntil.value = timeForInput(validUntil);
    setChildren(this.#origin, ...originText(origin, author, date));
    this.#origin.hidden = false;
    this.#remove.hidden = origin !== "topic" || !canEdit;
    map?.show(geometry.coordinates);
    this.#setPosition(geometry.coordinates);
  }

  /**
   * @param {ClearanceInForce} feature
   * @param {ClearanceEvidence} evidence
   */
  #showEvidence({ properties: { posted, source, date } }, { alerts, passes, last_pass: last, tallest_pass: tallest }) {
    const { units } = this.#options;
    setChildren(this.#evidence, element("h3", {}, "Evidence"), element("ul", { class: "rows small" },
      element("li", {}, `${sourceText(source)} has “${posted}”, ${date === null ? "without a date" : `dated ${date}${age(date)}`}.`),
      element("li", {}, alerts === 0 ? "No alerts in the last 30 days." : `Alerts in the last 30 days: ${alerts}`),
      last && element("li", {}, `Reported passes under it: ${passes}, the last `, truckLink(last.vehicle), " ", timeElement(last.time)),
      tallest && element("li", {}, `The tallest vehicle that passed: ${units.height(tallest.height)}, `, truckLink(tallest.vehicle))));
  }

  /** @param {Position} position */
  #setPosition([longitude, latitude]) {
    this.#longitude.value = longitude.toFixed(decimals);
    this.#latitude.value = latitude.toFixed(decimals);
    for (const control of [this.#latitude, this.#longitude]) control.setCustomValidity("");
    this.#picker?.show([longitude, latitude]);
    this.#showPreview();
  }

  /** @returns {Position | null} null: it is not entered yet, or cannot be read */
  get #position() {
    const latitude = parseDegrees(this.#latitude.value, latitudeMax);
    const longitude = parseDegrees(this.#longitude.value, longitudeMax);
    return latitude === null || longitude === null ? null : [longitude, latitude];
  }

  // Preview

  async #showPreview() {
    this.#previewNumber += 1;
    const number = this.#previewNumber;
    const { client, id, map } = this.#options;
    const position = this.#position;
    const clearance = this.#clearance.value.trim();
    if (position === null || clearance === "") return;
    const [lon, lat] = position;
    const passage = this.#loaded?.feature.properties.passage ?? null;
    const query = { lat, lon, clearance, id, name: this.#name.value.trim(), road: this.#road.value.trim(), passage };
    try {
      /** @type {ClearancePreview} */
      const preview = await client.get("/clearances/preview", query);
      if (number !== this.#previewNumber) return;
      setChildren(this.#preview, element("h3", {}, "If this is saved"), ...this.#effects(preview));
      map?.setFeatures("explanation", previewFeatures(preview));
    } catch (error) {
      if (number === this.#previewNumber) setChildren(this.#preview, element("p", { class: "note" }, error instanceof Error ? error.message : ""));
    }
  }

  /** @param {ClearancePreview} preview */
  #effects({ usable, note, was, road, height, verdict, approaches, vehicles, vehicles_left_out: leftOut }) {
    const { units } = this.#options;
    const verdicts = { "too-low": "It is too low for", unknown: "It is not known whether it is high enough for", fits: "It is high enough for" };
    const trucks = vehicles.map(({ vehicle, distance }) =>
      element("li", {}, truckLink(vehicle), `, ${units.distance(distance)} away`));
    // Several approaches may have one turn-off.
    const ways = new Set(approaches.map(({ detour }) => (detour === null ? "No detour: there is no turn-off before it."
      : `Last turn-off: ${detour.turn_onto ?? "a road without a name"}, ${units.distance(detour.distance_to_entry)} before it; `
        + `detour of ${units.distance(detour.length)}.`)));
    return [
      note && element("p", {}, usable ? `Note: ${note}.` : `It would not be used: ${note}.`),
      was !== null && element("p", {}, `It replaces a known height of ${units.height(was)}.`),
      element("p", {}, road ? `It limits ${road}. ` : "", `${verdicts[verdict]} a truck of ${units.height(height)}.`),
      approaches.length > 0 && element("p", {}, `Approaches: ${approaches.length}`),
      ways.size > 0 && element("ul", { class: "rows small" }, [...ways].slice(0, waysMax).map((way) => element("li", {}, way))),
      element("p", {}, trucks.length === 0 ? "No truck nearby is too high for it." : `Trucks nearby that are too high for it: ${trucks.length + leftOut}`),
      trucks.length > 0 && element("ul", { class: "rows small" }, trucks),
    ];
  }

  // Changes

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const { client, clock, id } = this.#options;
    const position = this.#position;
    if (position === null) return;
    const key = id ?? `dispatch-${Math.round(clock.now).toString(36)}`;
    const before = this.#loaded?.feature.properties;
    const author = await this.#options.userName.get("Save the clearance", "Save");
    if (author === null) return;
    const properties = {
      clearance: this.#clearance.value.trim(), name: this.#name.value.trim() || undefined,
      road: this.#road.value.trim() || undefined, approach: before?.approach ?? [], detours: before?.detours ?? [],
      passage: before?.passage ?? null,
      source: "dispatch", date: new Date(clock.now).toISOString(), author, valid_until: inputTime(this.#validUntil),
    };
    const feature = { type: "Feature", id: key, geometry: { type: "Point", coordinates: position }, properties };
    await this.#message.run(async () => {
      /** @type {Outcome} */
      const { note } = await client.put(clearancePath(key), feature, this.#condition);
      if (id === null) location.hash = routeURL("clearance", key);
      else await this.#load(key);
      this.#message.showSuccess(note ?? "Saved and active.");
    });
  }

  async #removeClearance() {
    const { client, id, undo } = this.#options;
    if (id === null || this.#loaded === null) return;
    const { feature } = this.#loaded;
    await this.#message.run(async () => {
      await client.delete(clearancePath(id), this.#condition);
      location.hash = routeURL("clearances");
      const { clearance, approach, detours, passage, name, road, source, date, author, valid_until } = feature.properties;
      const properties = { clearance, approach, detours, passage, name, road, source, date, author, valid_until };
      undo.offer(`The clearance ${name || id} is removed.`, () =>
        client.put(clearancePath(id), { type: "Feature", id, geometry: feature.geometry, properties }));
    });
  }

  /** Nobody else's change is overwritten; a new clearance replaces none. */
  get #condition() {
    /** @type {Record<string, string>} */
    const condition = this.#options.id === null ? { "If-None-Match": "*" } : {};
    if (this.#loaded?.tag) condition["If-Match"] = this.#loaded.tag;
    return condition;
  }
}

/**
 * Who says so, and since when.
 *
 * @param {"map" | "file" | "topic"} origin
 * @param {string | null} author
 * @param {string | null} date as its source has it
 * @returns {(Node | string)[]}
 */
function originText(origin, author, date) {
  if (origin !== "topic") {
    return [`It comes from ${origin === "map" ? "the road file" : "a file of the gateway"}; what is saved here replaces it.`];
  }
  const time = date !== null && !Number.isNaN(Date.parse(date)) ? timeElement(date) : date ?? "at a time that is not known";
  return [`Entered by ${author ?? "somebody without a name"}, `, time, "."];
}

/**
 * How old a date is, in words; empty where it is none that is read, or in the future.
 *
 * @param {string} date
 */
function age(date) {
  const days = Math.floor((Date.now() - Date.parse(date)) / 86_400_000);
  if (Number.isNaN(days) || days < 0) return "";
  if (days < 60) return ` (${days === 1 ? "a day" : `${days} days`} old)`;
  return days < 730 ? ` (${Math.floor(days / 30.44)} months old)` : ` (${Math.floor(days / 365.25)} years old)`;
}

/** @param {string} id */
const clearancePath = (id) => `/clearances/${pathSegment(id)}`;
