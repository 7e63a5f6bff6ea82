import { Listeners } from "../parts/listeners.js";
import { baseStyle } from "./base.js";
import { drawGlyphs, glyphsURL } from "./glyphs.js";
import { emptySource, overlays, sources } from "./layers.js";
import { loadLibrary } from "./library.js";
import { dark, light } from "./palette.js";
import { collection } from "./shapes.js";
import { pixelRatio, symbolImages } from "./symbols.js";

/** The contiguous United States and Europe: where there is nothing to see yet. */
const everywhere = [-125, 25, 30, 60];
const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The map and what is on it. Tells `moved` when another part is looked at, `pick` with a layer and a feature when one is
 * clicked, and `pointer` with what the pointer does while something is drawn.
 */
export class FleetMap extends Listeners {
  #library;
  #map;
  #theme;
  #scale;
  #isHeld = false;
  /** By source, what it shows, as text. */
  #shown = new Map();

  /** Rejects with a sentence where there is no library or no WebGL. */
  static async open(container, status, theme, tokens) {
    if (!status.map.library) throw new Error("The map library is not installed: deploy/install puts it on the gateway's machine.");
    const library = await loadLibrary();
    drawGlyphs(library);
    const map = new FleetMap(library, container, status, theme, tokens);
    await map.#prepare();
    return map;
  }

  constructor(library, container, status, theme, tokens) {
    super();
    this.#library = library;
    this.#theme = theme;
    const settings = status.map;
    this.#map = new library.Map({
      container,
      style: settings.style ?? baseStyle(settings, status.roads !== null, this.#palette),
      bounds: unwrapped(status.bounds ?? status.roads?.bounds ?? everywhere),
      fitBoundsOptions: { padding: 40, maxZoom: 13.5 },
      attributionControl: { compact: true },
      dragRotate: false,
      pitchWithRotate: false,
      // Trucks move every second: labels that fade would have the map drawn again all the time.
      fadeDuration: 0,
      transformRequest: (url) => (url.startsWith(`${location.origin}/api/`) ? { url, headers: tokens.headers } : undefined),
    });
    this.#map.touchZoomRotate.disableRotation();
    this.#map.addControl(new library.NavigationControl({ showCompass: false }), "top-right");
    this.#scale = new library.ScaleControl({});
    this.#map.addControl(this.#scale, "bottom-right");
  }

  async #prepare() {
    await this.#map.once("style.load");
    this.#map.setGlyphs(glyphsURL);
    this.#addImages();
    for (const source of sources) this.#map.addSource(source, emptySource());
    for (const layer of overlays(this.#palette)) this.#map.addLayer(layer);
    this.#theme.on("change", () => this.#repaint());
    this.#map.on("moveend", () => this.tell("moved"));
    this.#hearPointer();
    this.#map.getCanvas().setAttribute("aria-label", "Map of the fleet; all of it is in the lists too");
  }

  get #palette() { return this.#theme.isDark ? dark : light; }

  #addImages() {
    for (const [name, image] of symbolImages(this.#palette)) {
      if (this.#map.hasImage(name)) this.#map.updateImage(name, image);
      else this.#map.addImage(name, image, { pixelRatio });
    }
  }

  /** A style of the operator's keeps its own colours; ours change with the theme. */
  #repaint() {
    this.#addImages();
    const base = this.#map.getSource("roads") ? baseStyle({}, true, this.#palette).layers : [];
    for (const { id, paint = {} } of [...base, ...overlays(this.#palette)]) {
      for (const [property, value] of Object.entries(paint)) this.#map.setPaintProperty(id, property, value);
    }
  }

  #hearPointer() {
    for (const kind of ["click", "dblclick", "mousedown", "mousemove", "mouseup", "touchstart", "touchmove", "touchend"]) {
      this.#map.on(kind, (event) => this.tell("pointer", kind, event));
    }
    for (const layer of ["trucks", "clusters", "clearances", "fence-areas", "fence-corridors", "alert-points"]) {
      this.#map.on("mouseenter", layer, () => { this.#map.getCanvas().style.cursor = "pointer"; });
      this.#map.on("mouseleave", layer, () => { this.#map.getCanvas().style.cursor = ""; });
    }
  }

  // What is on it

  /** @param source one of `sources` */
  show(source, features) {
    const text = JSON.stringify(features);
    // The same again is not worth a frame.
    if (text === (this.#shown.get(source) ?? "[]")) return;
    this.#shown.set(source, text);
    this.#map.getSource(source).setData(collection(features));
  }

  /** The topmost feature at a point of the canvas in one of the layers, within a finger's breadth; undefined: none. */
  featureAt({ x, y }, layers) {
    const box = [[x - 6, y - 6], [x + 6, y + 6]];
    return this.#map.queryRenderedFeatures(box, { layers })[0];
  }

  /** Closed by its button, by Escape, or by a click beside it. */
  popup(coordinates, content) {
    const popup = new this.#library.Popup({ maxWidth: "19rem" }).setLngLat(coordinates).setDOMContent(content).addTo(this.#map);
    popup.getElement().addEventListener("keydown", (event) => { if (event.key === "Escape") popup.remove(); });
  }

  // Where it looks

  /** `[west, south, east, north]`, as seen; beyond ±180° where the map goes round. */
  get seen() { return this.#map.getBounds().toArray().flat(); }

  /** As seen and a little more, so that not every small step is another area. */
  get area() {
    const [west, south, east, north] = this.seen;
    const [wide, high] = [(east - west) / 4, (north - south) / 4];
    return [west - wide, Math.max(-90, south - high), east + wide, Math.min(90, north + high)];
  }

  get zoom() { return this.#map.getZoom(); }

  fit(bounds, maxZoom = 16) {
    this.#map.fitBounds(unwrapped(bounds), { padding: 50, maxZoom, animate: !still.matches, duration: 600 });
  }

  goTo(center, zoom = this.#map.getZoom()) { this.#map.easeTo({ center, zoom, animate: !still.matches, duration: 500 }); }

  /** @param system `metric` or `imperial` */
  set units(system) { this.#scale.setUnit(system); }

  get isHeld() { return this.#isHeld; }

  /** Held, the map does not move under the pointer, nor zoom on a double click: something is drawn. */
  set isHeld(held) {
    this.#isHeld = held;
    for (const handler of [this.#map.dragPan, this.#map.doubleClickZoom, this.#map.boxZoom]) {
      if (held) handler.disable();
      else handler.enable();
    }
  }
}

/** Bounds across the antimeridian, whose east is west of their west, as the map wants them. */
const unwrapped = ([west, south, east, north]) => [west, south, east < west ? east + 360 : east, north];
