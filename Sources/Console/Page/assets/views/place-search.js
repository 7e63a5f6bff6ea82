// @ts-check
import { element, setChildren } from "../common/dom.js";
import { field, FormMessage } from "../common/form.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../types/api").FoundPlace} FoundPlace */
/** @typedef {import("../types/geojson").Position} Position */

/** What each kind is called. */
const kinds = { city: "City", town: "Town", village: "Village", suburb: "Suburb", hamlet: "Hamlet", street: "Street", bridge: "Bridge" };

/** A search by name on the road file; a result is chosen by its button. */
export class PlaceSearch {
  /** @type {HTMLElement} */
  element;
  #client;
  #near;
  #onChoose;
  #text = element("input", { name: "place", type: "search", autocomplete: "off", minlength: 2, maxlength: 100, required: true });
  #results = element("ul", { class: "rows small places", "aria-label": "Results of the search" });
  #message = new FormMessage();
  /** Only the answer to the newest search counts. */
  #searches = 0;

  /**
   * @param {ApiClient} client
   * @param {() => Position | null} near where to look first
   * @param {(place: Position) => void} onChoose
   */
  constructor(client, near, onChoose) {
    this.#client = client;
    this.#near = near;
    this.#onChoose = onChoose;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#search();
    };
    this.element = element("div", { class: "stack" },
      element("form", { class: "stack", role: "search", onsubmit: submit },
        field("Street, place or bridge", this.#text, { isWide: true }),
        element("div", { class: "row" }, element("button", {}, "Search"))),
      this.#results, this.#message.element);
  }

  async #search() {
    this.#searches += 1;
    const search = this.#searches;
    const near = this.#near();
    setChildren(this.#results);
    await this.#message.run(async () => {
      /** @type {{items: FoundPlace[]}} */
      const { items } = await this.#client.get("/places", { q: this.#text.value.trim(), near: near && `${near[1]},${near[0]}` });
      if (search !== this.#searches) return;
      setChildren(this.#results, items.map((item) => this.#row(item)));
      if (items.length === 0) this.#message.showError("Nothing with this name is on the map.");
      else this.#message.showSuccess(`${items.length} found.`);
    });
  }

  /** @param {FoundPlace} item */
  #row({ kind, name, near, lat, lon }) {
    const choose = () => {
      setChildren(this.#results);
      this.#message.clear();
      this.#text.value = "";
      this.#onChoose([lon, lat]);
    };
    return element("li", {}, element("button", { type: "button", onclick: choose }, name),
      element("span", { class: "note" }, ` ${kinds[kind]}${near === null ? "" : `, ${near}`}`));
  }
}
