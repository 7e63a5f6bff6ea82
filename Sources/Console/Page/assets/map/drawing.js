import { circleRing, distance, point } from "./shapes.js";

/**
 * A fence in the making, drawn by pointer: its points are those of the form beside the map, and either changes the other.
 * `shape` is `{kind: "circle", center, radius}` or `{kind: "polygon" | "corridor", points}`, points open.
 */
export class Drawing {
  #map;
  #onChange;
  #shape;
  #isPlacing;
  #grabbed = null;
  #off;

  /** @param onChange told of the shape whenever the pointer has changed it */
  constructor(map, shape, onChange) {
    this.#map = map;
    this.#onChange = onChange;
    this.#shape = shape;
    this.#isPlacing = false;
    const endByKey = (event) => { if (event.key === "Escape" && this.#isPlacing) this.finish(); };
    document.addEventListener("keydown", endByKey);
    const deafen = map.on("pointer", (kind, event) => this.#point(kind, event));
    this.#off = () => {
      deafen();
      document.removeEventListener("keydown", endByKey);
    };
    this.#show();
  }

  set shape(shape) {
    this.#shape = shape;
    this.#show();
  }

  get isPlacing() { return this.#isPlacing; }

  /** Begins anew: the next clicks are its points. */
  place() {
    this.#shape = this.#shape.kind === "circle"
      ? { kind: "circle", center: null, radius: this.#shape.radius } : { ...this.#shape, points: [] };
    this.#hold(true);
    this.#changed();
  }

  /** Ends the placing; what was placed stays. */
  finish() {
    this.#hold(false);
    this.#changed();
  }

  close() {
    this.#off();
    this.#hold(false);
    this.#map.show("drawing", []);
  }

  #hold(isPlacing) {
    this.#isPlacing = isPlacing;
    this.#map.isHeld = isPlacing;
  }

  #point(kind, event) {
    if (this.#isPlacing && kind === "click") return this.#add(event.lngLat.toArray());
    if (this.#isPlacing && kind === "dblclick") return this.finish();
    if (kind === "mousedown" || kind === "touchstart") return this.#grab(event);
    if (this.#grabbed !== null && (kind === "mousemove" || kind === "touchmove")) return this.#drag(event.lngLat.toArray());
    if (kind === "mouseup" || kind === "touchend") return this.#release();
    return undefined;
  }

  #add(position) {
    const { kind } = this.#shape;
    if (kind !== "circle") {
      const last = this.#shape.points.at(-1);
      // The two clicks of a double click are one corner.
      if (last && distance(last, position) < 0.5) return;
      this.#shape = { ...this.#shape, points: [...this.#shape.points, position] };
    } else if (this.#shape.center === null) {
      this.#shape = { ...this.#shape, center: position };
    } else {
      this.#shape = { ...this.#shape, radius: distance(this.#shape.center, position) };
      this.#hold(false);
    }
    this.#changed();
  }

  #grab(event) {
    if (this.#isPlacing) return;
    const corner = this.#map.featureAt(event.point, ["drawing-corners"]);
    if (!corner) return;
    event.preventDefault();
    this.#grabbed = corner.properties.corner;
  }

  #drag(position) {
    if (this.#shape.kind !== "circle") {
      const points = this.#shape.points.with(this.#grabbed, position);
      this.#shape = { ...this.#shape, points };
    } else if (this.#grabbed === 0) {
      this.#shape = { ...this.#shape, center: position };
    } else {
      this.#shape = { ...this.#shape, radius: distance(this.#shape.center, position) };
    }
    this.#changed();
  }

  #release() { this.#grabbed = null; }

  #changed() {
    this.#show();
    this.#onChange(this.#shape);
  }

  #show() { this.#map.show("drawing", featuresOf(this.#shape)); }
}

/** The shape and the corners by which it is moved; the circle's second one sets its radius. */
function featuresOf(shape) {
  if (shape.kind === "circle") {
    if (shape.center === null) return [];
    if (!(shape.radius > 0)) return [point(shape.center, { corner: 0 })];
    const ring = circleRing(shape.center, shape.radius);
    return [area([ring]), point(shape.center, { corner: 0 }), point(ring[18], { corner: 1 })];
  }
  const corners = shape.points.map((position, corner) => point(position, { corner }));
  if (shape.kind === "polygon" && shape.points.length > 2) return [area([[...shape.points, shape.points[0]]]), ...corners];
  if (shape.points.length < 2) return corners;
  return [{ type: "Feature", properties: {}, geometry: { type: "LineString", coordinates: shape.points } }, ...corners];
}

const area = (coordinates) => ({ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates } });
