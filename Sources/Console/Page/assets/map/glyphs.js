// @ts-check
import { context2D } from "./canvas.js";
import { signedDistances } from "./distance-field.js";
import { ProtobufWriter } from "./protobuf.js";

/** @typedef {import("../types/maplibre").MapLibre} MapLibre */

/**
 * Text on the map without a font server: MapLibre requests ranges of 256 glyphs, and this renders them with the browser's own
 * fonts, in the format it expects (signed distance fields at 24 pixels, 3 pixels of border).
 */
const fontSize = 24;
const border = 3;
/** Distances are encoded up to so many pixels; the outline lies at three quarters of the scale. */
const distanceMax = 8;
const outline = 0.75;
/** Of the top of a line, above the baseline, in MapLibre. */
const ascent = 27;
const canvasSize = fontSize * 2;
const fontFamily = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

export const glyphsURL = "glyphs://{fontstack}/{range}";

/** @param {MapLibre} library */
export function registerGlyphs(library) {
  library.addProtocol("glyphs", async ({ url }) => {
    const match = url.match(/^glyphs:\/\/(.*)\/(\d+)-(\d+)$/);
    if (match === null) throw new Error(`expected ${glyphsURL}, got ${url}`);
    const [, fontStack, first, last] = match;
    return { data: glyphRange(decodeURIComponent(fontStack), Number(first), Number(last)) };
  });
}

/**
 * Fields of glyphs.proto: glyphs.stacks 1; fontstack.name 1, .range 2, .glyphs 3.
 *
 * @param {string} fontStack
 * @param {number} first
 * @param {number} last
 */
function glyphRange(fontStack, first, last) {
  const context = context2D(new OffscreenCanvas(canvasSize, canvasSize), { willReadFrequently: true });
  context.font = `${/bold/i.test(fontStack) ? "bold" : "normal"} ${fontSize}px ${fontFamily}`;
  const message = new ProtobufWriter().text(1, fontStack).text(2, `${first}-${last}`);
  for (let code = first; code <= last; code += 1) {
    if (isPrintable(code)) message.bytes(3, glyph(context, code));
  }
  return new ProtobufWriter().bytes(1, message.finish()).finish().buffer;
}

/**
 * Neither a control character nor half of a surrogate pair.
 *
 * @param {number} code
 */
const isPrintable = (code) => code >= 32 && (code < 127 || code > 160) && (code < 0xd800 || code > 0xdfff);

/**
 * Fields: id 1, bitmap 2, width 3, height 4, left 5, top 6, advance 7.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {number} code
 */
function glyph(context, code) {
  const character = String.fromCharCode(code);
  const metrics = context.measureText(character);
  const left = Math.floor(-metrics.actualBoundingBoxLeft);
  const top = Math.ceil(metrics.actualBoundingBoxAscent);
  const width = Math.min(canvasSize, Math.max(0, Math.ceil(metrics.actualBoundingBoxRight) - left));
  const height = Math.min(canvasSize, Math.max(0, top + Math.ceil(metrics.actualBoundingBoxDescent)));
  const message = new ProtobufWriter().unsigned(1, code);
  if (width > 0 && height > 0) message.bytes(2, bitmap(context, character, { left, top, width, height }));
  return message.unsigned(3, width).unsigned(4, height).signed(5, left).signed(6, top - ascent)
    .unsigned(7, Math.round(metrics.width)).finish();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} character
 * @param {{left: number, top: number, width: number, height: number}} box in pixels from the origin of the baseline
 */
function bitmap(context, character, { left, top, width, height }) {
  context.clearRect(0, 0, canvasSize, canvasSize);
  context.fillText(character, -left, top);
  const { data } = context.getImageData(0, 0, width, height);
  const [fullWidth, fullHeight] = [width + 2 * border, height + 2 * border];
  const coverage = new Float64Array(fullWidth * fullHeight);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) coverage[(y + border) * fullWidth + x + border] = data[(y * width + x) * 4 + 3] / 255;
  }
  const distances = signedDistances(coverage, fullWidth, fullHeight);
  return Uint8ClampedArray.from(distances, (distance) => 255 * (outline - distance / distanceMax));
}
