// @ts-check
import { element } from "../common/dom.js";
import { field, lines, linesArea } from "../common/form.js";
import { routeURL } from "../common/router.js";
import { originText } from "./badges.js";
import { FenceGeometryForm } from "./fence-geometry-form.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../map/map.js").FleetMap} FleetMap */
/** @typedef {import("../types/api").FenceFeature} FenceFeature */
/** @typedef {import("../types/api").FenceProperties} FenceProperties */
/** @typedef {import("../types/geojson").Geometry} Geometry */

/**
 * @typedef {object} FenceFormOptions
 * @property {string | null} id null: a new fence
 * @property {FleetMap | null} map
 * @property {Units} units
 * @property {Geometry | null} geometry null: a new fence
 * @property {FenceProperties} properties
 * @property {(makeFeature: () => FenceFeature & {id: string}) => void} onSubmit the function throws where input is missing
 * @property {() => void} onRemove
 */

/** The form of one fence: its geometry and its properties. */
export class FenceForm {
  /** @type {HTMLFormElement} */
  element;
  #id;
  #properties;
  #geometry;
  #idInput = element("input", { autocomplete: "off", required: true, pattern: "[^\\/+#]+" });
  #name;
  #groups;
  #vehicles;
  #dwell;
  #hysteresis;
  #week;
  #zone;

  /** @param {FenceFormOptions} options */
  constructor({ id, map, units, geometry, properties, onSubmit, onRemove }) {
    this.#id = id;
    this.#properties = properties;
    this.#geometry = new FenceGeometryForm(map, geometry, properties, units);
    const { name, groups = [], vehicles = [], dwell, hysteresis, hours } = properties;
    this.#name = textInput(name);
    this.#groups = linesArea("groups", groups);
    this.#vehicles = linesArea("vehicles", vehicles);
    this.#dwell = textInput(dwell);
    this.#hysteresis = textInput(hysteresis);
    this.#week = textInput(hours?.week);
    this.#zone = textInput(hours?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      onSubmit(() => this.#feature());
    };
    this.element = element("form", { class: "stack", onsubmit: submit },
      id !== null && element("p", { class: "muted" }, stateText(properties)),
      this.#geometry.element,
      this.#fields(),
      element("div", { class: "row" },
        element("button", { class: "primary" }, id === null ? "Create fence" : "Save fence"),
        id !== null && element("button", { type: "button", class: "danger", onclick: onRemove }, "Remove fence"),
        element("a", { href: routeURL("fences") }, "All fences")));
  }

  close() { this.#geometry.close(); }

  #fields() {
    return element("div", { class: "fields" },
      this.#id === null && field("Id", this.#idInput, { hint: "Its name on the broker; not with / + #." }),
      field("Name", this.#name),
      field("For groups", this.#groups, { hint: "One per line. Leave groups and trucks empty for all trucks." }),
      field("For trucks", this.#vehicles, { hint: "One per line." }),
      field("Dwell time", this.#dwell, { hint: "Reports a truck that stays this long: seconds, or 5 min." }),
      field("Hysteresis", this.#hysteresis, { hint: "A truck has left when it is this far outside: metres, or 60 ft." }),
      field("Active hours", this.#week, { hint: "Such as Mo-Fr 06:00-18:00. Leave empty for always." }),
      field("Time zone of the hours", this.#zone));
  }

  /** @returns {FenceFeature & {id: string}} */
  #feature() {
    const id = this.#id ?? this.#idInput.value.trim();
    return { type: "Feature", id, geometry: this.#geometry.geometry, properties: this.#editedProperties() };
  }

  /**
   * Properties that the form does not show stay as they are; those that the gateway sets are not sent back.
   *
   * @returns {FenceProperties}
   */
  #editedProperties() {
    const { origin, kind, inside, ...properties } = this.#properties;
    const week = this.#week.value.trim();
    return {
      ...properties,
      ...this.#geometry.extent,
      name: this.#name.value.trim() || undefined,
      groups: lines(this.#groups.value),
      vehicles: lines(this.#vehicles.value),
      dwell: quantity(this.#dwell.value),
      hysteresis: quantity(this.#hysteresis.value) ?? undefined,
      hours: week === "" ? null : { zone: this.#zone.value.trim(), week },
    };
  }
}

/** @param {string | number | null | undefined} value */
const textInput = (value) => element("input", { autocomplete: "off", value });

/** @param {FenceProperties} properties */
function stateText({ inside = 0, origin }) {
  const state = `Trucks inside: ${inside}`;
  if (origin === undefined) return state;
  return `${state} · ${originText(origin)}${origin === "file" ? "; what is saved here replaces it" : ""}`;
}

/**
 * A text that is a number is sent as a number: as a text it would need a unit.
 *
 * @param {string} text
 */
function quantity(text) {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
}
