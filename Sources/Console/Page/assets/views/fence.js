// @ts-check
import { pathSegment } from "../api/api-client.js";
import { element, setChildren, setText } from "../common/dom.js";
import { disableControls, FormMessage } from "../common/form.js";
import { routeURL } from "../common/router.js";
import { parseLength } from "../common/units.js";
import { fenceBounds } from "../map/geometry.js";
import { FenceForm } from "./fence-form.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../common/undo.js").Undo} Undo */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../map/map.js").FleetMap} FleetMap */
/** @typedef {import("../types/api").FenceFeature} FenceFeature */
/** @typedef {import("../types/api").FenceProperties} FenceProperties */
/** @typedef {import("../types/api").Outcome} Outcome */
/** @typedef {import("../types/geojson").Geometry} Geometry */

/**
 * @typedef {object} FenceViewOptions
 * @property {ApiClient} client
 * @property {boolean} canEdit
 * @property {FleetMap | null} map
 * @property {Units} units
 * @property {string | null} id null: a new fence
 * @property {Undo} undo
 * @property {HTMLElement} heading set to the fence's name
 */

/** Shows, creates, changes or removes one fence. It is published to its retained topic, and in force once it has come back. */
export class FenceView {
  /** @type {HTMLElement} */
  element;
  /** @type {FenceViewOptions} */
  #options;
  #message = new FormMessage();
  #body = element("div", { class: "stack" }, element("p", { class: "note" }, "Loading…"));
  /** @type {FenceForm | null} */
  #form = null;
  /**
   * As it is in force, with its tag.
   *
   * @type {{feature: FenceFeature, tag: string | null} | null}
   */
  #loaded = null;

  /** @param {FenceViewOptions} options */
  constructor(options) {
    this.#options = options;
    this.element = element("div", { class: "stack" }, this.#body, this.#message.element);
    if (options.id === null) this.#show(null, {});
    else this.#load(options.id);
  }

  close() { this.#form?.close(); }

  /** @param {string} id */
  async #load(id) {
    const { map } = this.#options;
    const isLoaded = await this.#message.run(async () => {
      const feature = await this.#loadFeature(id);
      this.#show(feature.geometry, feature.properties);
      const bounds = fenceBounds(feature, parseLength);
      if (bounds) map?.fitBounds(bounds);
    }, "");
    if (!isLoaded) setChildren(this.#body);
  }

  /** @param {string} id */
  async #loadFeature(id) {
    /** @type {{value: FenceFeature, tag: string | null}} */
    const { value, tag } = await this.#options.client.getTagged(fencePath(id), { format: "geojson" });
    this.#loaded = { feature: value, tag };
    return value;
  }

  /** Nobody else's change is overwritten; a new fence replaces none. */
  get #condition() {
    /** @type {Record<string, string>} */
    const condition = this.#options.id === null ? { "If-None-Match": "*" } : {};
    if (this.#loaded?.tag) condition["If-Match"] = this.#loaded.tag;
    return condition;
  }

  /**
   * @param {Geometry | null} geometry
   * @param {FenceProperties} properties
   */
  #show(geometry, properties) {
    const { id, map, units, heading, canEdit } = this.#options;
    this.#form = new FenceForm({
      id, map, units, geometry, properties, onSubmit: (feature) => this.#submit(feature), onRemove: () => this.#remove(),
    });
    setText(heading, id === null ? "New fence" : properties.name || id);
    if (!canEdit) {
      disableControls(this.#form.element);
      this.#message.showError("An editor's token is needed to change fences.");
    }
    setChildren(this.#body, this.#form.element);
  }

  /** @param {() => FenceFeature & {id: string}} makeFeature */
  async #submit(makeFeature) {
    await this.#message.run(async () => {
      const feature = makeFeature();
      /** @type {Outcome} */
      const { note } = await this.#options.client.put(fencePath(feature.id), feature, this.#condition);
      this.#message.showSuccess(note ?? "Saved and active.");
      if (this.#options.id === null) location.hash = routeURL("fence", feature.id);
      else await this.#loadFeature(feature.id);
    });
  }

  async #remove() {
    const { id, client, undo } = this.#options;
    if (id === null || this.#loaded === null) return;
    const { feature } = this.#loaded;
    await this.#message.run(async () => {
      await client.delete(fencePath(id), this.#condition);
      location.hash = routeURL("fences");
      const { origin, kind, inside, ...properties } = feature.properties;
      undo.offer(`The fence ${properties.name || id} is removed.`, () =>
        client.put(fencePath(id), { ...feature, properties }, { "If-None-Match": "*" }));
    });
  }
}

/** @param {string} id */
const fencePath = (id) => `/fences/${pathSegment(id)}`;
