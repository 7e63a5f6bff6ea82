// @ts-check
import { element, setChildren, setText } from "../common/dom.js";
import { stageBadge, stageText } from "../views/badges.js";

/** @typedef {import("../fleet/trucks.js").Cluster} Cluster */
/** @typedef {import("../types/maplibre").Marker} Marker */
/** @typedef {import("./map.js").FleetMap} FleetMap */

/** Pixels: of a cluster of one truck, and more for each tenfold. */
const diameterMin = 18;
const diameterStep = 12.5;
/** Zooms nearer on a click. */
const zoomStep = 2;

/**
 * Clusters of trucks, as elements over the map. They change every second, and layers of the map would have all of it drawn again,
 * which takes a browser that draws in software a tenth of a second.
 */
export class ClusterMarkers {
  /** @type {FleetMap} */
  #map;
  /** @type {ClusterMarker[]} */
  #markers = [];

  /** @param {FleetMap} map */
  constructor(map) { this.#map = map; }

  /** @param {Cluster[]} clusters */
  show(clusters) {
    for (const marker of this.#markers.splice(clusters.length)) marker.remove();
    clusters.forEach((cluster, index) => {
      this.#markers[index] ??= new ClusterMarker(this.#map);
      this.#markers[index].show(cluster);
    });
  }
}

class ClusterMarker {
  /** @type {Marker} */
  #marker;
  #count = element("span");
  #button;
  /** @type {Cluster | null} */
  #shown = null;

  /** @param {FleetMap} map */
  constructor(map) {
    const zoomIn = () => {
      if (this.#shown !== null && !map.isLocked) map.moveTo([this.#shown.lon, this.#shown.lat], map.zoom + zoomStep);
    };
    // The lists have the same trucks: hundreds of stops would be in the way of the keyboard.
    this.#button = element("button", { type: "button", class: "cluster", tabindex: -1, onclick: zoomIn });
    this.#marker = map.createMarker(this.#button);
  }

  /** @param {Cluster} cluster */
  show(cluster) {
    const { lat, lon, count, stage } = cluster;
    if (this.#shown?.count !== count) {
      const diameter = `${diameterMin + diameterStep * Math.log10(count)}px`;
      Object.assign(this.#button.style, { width: diameter, height: diameter });
      setText(this.#count, String(count));
    }
    if (this.#shown?.stage !== stage) {
      this.#button.dataset.stage = stage ?? "";
      setChildren(this.#button, this.#count, stage !== null && stageBadge(stage));
    }
    this.#button.setAttribute("aria-label", `Trucks: ${count}${stage === null ? "" : `, ${stageText(stage)}`}`);
    this.#shown = cluster;
    this.#marker.setLngLat([lon, lat]);
  }

  remove() { this.#marker.remove(); }
}
