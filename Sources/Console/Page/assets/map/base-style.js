// @ts-check
import { glyphsURL } from "./glyphs.js";

/** @typedef {import("../types/api").MapSettings} MapSettings */
/** @typedef {import("../types/maplibre").Layer} Layer */
/** @typedef {import("../types/maplibre").Style} Style */
/** @typedef {import("../types/maplibre").StyleValue} StyleValue */
/** @typedef {import("./palette.js").Palette} Palette */

/** Classes of OSM's `highway`; a link is drawn as its road. */
const mainClasses = ["motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link"];
const middleClasses = ["secondary", "secondary_link", "tertiary", "tertiary_link"];

/**
 * The map below the overlays: the configured tiles, else the roads of the road file.
 *
 * @param {MapSettings} settings
 * @param {boolean} hasRoads
 * @param {Palette} palette
 * @returns {Style}
 */
export function baseStyle({ tiles, attribution }, hasRoads, palette) {
  const background = backgroundLayer(palette);
  if (tiles) {
    return {
      version: 8,
      glyphs: glyphsURL,
      sources: { tiles: { type: "raster", tiles: [tiles], tileSize: 256, maxzoom: 19, attribution: attribution ?? "" } },
      layers: [background, { id: "tiles", type: "raster", source: "tiles" }],
    };
  }
  if (!hasRoads) return { version: 8, glyphs: glyphsURL, sources: {}, layers: [background] };
  const url = `${location.origin}/api/v1/tiles/roads/{z}/{x}/{y}`;
  return {
    version: 8,
    glyphs: glyphsURL,
    sources: { roads: { type: "vector", tiles: [url], minzoom: 5, maxzoom: 15, attribution: attribution ?? "" } },
    layers: [background, ...roadLayers(palette)],
  };
}

/**
 * The layers of the style without configured tiles.
 *
 * @param {Palette} palette
 */
export const roadStyleLayers = (palette) => [backgroundLayer(palette), ...roadLayers(palette)];

/**
 * @param {Palette} palette
 * @returns {Layer}
 */
const backgroundLayer = (palette) =>
  ({ id: "background", type: "background", paint: { "background-color": palette.background } });

/**
 * @param {Palette} palette
 * @returns {Layer[]}
 */
function roadLayers(palette) {
  const casingColour = byClass(palette.mainRoadCasing, palette.roadCasing, palette.roadCasing);
  const roadColour = byClass(palette.mainRoad, palette.road, palette.road);
  const common = { source: "roads", "source-layer": "roads" };
  const round = { "line-cap": "round", "line-join": "round" };
  return [
    { ...common, id: "road-casings", type: "line", minzoom: 11, layout: round,
      paint: { "line-color": casingColour, "line-width": roadWidth(2) } },
    { ...common, id: "roads", type: "line", layout: round,
      paint: { "line-color": ["step", ["zoom"], casingColour, 9, roadColour], "line-width": roadWidth(0) } },
    { ...common, id: "low-roads", type: "line", minzoom: 11, filter: ["has", "low"],
      paint: { "line-color": palette.lowRoad, "line-width": ["interpolate", ["linear"], ["zoom"], 11, 1, 18, 4],
        "line-dasharray": [2, 1.5] } },
    { ...common, id: "road-names", type: "symbol", minzoom: 12, filter: ["has", "name"],
      layout: { "symbol-placement": "line", "text-field": ["get", "name"], "text-font": ["Sans"],
        "text-size": ["interpolate", ["linear"], ["zoom"], 12, 10, 17, 13], "text-max-angle": 30 },
      paint: { "text-color": palette.mutedText, "text-halo-color": palette.halo, "text-halo-width": 1.5 } },
  ];
}

/**
 * @param {number} extra pixels of a casing at high zooms
 * @returns {StyleValue}
 */
function roadWidth(extra) {
  return ["interpolate", ["exponential", 1.6], ["zoom"],
    5, byClass(0.8, 0.4, 0.2),
    10, byClass(2 + extra, 1.2 + extra, 0.5 + extra / 2),
    14, byClass(7 + extra, 5 + extra, 2.5 + extra),
    18, byClass(30 + extra, 24 + extra, 14 + extra)];
}

/**
 * @param {StyleValue} main
 * @param {StyleValue} middle
 * @param {StyleValue} other
 * @returns {StyleValue}
 */
const byClass = (main, middle, other) => ["match", ["get", "class"], mainClasses, main, middleClasses, middle, other];
