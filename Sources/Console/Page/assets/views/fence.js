// @ts-check
import { pathSegment } from "../api/api-client.js";
import { element, setChildren, setText } from "../common/dom.js";
import { disableControls, FormMessage } from "../common/form.js";
import { routeURL } from "../common/router.js";
import { boundsOf } from "../map/geometry.js";
import { FenceForm } from "./fence-form.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
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
 * @property {string | null} id null: a new fence
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
    const { client, map } = this.#options;
    const isLoaded = await this.#message.run(async () => {
      /** @type {FenceFeature} */
      const { geometry, properties } = await client.get(`/fences/${pathSegment(id)}`, { format: "geojson" });
      this.#show(geometry, properties);
      const bounds = boundsOf(geometry);
      if (bounds) map?.fitBounds(bounds);
    }, "");
    if (!isLoaded) setChildren(this.#body);
  }

  /**
   * @param {Geometry | null} geometry
   * @param {FenceProperties} properties
   */
  #show(geometry, properties) {
    const { id, map, heading, canEdit } = this.#options;
    this.#form = new FenceForm({
      id, map, geometry, properties, onSubmit: (feature) => this.#submit(feature), onRemove: () => this.#remove(),
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
      const { note } = await this.#options.client.put(`/fences/${pathSegment(feature.id)}`, feature);
      this.#message.showSuccess(note ?? "In force.");
      if (this.#options.id === null) location.hash = routeURL("fence", feature.id);
    });
  }

  async #remove() {
    const { id, client } = this.#options;
    if (id === null) return;
    await this.#message.run(async () => {
      await client.delete(`/fences/${pathSegment(id)}`);
      location.hash = routeURL("fences");
    });
  }
}
