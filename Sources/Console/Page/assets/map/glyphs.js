import { distancesTo } from "./distance-field.js";
import { ProtobufWriter } from "./protobuf.js";

/**
 * Text on the map without a font server: MapLibre asks for ranges of 256 glyphs, and this draws them with the browser's own
 * fonts, in the format it expects (signed distances at 24 pixels, 3 pixels of border).
 */
const size = 24;
const border = 3;
/** Distances are told up to so many pixels; the outline lies at three quarters of the scale. */
const reach = 8;
const outline = 0.75;
/** Where MapLibre has the top of a line, above the baseline. */
const ascent = 27;
const canvasSize = size * 2;
const family = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

export const glyphsURL = "glyphs://{fontstack}/{range}";

/** @param library MapLibre */
export function drawGlyphs(library) {
  library.addProtocol("glyphs", async ({ url }) => {
    const [, stack, first, last] = url.match(/^glyphs:\/\/(.*)\/(\d+)-(\d+)$/);
    return { data: range(decodeURIComponent(stack), Number(first), Number(last)) };
  });
}

/** Fields of glyphs.proto: glyphs.stacks 1; fontstack.name 1, .range 2, .glyphs 3. */
function range(stack, first, last) {
  const pen = penFor(stack);
  const fontstack = new ProtobufWriter().text(1, stack).text(2, `${first}-${last}`);
  for (let code = first; code <= last; code += 1) {
    // Controls and halves of pairs are no characters of their own.
    if (code >= 32 && (code < 127 || code > 160) && (code < 0xd800 || code > 0xdfff)) fontstack.bytes(3, glyph(pen, code));
  }
  return new ProtobufWriter().bytes(1, fontstack.finish()).finish().buffer;
}

function penFor(stack) {
  const canvas = new OffscreenCanvas(canvasSize, canvasSize);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.font = `${/bold/i.test(stack) ? "bold" : "normal"} ${size}px ${family}`;
  return pen;
}

/** Fields: id 1, bitmap 2, width 3, height 4, left 5, top 6, advance 7. */
function glyph(pen, code) {
  const character = String.fromCharCode(code);
  const measure = pen.measureText(character);
  const left = Math.floor(-measure.actualBoundingBoxLeft);
  const top = Math.ceil(measure.actualBoundingBoxAscent);
  const width = Math.min(canvasSize, Math.max(0, Math.ceil(measure.actualBoundingBoxRight) - left));
  const height = Math.min(canvasSize, Math.max(0, top + Math.ceil(measure.actualBoundingBoxDescent)));
  const message = new ProtobufWriter().number(1, code);
  if (width > 0 && height > 0) message.bytes(2, bitmap(pen, character, { left, top, width, height }));
  return message.number(3, width).number(4, height).signed(5, left).signed(6, top - ascent)
    .number(7, Math.round(measure.width)).finish();
}

function bitmap(pen, character, { left, top, width, height }) {
  pen.clearRect(0, 0, canvasSize, canvasSize);
  pen.fillText(character, -left, top);
  const drawn = pen.getImageData(0, 0, width, height).data;
  const [wide, high] = [width + 2 * border, height + 2 * border];
  const cover = new Float64Array(wide * high);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) cover[(y + border) * wide + x + border] = drawn[(y * width + x) * 4 + 3] / 255;
  }
  return Uint8ClampedArray.from(distancesTo(cover, wide, high), (far) => 255 * (outline - far / reach));
}
