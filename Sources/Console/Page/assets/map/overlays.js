// @ts-check
import { roadStyleLayers } from "./base-style.js";
import { collection } from "./geometry.js";
import { iconImages, pixelRatio } from "./icons.js";
import { overlayLayers, sourceNames } from "./overlay-layers.js";
import { paletteOf } from "./palette.js";

/** @typedef {import("../common/theme.js").Theme} Theme */
/** @typedef {import("../types/maplibre").Map} MapLibreMap */

/**
 * Adds icons, sources and layers to the base style, in the colours of the theme.
 *
 * @param {MapLibreMap} map
 * @param {Theme} theme
 */
export function addOverlays(map, theme) {
  setIcons(map, theme);
  for (const source of sourceNames) map.addSource(source, { type: "geojson", data: collection([]) });
  for (const layer of overlayLayers(paletteOf(theme))) map.addLayer(layer);
  theme.on("change", () => applyTheme(map, theme));
}

/**
 * @param {MapLibreMap} map
 * @param {Theme} theme
 */
function setIcons(map, theme) {
  for (const [name, image] of iconImages(paletteOf(theme))) {
    if (map.hasImage(name)) map.updateImage(name, image);
    else map.addImage(name, image, { pixelRatio });
  }
}

/**
 * A configured base style keeps its own colours.
 *
 * @param {MapLibreMap} map
 * @param {Theme} theme
 */
function applyTheme(map, theme) {
  setIcons(map, theme);
  const palette = paletteOf(theme);
  const base = map.getSource("roads") ? roadStyleLayers(palette, Boolean(map.getSource("base"))) : [];
  for (const { id, paint = {} } of [...base, ...overlayLayers(palette)]) {
    for (const [property, value] of Object.entries(paint)) map.setPaintProperty(id, property, value);
  }
}
