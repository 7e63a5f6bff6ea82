// @ts-check

/** @typedef {import("../types/geojson").Position} Position */
/** @typedef {import("./map.js").FleetMap} FleetMap */

/** Waits for a click on the map, which meanwhile neither moves nor opens what is clicked. */
export class PlacePicker {
  /** @type {FleetMap} */
  #map;
  /** @type {(() => void) | null} */
  #cancel = null;

  /** @param {FleetMap} map */
  constructor(map) { this.#map = map; }

  get isPicking() { return this.#cancel !== null; }

  /**
   * @returns {Promise<Position | null>} null: the user has pressed Escape, or it was cancelled
   */
  pick() {
    this.cancel();
    this.#map.setLocked(true);
    this.#map.scrollIntoView();
    return new Promise((resolve) => {
      const end = (/** @type {Position | null} */ position) => {
        this.#cancel = null;
        removeListener();
        document.removeEventListener("keydown", onKey);
        // What opens what is clicked hears of this click too.
        setTimeout(() => this.#map.setLocked(false));
        resolve(position);
      };
      const onKey = (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") end(null); };
      const removeListener = this.#map.on("pointer", (event) => { if (event.type === "click") end(event.lngLat.toArray()); });
      document.addEventListener("keydown", onKey);
      this.#cancel = () => end(null);
    });
  }

  cancel() { this.#cancel?.(); }
}
