// @ts-check
import { EventEmitter } from "../common/event-emitter.js";
import { baseStyle } from "./base-style.js";
import { collection, unwrapBounds } from "./geometry.js";
import { glyphsURL, registerGlyphs } from "./glyphs.js";
import { loadMapLibre } from "./maplibre.js";
import { clickableLayers } from "./overlay-layers.js";
import { addOverlays } from "./overlays.js";
import { paletteOf } from "./palette.js";

/** @typedef {import("../api/auth-token.js").AuthToken} AuthToken */
/** @typedef {import("../common/theme.js").Theme} Theme */
/** @typedef {import("../types/api").GatewayStatus} GatewayStatus */
/** @typedef {import("../types/api").UnitSystem} UnitSystem */
/** @typedef {import("../types/geojson").Bounds} Bounds */
/** @typedef {import("../types/geojson").Feature} Feature */
/** @typedef {import("../types/geojson").Position} Position */
/** @typedef {import("../types/maplibre").MapLibre} MapLibre */
/** @typedef {import("../types/maplibre").PixelPoint} PixelPoint */
/** @typedef {import("../types/maplibre").PointerEvent} PointerEvent */
/** @typedef {import("../types/maplibre").PointerEventName} PointerEventName */
/** @typedef {import("./overlay-layers.js").SourceName} SourceName */
/** @typedef {{status: GatewayStatus, theme: Theme, token: AuthToken}} MapOptions */

/**
 * The contiguous United States and Europe: shown while there is no vehicle, fence or road.
 *
 * @type {Bounds}
 */
const defaultBounds = [-125, 25, 30, 60];
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** A bridge with the roads around it. */
const placeZoom = 16;
/** Pixels around the pointer within which a feature is hit. */
const hitRadius = 6;
/** @type {PointerEventName[]} */
const pointerEvents = ["click", "dblclick", "mousedown", "mousemove", "mouseup", "touchstart", "touchmove", "touchend"];

/**
 * The map. Emits `move` when its visible area has changed, and `pointer` with the events of mouse and touch.
 *
 * @extends {EventEmitter<{move: [], pointer: [PointerEvent]}>}
 */
export class FleetMap extends EventEmitter {
  /** @type {MapLibre} */
  #library;
  #map;
  #scale;
  #isLocked = false;
  /**
   * The features that each source shows, as JSON.
   *
   * @type {Map<SourceName, string>}
   */
  #shown = new Map();

  /**
   * Rejects with a sentence for the user where MapLibre or WebGL is missing.
   *
   * @param {HTMLElement} container
   * @param {MapOptions} options
   */
  static async open(container, options) {
    if (!options.status.map.library) throw new Error("The map library is not installed: run deploy/install on the gateway's host.");
    const library = await loadMapLibre();
    registerGlyphs(library);
    const map = new FleetMap(library, container, options);
    await map.#load(options.theme);
    return map;
  }

  /**
   * @param {MapLibre} library
   * @param {HTMLElement} container
   * @param {MapOptions} options
   */
  constructor(library, container, { status, theme, token }) {
    super();
    this.#library = library;
    this.#map = new library.Map({
      container,
      style: status.map.style ?? baseStyle(status.map, status.roads, paletteOf(theme)),
      bounds: unwrapBounds(status.bounds ?? status.roads?.bounds ?? defaultBounds),
      fitBoundsOptions: { padding: 40, maxZoom: 13.5 },
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      // Trucks move every second: fading labels would keep the map rendering all the time.
      fadeDuration: 0,
      transformRequest: (url) => (url.startsWith(`${location.origin}/api/`) ? { url, headers: token.headers } : undefined),
    });
    this.#map.touchZoomRotate.disableRotation();
    this.#map.addControl(new library.NavigationControl({ showCompass: false }), "top-right");
    this.#scale = new library.ScaleControl({});
    this.#map.addControl(this.#scale, "bottom-right");
  }

  /** @param {Theme} theme */
  async #load(theme) {
    await this.#map.once("style.load");
    this.#map.setGlyphs(glyphsURL);
    addOverlays(this.#map, theme);
    this.#map.on("moveend", () => this.emit("move"));
    this.#addPointerListeners();
    this.#map.getCanvas().setAttribute("aria-label", "Map of the fleet; the lists have the same content");
  }

  #addPointerListeners() {
    for (const name of pointerEvents) this.#map.on(name, (event) => this.emit("pointer", event));
    const { style } = this.#map.getCanvas();
    for (const layer of clickableLayers) {
      this.#map.on("mouseenter", layer, () => { style.cursor = "pointer"; });
      this.#map.on("mouseleave", layer, () => { style.cursor = ""; });
    }
  }

  // Content

  /**
   * @param {SourceName} source
   * @param {Feature[]} features
   */
  setFeatures(source, features) {
    const text = JSON.stringify(features);
    // The same data again would render the map for nothing.
    if (text === (this.#shown.get(source) ?? "[]")) return;
    this.#shown.set(source, text);
    this.#map.getSource(source)?.setData(collection(features));
  }

  /**
   * The topmost feature of some layers near a point of the canvas.
   *
   * @param {PixelPoint} point
   * @param {string[]} layers
   */
  featureAt({ x, y }, layers) {
    return this.#map.queryRenderedFeatures([[x - hitRadius, y - hitRadius], [x + hitRadius, y + hitRadius]], { layers }).at(0);
  }

  /**
   * Closed by its button, by Escape, or by a click elsewhere on the map.
   *
   * @param {Position} position
   * @param {HTMLElement} content
   */
  showPopup(position, content) {
    const popup = new this.#library.Popup({ maxWidth: "19rem" }).setLngLat(position).setDOMContent(content).addTo(this.#map);
    popup.getElement().addEventListener("keydown", (event) => { if (event.key === "Escape") popup.remove(); });
  }

  /**
   * An element over the map, which goes where it is set.
   *
   * @param {HTMLElement} element
   */
  createMarker(element) { return new this.#library.Marker({ element }).setLngLat([0, 0]).addTo(this.#map); }

  // Camera

  /**
   * The visible area; longitudes beyond ±180° across the antimeridian.
   *
   * @returns {Bounds}
   */
  get bounds() {
    const [[west, south], [east, north]] = this.#map.getBounds().toArray();
    return [west, south, east, north];
  }

  /**
   * The visible area and a quarter of its size on each side, so that small moves stay within it.
   *
   * @returns {Bounds}
   */
  get paddedBounds() {
    const [west, south, east, north] = this.bounds;
    const [width, height] = [(east - west) / 4, (north - south) / 4];
    return [west - width, Math.max(-90, south - height), east + width, Math.min(90, north + height)];
  }

  get zoom() { return this.#map.getZoom(); }

  /** @param {Bounds} bounds */
  fitBounds(bounds) {
    this.#map.fitBounds(unwrapBounds(bounds), { padding: 50, maxZoom: 16, animate: !reducedMotion.matches, duration: 600 });
  }

  /**
   * @param {Position} center
   * @param {number} zoom
   */
  moveTo(center, zoom = this.#map.getZoom()) {
    this.#map.easeTo({ center, zoom, animate: !reducedMotion.matches, duration: 500 });
  }

  /**
   * A place that the user asks for; on a phone the page scrolls to the map.
   *
   * @param {Position} center
   */
  show(center) {
    this.moveTo(center, placeZoom);
    this.scrollIntoView();
  }

  scrollIntoView() { this.#map.getCanvas().scrollIntoView({ block: "nearest" }); }

  /** @param {UnitSystem} system of the scale */
  setUnits(system) { this.#scale.setUnit(system); }

  get isLocked() { return this.#isLocked; }

  /**
   * A locked map neither moves under the pointer nor zooms on a double click, so that a shape can be drawn on it.
   *
   * @param {boolean} isLocked
   */
  setLocked(isLocked) {
    this.#isLocked = isLocked;
    for (const handler of [this.#map.dragPan, this.#map.doubleClickZoom, this.#map.boxZoom]) {
      if (isLocked) handler.disable();
      else handler.enable();
    }
  }
}
