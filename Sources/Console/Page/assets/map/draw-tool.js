// @ts-check
import { circleRing, distance, pointFeature } from "./geometry.js";

/** @typedef {import("../types/geojson").Feature} Feature */
/** @typedef {import("../types/geojson").Position} Position */
/** @typedef {import("../types/maplibre").PointerEvent} PointerEvent */
/** @typedef {import("./map.js").FleetMap} FleetMap */

/** @typedef {{kind: "circle", center: Position | null, radius: number | null}} CircleShape radius in metres */
/** @typedef {{kind: "polygon", points: Position[]}} PolygonShape an open ring */
/** @typedef {{kind: "corridor", points: Position[], width: number | null}} CorridorShape width in metres */
/** @typedef {CircleShape | PolygonShape | CorridorShape} Shape */

/** Metres; the two clicks of a double click are one point. */
const pointDistanceMin = 0.5;
/** The point of a circle's ring by which its radius is changed: on its eastern side. */
const radiusHandle = 18;

/** Draws and edits a shape on the map by pointer. */
export class DrawTool {
  /** @type {FleetMap} */
  #map;
  /** @type {(shape: Shape) => void} */
  #onChange;
  /** @type {Shape} */
  #shape;
  #isDrawing = false;
  /**
   * The index of the corner that is dragged.
   *
   * @type {number | null}
   */
  #dragged = null;
  /** @type {() => void} */
  #removeListeners;

  /**
   * @param {FleetMap} map
   * @param {Shape} shape
   * @param {(shape: Shape) => void} onChange called when the pointer has changed the shape
   */
  constructor(map, shape, onChange) {
    this.#map = map;
    this.#onChange = onChange;
    this.#shape = shape;
    const onKey = (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape" && this.#isDrawing) this.finish(); };
    document.addEventListener("keydown", onKey);
    const removePointerListener = map.on("pointer", (event) => this.#handlePointer(event));
    this.#removeListeners = () => {
      removePointerListener();
      document.removeEventListener("keydown", onKey);
    };
    this.#show();
  }

  /** @param {Shape} shape */
  setShape(shape) {
    this.#shape = shape;
    this.#show();
  }

  get isDrawing() { return this.#isDrawing; }

  /** Removes the shape's points; the next clicks set new ones. */
  start() {
    this.#shape = this.#shape.kind === "circle" ? { ...this.#shape, center: null } : { ...this.#shape, points: [] };
    this.#setDrawing(true);
    this.#changed();
  }

  /** Ends drawing; the points stay. */
  finish() {
    this.#setDrawing(false);
    this.#changed();
  }

  close() {
    this.#removeListeners();
    this.#setDrawing(false);
    this.#map.setFeatures("drawing", []);
  }

  /** @param {boolean} isDrawing */
  #setDrawing(isDrawing) {
    this.#isDrawing = isDrawing;
    this.#map.setLocked(isDrawing);
  }

  /** @param {PointerEvent} event */
  #handlePointer(event) {
    const { type } = event;
    if (this.#isDrawing && type === "click") this.#addPoint(event.lngLat.toArray());
    else if (this.#isDrawing && type === "dblclick") this.finish();
    else if (type === "mousedown" || type === "touchstart") this.#startDrag(event);
    else if (type === "mousemove" || type === "touchmove") this.#drag(event.lngLat.toArray());
    else if (type === "mouseup" || type === "touchend") this.#dragged = null;
  }

  /** @param {Position} position */
  #addPoint(position) {
    const shape = this.#shape;
    if (shape.kind !== "circle") {
      const last = shape.points.at(-1);
      if (last && distance(last, position) < pointDistanceMin) return;
      this.#shape = { ...shape, points: [...shape.points, position] };
    } else if (shape.center === null) {
      this.#shape = { ...shape, center: position };
    } else {
      this.#shape = { ...shape, radius: distance(shape.center, position) };
      this.#setDrawing(false);
    }
    this.#changed();
  }

  /** @param {PointerEvent} event */
  #startDrag(event) {
    if (this.#isDrawing) return;
    const feature = this.#map.featureAt(event.point, ["drawing-corners"]);
    if (!feature) return;
    event.preventDefault();
    this.#dragged = /** @type {{corner: number}} */ (feature.properties).corner;
  }

  /** @param {Position} position */
  #drag(position) {
    const shape = this.#shape;
    if (this.#dragged === null) return;
    if (shape.kind !== "circle") {
      this.#shape = { ...shape, points: shape.points.with(this.#dragged, position) };
    } else if (this.#dragged === 0 || shape.center === null) {
      this.#shape = { ...shape, center: position };
    } else {
      this.#shape = { ...shape, radius: distance(shape.center, position) };
    }
    this.#changed();
  }

  #changed() {
    this.#show();
    this.#onChange(this.#shape);
  }

  #show() { this.#map.setFeatures("drawing", featuresOf(this.#shape)); }
}

/**
 * The shape and the corners by which it is edited.
 *
 * @param {Shape} shape
 * @returns {Feature[]}
 */
function featuresOf(shape) {
  if (shape.kind === "circle") return circleFeatures(shape);
  const { kind, points } = shape;
  const corners = points.map((position, corner) => pointFeature(position, { corner }));
  if (kind === "polygon" && points.length > 2) return [polygonFeature([...points, points[0]]), ...corners];
  if (points.length < 2) return corners;
  return [{ type: "Feature", properties: {}, geometry: { type: "LineString", coordinates: points } }, ...corners];
}

/**
 * @param {CircleShape} circle
 * @returns {Feature[]}
 */
function circleFeatures({ center, radius }) {
  if (center === null) return [];
  if (radius === null || radius <= 0) return [pointFeature(center, { corner: 0 })];
  const ring = circleRing(center, radius);
  return [polygonFeature(ring), pointFeature(center, { corner: 0 }), pointFeature(ring[radiusHandle], { corner: 1 })];
}

/**
 * @param {Position[]} ring
 * @returns {Feature}
 */
const polygonFeature = (ring) => ({ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } });
