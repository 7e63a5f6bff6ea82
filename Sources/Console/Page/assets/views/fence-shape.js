import { element, fill, say } from "../parts/element.js";
import { choice, field } from "../parts/form.js";
import { metresOf } from "../parts/units.js";
import { Drawing } from "../map/drawing.js";

const kinds = [["circle", "Circle"], ["polygon", "Polygon"], ["corridor", "Corridor along a line"]];

/** The geometry of a fence, by pointer on the map or by numbers: each follows the other. */
export class FenceShape {
  element;
  #shape;
  #drawing = null;
  /** Of several polygons, or with holes: drawn elsewhere, and kept as it is. */
  #fixed = null;
  #kind;
  #numbers = element("div", { class: "fields" });
  #button = element("button", { type: "button", onclick: () => this.#toggle() });
  #say = element("p", { class: "hint", role: "status" });

  constructor({ map }, geometry, { radius, width }) {
    this.#shape = shapeOf(geometry, radius, width);
    if (this.#shape === null) this.#fixed = geometry;
    this.#kind = choice(kinds, this.#shape?.kind ?? "polygon");
    this.#kind.addEventListener("change", () => this.#become(emptyShape(this.#kind.value)));
    if (map && this.#shape) this.#drawing = new Drawing(map, this.#shape, (shape) => this.#drawn(shape));
    this.element = element("fieldset", { class: "stack" }, element("legend", {}, "Where"),
      this.#fixed ? element("p", { class: "quiet" }, "A shape of several parts: it stays as it was sent.")
        : [field("Shape", this.#kind), this.#drawing && this.#button, this.#say, this.#numbers]);
    this.#showNumbers();
    this.#showButton();
  }

  close() { this.#drawing?.close(); }

  get geometry() {
    if (this.#fixed) return this.#fixed;
    const { kind, center, points } = this.#shape;
    if (kind === "circle") {
      if (center === null) throw new Error("Say where the circle's middle is: draw it, or write its latitude and longitude.");
      return { type: "Point", coordinates: center };
    }
    const least = kind === "polygon" ? 3 : 2;
    if (points.length < least) throw new Error(`At least ${least} points are needed: draw them, or write them, one a line.`);
    return kind === "polygon"
      ? { type: "Polygon", coordinates: [[...points, points[0]]] } : { type: "LineString", coordinates: points };
  }

  /** What the geometry does not say, in metres. */
  get extent() {
    if (this.#fixed) return {};
    const { kind, radius, width } = this.#shape;
    return { radius: kind === "circle" ? radius : undefined, width: kind === "corridor" ? width : undefined };
  }

  #become(shape) {
    this.#shape = shape;
    if (this.#drawing) this.#drawing.shape = shape;
    this.#showNumbers();
    this.#showButton();
  }

  #toggle() {
    if (this.#drawing.isPlacing) this.#drawing.finish();
    else this.#drawing.place();
  }

  #drawn(shape) {
    this.#shape = shape;
    this.#showNumbers();
    this.#showButton();
  }

  #showButton() {
    if (!this.#drawing) return;
    const isPlacing = this.#drawing.isPlacing;
    say(this.#button, isPlacing ? "Done" : "Draw on the map");
    this.#button.setAttribute("aria-pressed", String(isPlacing));
    const circle = this.#shape.center === null ? "Click where its middle is." : "Click where its border is.";
    const hasPlace = this.#shape.center !== null && this.#shape.points?.length !== 0;
    const idle = hasPlace ? "Drag its corners on the map, or change the numbers." : "Draw it, or write numbers.";
    say(this.#say, !isPlacing ? idle
      : this.#shape.kind === "circle" ? circle : "Click each corner; a double click, or Done, is the last.");
  }

  // Numbers

  #showNumbers() {
    if (this.#fixed || this.#numbers.contains(document.activeElement)) return;
    const { kind, center, radius, points, width } = this.#shape;
    if (kind === "circle") {
      fill(this.#numbers,
        this.#number("Latitude", center?.[1].toFixed(6), (text) => this.#moveCenter(1, text)),
        this.#number("Longitude", center?.[0].toFixed(6), (text) => this.#moveCenter(0, text)),
        this.#length("Radius", radius, (metres) => ({ radius: metres })));
    } else {
      const area = element("textarea", { spellcheck: "false" });
      area.value = points.map(([longitude, latitude]) => `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`).join("\n");
      area.addEventListener("input", () => this.#written({ points: pointsIn(area.value) }));
      fill(this.#numbers,
        field("Points: latitude, longitude, one a line", area, { wide: true }),
        kind === "corridor" && this.#length("Width", width, (metres) => ({ width: metres })));
    }
  }

  #number(label, value, onInput) {
    const control = element("input", { inputmode: "decimal", autocomplete: "off", required: true, value: value ?? "" });
    control.addEventListener("input", () => onInput(control.value));
    return field(label, control);
  }

  #length(label, metres, change) {
    const control = element("input", { autocomplete: "off", required: true, value: metres === null ? "" : `${Math.round(metres)} m` });
    control.addEventListener("input", () => {
      const length = metresOf(control.value);
      control.setCustomValidity(length === null ? "A length, such as 200 m, 0.2 mi or 600 ft." : "");
      if (length !== null) this.#written(change(length));
    });
    return field(label, control, { hint: "Metres, or with a unit: 0.2 mi." });
  }

  #moveCenter(index, text) {
    const degrees = Number(text);
    if (text.trim() === "" || Number.isNaN(degrees)) return;
    const center = [...(this.#shape.center ?? [0, 0])];
    center[index] = degrees;
    this.#written({ center });
  }

  #written(change) {
    this.#shape = { ...this.#shape, ...change };
    if (this.#drawing) this.#drawing.shape = this.#shape;
  }
}

const emptyShape = (kind) => (kind === "circle" ? { kind, center: null, radius: 200 } : { kind, points: [], width: 50 });

/** Null for what has several parts. */
function shapeOf(geometry, radius, width) {
  if (geometry === null) return emptyShape("circle");
  const { type, coordinates } = geometry;
  if (type === "Point") return { kind: "circle", center: coordinates, radius: metresOf(radius) };
  if (type === "LineString") return { kind: "corridor", points: coordinates, width: metresOf(width) };
  if (type === "Polygon" && coordinates.length === 1) return { kind: "polygon", points: coordinates[0].slice(0, -1) };
  return null;
}

/** `42.28, -83.75`, one a line; lines that are not yet finished are left out. */
function pointsIn(text) {
  return text.split("\n").map((line) => line.split(/[\s,;]+/).filter((word) => word !== "").map(Number))
    .filter((pair) => pair.length === 2 && pair.every(Number.isFinite))
    .map(([latitude, longitude]) => [longitude, latitude]);
}
