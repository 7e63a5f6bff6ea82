// @ts-check
import { parsePlace } from "../common/degrees.js";
import { parseLength } from "../common/units.js";

/** @typedef {import("../map/draw-tool.js").Shape} Shape */
/** @typedef {import("../types/api").FenceProperties} FenceProperties */
/** @typedef {import("../types/geojson").Geometry} Geometry */
/** @typedef {import("../types/geojson").Position} Position */

const defaultRadius = 200;
const defaultWidth = 50;

/**
 * @param {string} kind of a shape
 * @returns {Shape}
 */
export function emptyShape(kind) {
  switch (kind) {
    case "circle": return { kind, center: null, radius: defaultRadius };
    case "corridor": return { kind, points: [], width: defaultWidth };
    default: return { kind: "polygon", points: [] };
  }
}

/**
 * The shape of a fence.
 *
 * @param {Geometry} geometry
 * @param {FenceProperties} properties
 * @returns {Shape | null} null: it has several parts or holes
 */
export function shapeOf(geometry, { radius, width }) {
  switch (geometry.type) {
    case "Point": return { kind: "circle", center: geometry.coordinates, radius: parseLength(radius) };
    case "LineString": return { kind: "corridor", points: geometry.coordinates, width: parseLength(width) };
    case "Polygon":
      return geometry.coordinates.length === 1 ? { kind: "polygon", points: geometry.coordinates[0].slice(0, -1) } : null;
    default: return null;
  }
}

/**
 * Throws an error for the user where points are missing.
 *
 * @param {Shape} shape
 * @returns {Geometry}
 */
export function geometryOf(shape) {
  if (shape.kind === "circle") {
    if (shape.center === null) throw new Error("The circle has no center: draw it, or enter its latitude and longitude.");
    return { type: "Point", coordinates: shape.center };
  }
  const { kind, points } = shape;
  const pointsMin = kind === "polygon" ? 3 : 2;
  if (points.length < pointsMin) {
    throw new Error(`Expected at least ${pointsMin} points, got ${points.length}: draw them, or enter them, one per line.`);
  }
  return kind === "polygon"
    ? { type: "Polygon", coordinates: [[...points, points[0]]] } : { type: "LineString", coordinates: points };
}

/**
 * Latitude and longitude of each point on a line: `42.280000, -83.750000`.
 *
 * @param {Position[]} points
 */
export const formatPoints = (points) =>
  points.map(([longitude, latitude]) => `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`).join("\n");

/**
 * The points of a text, and the first of its lines that is none, counted from 1.
 *
 * @param {string} text
 * @returns {{points: Position[], wrongLine: number | null}}
 */
export function parsePoints(text) {
  const lines = text.split("\n").map((line) => (line.trim() === "" ? undefined : parsePlace(line)));
  const wrong = lines.indexOf(null);
  return { points: lines.flatMap((place) => (place ? [place] : [])), wrongLine: wrong < 0 ? null : wrong + 1 };
}
