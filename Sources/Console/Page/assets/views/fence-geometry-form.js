// @ts-check
import { degreesInput, latitudeMax, longitudeMax, parseDegrees } from "../common/degrees.js";
import { element, setChildren, setText } from "../common/dom.js";
import { field, select } from "../common/form.js";
import { parseLength } from "../common/units.js";
import { DrawTool } from "../map/draw-tool.js";
import { emptyShape, formatPoints, geometryOf, parsePoints, shapeOf } from "./fence-shape.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../map/draw-tool.js").CircleShape} CircleShape */
/** @typedef {import("../map/draw-tool.js").Shape} Shape */
/** @typedef {import("../map/map.js").FleetMap} FleetMap */
/** @typedef {import("../types/api").FenceProperties} FenceProperties */
/** @typedef {import("../types/geojson").Geometry} Geometry */
/** @typedef {import("../types/geojson").Position} Position */

/** Edits the geometry of a fence, on the map and as numbers, each of which follows the other. */
export class FenceGeometryForm {
  /** @type {HTMLElement} */
  element;
  /** @type {Units} */
  #units;
  /** @type {Shape} */
  #shape;
  /** @type {DrawTool | null} */
  #drawTool = null;
  /**
   * A geometry that this form cannot edit; it is sent back unchanged.
   *
   * @type {Geometry | null}
   */
  #fixed = null;
  #kind;
  #numbers = element("div", { class: "fields" });
  #draw = element("button", { type: "button", onclick: () => this.#toggleDrawing() });
  #hint = element("p", { class: "hint", role: "status" });

  /**
   * @param {FleetMap | null} map
   * @param {Geometry | null} geometry null: a new fence
   * @param {FenceProperties} properties
   * @param {Units} units
   */
  constructor(map, geometry, properties, units) {
    this.#units = units;
    const shape = geometry === null ? emptyShape("circle") : shapeOf(geometry, properties);
    if (shape === null) this.#fixed = geometry;
    this.#shape = shape ?? emptyShape("polygon");
    this.#kind = select([["circle", "Circle"], ["polygon", "Polygon"], ["corridor", "Corridor along a line"]], this.#shape.kind);
    this.#kind.addEventListener("change", () => this.#replaceShape(emptyShape(this.#kind.value)));
    if (map && shape) this.#drawTool = new DrawTool(map, shape, (drawn) => this.#shapeDrawn(drawn));
    this.element = element("fieldset", { class: "stack" }, element("legend", {}, "Geometry"),
      ...(this.#fixed ? [element("p", { class: "muted" }, "This geometry has several parts or holes, and cannot be edited here.")]
        : [field("Shape", this.#kind), this.#drawTool && this.#draw, this.#hint, this.#numbers]));
    this.#showNumbers();
    this.#showDrawing();
  }

  close() { this.#drawTool?.close(); }

  /**
   * Throws an error for the user where points are missing.
   *
   * @returns {Geometry}
   */
  get geometry() { return this.#fixed ?? geometryOf(this.#shape); }

  /**
   * The properties that belong to the geometry, in metres.
   *
   * @returns {{radius?: number, width?: number}}
   */
  get extent() {
    const shape = this.#shape;
    if (this.#fixed) return {};
    return {
      radius: shape.kind === "circle" ? shape.radius ?? undefined : undefined,
      width: shape.kind === "corridor" ? shape.width ?? undefined : undefined,
    };
  }

  /** @param {Shape} shape */
  #replaceShape(shape) {
    this.#drawTool?.setShape(shape);
    this.#shapeDrawn(shape);
  }

  #toggleDrawing() {
    if (this.#drawTool?.isDrawing) this.#drawTool.finish();
    else this.#drawTool?.start();
  }

  /** @param {Shape} shape */
  #shapeDrawn(shape) {
    this.#shape = shape;
    this.#showNumbers();
    this.#showDrawing();
  }

  #showDrawing() {
    if (this.#drawTool === null) return;
    const { isDrawing } = this.#drawTool;
    setText(this.#draw, isDrawing ? "Done" : "Draw on the map");
    this.#draw.setAttribute("aria-pressed", String(isDrawing));
    setText(this.#hint, isDrawing ? drawingHint(this.#shape) : editingHint(this.#shape));
  }

  // Numbers

  #showNumbers() {
    const shape = this.#shape;
    // Controls that the user types into stay.
    if (this.#fixed || this.#numbers.contains(document.activeElement)) return;
    if (shape.kind === "circle") this.#showCircle(shape);
    else {
      setChildren(this.#numbers,
        this.#pointsField(shape.points),
        shape.kind === "corridor" && this.#lengthField("Width", shape.width, (width) => this.#change({ width })));
    }
  }

  /** @param {CircleShape} circle */
  #showCircle({ center, radius }) {
    setChildren(this.#numbers,
      this.#degreesField("Latitude", latitudeMax, center?.[1], (latitude) => this.#changeCenter({ latitude })),
      this.#degreesField("Longitude", longitudeMax, center?.[0], (longitude) => this.#changeCenter({ longitude })),
      this.#lengthField("Radius", radius, (metres) => this.#change({ radius: metres })));
  }

  /** @param {Position[]} points */
  #pointsField(points) {
    const area = element("textarea", { spellcheck: "false" });
    area.value = formatPoints(points);
    area.addEventListener("input", () => {
      const { points, wrongLine } = parsePoints(area.value);
      area.setCustomValidity(wrongLine === null ? "" : `Line ${wrongLine}: enter latitude and longitude, such as 42.2807, -83.7545.`);
      this.#change({ points });
    });
    return field("Points: latitude, longitude, one per line", area, { isWide: true });
  }

  /**
   * @param {string} label
   * @param {number} max
   * @param {number | undefined} degrees
   * @param {(degrees: number) => void} onChange
   */
  #degreesField(label, max, degrees, onChange) {
    const control = degreesInput(max, degrees?.toFixed(6));
    control.addEventListener("input", () => {
      const value = parseDegrees(control.value, max);
      if (value !== null) onChange(value);
    });
    return field(label, control);
  }

  /**
   * @param {string} label
   * @param {number | null} metres
   * @param {(metres: number) => void} onChange
   */
  #lengthField(label, metres, onChange) {
    const value = metres === null ? "" : this.#units.length(metres);
    const control = element("input", { autocomplete: "off", required: true, value });
    control.addEventListener("input", () => {
      const length = parseLength(control.value);
      control.setCustomValidity(length === null ? "Enter a length, such as 200 m, 0.2 mi or 600 ft." : "");
      if (length !== null) onChange(length);
    });
    return field(label, control, { hint: "Metres, or with a unit: 0.2 mi." });
  }

  /** @param {{latitude?: number, longitude?: number}} change */
  #changeCenter({ latitude, longitude }) {
    const [oldLongitude, oldLatitude] = (this.#shape.kind === "circle" ? this.#shape.center : null) ?? [0, 0];
    this.#change({ center: [longitude ?? oldLongitude, latitude ?? oldLatitude] });
  }

  /** @param {{center?: Position, radius?: number, points?: Position[], width?: number}} change of members that the shape has */
  #change(change) {
    this.#shape = { ...this.#shape, ...change };
    this.#drawTool?.setShape(this.#shape);
  }
}

/** @param {Shape} shape */
function drawingHint(shape) {
  if (shape.kind !== "circle") return "Click each point; a double click, or Done, ends the shape.";
  return shape.center === null ? "Click the center." : "Click the border.";
}

/** @param {Shape} shape */
function editingHint(shape) {
  const isEmpty = shape.kind === "circle" ? shape.center === null : shape.points.length === 0;
  return isEmpty ? "Draw the shape, or enter numbers." : "Drag the points on the map, or change the numbers.";
}
