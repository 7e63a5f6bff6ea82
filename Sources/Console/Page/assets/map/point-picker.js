// @ts-check
import { pointFeature } from "./geometry.js";

/** @typedef {import("../types/geojson").Position} Position */
/** @typedef {import("./map.js").FleetMap} FleetMap */

/** Picks a point by a click on the map, and shows the one that was picked. */
export class PointPicker {
  /** @type {FleetMap} */
  #map;
  #isPicking = false;
  #removeListeners;

  /**
   * @param {FleetMap} map
   * @param {(position: Position) => void} onPick
   */
  constructor(map, onPick) {
    this.#map = map;
    const removePointerListener = map.on("pointer", ({ type, lngLat }) => {
      if (!this.#isPicking || type !== "click") return;
      onPick(lngLat.toArray());
      // The click's other listeners must find the map as it was.
      setTimeout(() => this.#setPicking(false));
    });
    const onKey = (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") this.#setPicking(false); };
    document.addEventListener("keydown", onKey);
    this.#removeListeners = () => {
      removePointerListener();
      document.removeEventListener("keydown", onKey);
    };
  }

  /** The next click on the map picks; Escape ends it. */
  start() {
    this.#map.scrollIntoView();
    this.#setPicking(true);
  }

  /** @param {Position} position */
  show(position) { this.#map.setFeatures("drawing", [pointFeature(position)]); }

  close() {
    this.#removeListeners();
    this.#setPicking(false);
    this.#map.setFeatures("drawing", []);
  }

  /** @param {boolean} isPicking */
  #setPicking(isPicking) {
    if (isPicking === this.#isPicking) return;
    this.#isPicking = isPicking;
    this.#map.setLocked(isPicking);
  }
}
