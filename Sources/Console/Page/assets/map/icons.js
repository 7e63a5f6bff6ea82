// @ts-check
import { context2D } from "./canvas.js";

/** @typedef {import("./palette.js").Palette} Palette */

/** Pixels of an icon, and device pixels for each. */
const size = 26;
export const pixelRatio = 2;

/** Paths in a square from -1 to 1, y down. */
const paths = {
  arrow: [[0, -0.85], [0.65, 0.75], [0, 0.4], [-0.65, 0.75]],
  octagon: regularPolygon(8, 0.8, 22.5),
  diamond: regularPolygon(4, 0.85, 0),
  triangle: [[0, -0.8], [0.82, 0.68], [-0.82, 0.68]],
  square: regularPolygon(4, 0.85, 45),
  disc: regularPolygon(36, 0.62, 0),
  speechBubble: [[-0.8, -0.7], [0.8, -0.7], [0.8, 0.3], [0, 0.3], [-0.4, 0.85], [-0.4, 0.3], [-0.8, 0.3]],
};

/**
 * Icons differ in shape, not only in colour: colours alone are not accessible.
 *
 * @typedef {{path: keyof typeof paths, colour: keyof Palette, text?: string, isHollow?: boolean}} Icon
 */
/** @typedef {keyof typeof icons} IconName */

const icons = {
  "truck": icon("arrow", "truck"),
  "truck-stopped": icon("disc", "truck"),
  "truck-stale": hollowIcon("arrow", "staleTruck"),
  "truck-stale-stopped": hollowIcon("disc", "staleTruck"),
  "stage-ahead": icon("triangle", "ahead", "!"),
  "stage-detour": icon("diamond", "detour", "↰"),
  "stage-stop": icon("octagon", "stop", "–"),
  "clearance-too-low": icon("octagon", "stop", "×"),
  "clearance-unknown": icon("diamond", "detour", "?"),
  "clearance-fits": icon("disc", "fits", "✓"),
  "clearance": icon("square", "neutral", "↕"),
  "detour": icon("square", "detourLine", "↰"),
  "alert-point": icon("speechBubble", "alertPoint", "i"),
  "corner": hollowIcon("square", "fence"),
};

/**
 * Every icon as MapLibre takes it.
 *
 * @param {Palette} palette
 * @returns {[name: string, image: ImageData][]}
 */
export function iconImages(palette) {
  return Object.entries(icons).map(([name, drawn]) => {
    const canvas = new OffscreenCanvas(size * pixelRatio, size * pixelRatio);
    drawPath(canvas, drawn, palette);
    return [name, context2D(canvas).getImageData(0, 0, canvas.width, canvas.height)];
  });
}

/**
 * @param {HTMLCanvasElement} canvas square
 * @param {IconName} name
 * @param {Palette} palette
 */
export function drawIcon(canvas, name, palette) { drawPath(canvas, icons[name], palette); }

/**
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 * @param {Icon} icon
 * @param {Palette} palette
 */
function drawPath(canvas, { path, colour, text, isHollow }, palette) {
  const context = context2D(canvas);
  const half = canvas.width / 2;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.translate(half, half);
  context.beginPath();
  for (const [x, y] of paths[path]) context.lineTo(x * half * 0.86, y * half * 0.86);
  context.closePath();
  context.lineJoin = "round";
  context.lineWidth = isHollow ? half * 0.2 : half * 0.16;
  context.fillStyle = isHollow ? palette.outline : palette[colour];
  context.strokeStyle = isHollow ? palette[colour] : palette.outline;
  context.fill();
  context.stroke();
  if (text) drawText(context, text, half, palette.outline, path);
  context.setTransform(1, 0, 0, 1, 0, 0);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} text
 * @param {number} half the canvas's width
 * @param {string} colour
 * @param {keyof typeof paths} path
 */
function drawText(context, text, half, colour, path) {
  const offset = path === "triangle" ? 0.22 : path === "speechBubble" ? -0.12 : 0.06;
  context.font = `bold ${half * 0.86}px system-ui, "DejaVu Sans", sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, 0, half * offset);
}

/**
 * @param {keyof typeof paths} path
 * @param {keyof Palette} colour
 * @param {string} [text]
 * @returns {Icon}
 */
function icon(path, colour, text) { return { path, colour, text }; }

/**
 * @param {keyof typeof paths} path
 * @param {keyof Palette} colour
 * @returns {Icon}
 */
function hollowIcon(path, colour) { return { path, colour, isHollow: true }; }

/**
 * @param {number} corners
 * @param {number} radius
 * @param {number} rotation in degrees clockwise
 * @returns {[number, number][]}
 */
function regularPolygon(corners, radius, rotation) {
  return Array.from({ length: corners }, (_, corner) => {
    const angle = ((corner * 360) / corners + rotation) * (Math.PI / 180);
    return [Math.sin(angle) * radius, -Math.cos(angle) * radius];
  });
}
