// @ts-check
import { glyphsURL } from "./glyphs.js";

/** @typedef {import("../types/api").MapSettings} MapSettings */
/** @typedef {import("../types/maplibre").Layer} Layer */
/** @typedef {import("../types/maplibre").Source} Source */
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
 * @param {{base_map: boolean} | null} roads
 * @param {Palette} palette
 * @returns {Style}
 */
export function baseStyle({ tiles, attribution }, roads, palette) {
  const background = backgroundLayer(palette);
  if (tiles) {
    return {
      version: 8,
      glyphs: glyphsURL,
      sources: { tiles: { type: "raster", tiles: [tiles], tileSize: 256, maxzoom: 19, attribution: attribution ?? "" } },
      layers: [background, { id: "tiles", type: "raster", source: "tiles" }],
    };
  }
  if (roads === null) return { version: 8, glyphs: glyphsURL, sources: {}, layers: [background] };
  /** @type {(name: string) => Source} */
  const ownSource = (name) => ({
    type: "vector", tiles: [`${location.origin}/api/v1/tiles/${name}/{z}/{x}/{y}`], minzoom: 5, maxzoom: 15,
    attribution: attribution ?? "",
  });
  return {
    version: 8,
    glyphs: glyphsURL,
    sources: { ...(roads.base_map ? { base: ownSource("base") } : {}), roads: ownSource("roads") },
    layers: roadStyleLayers(palette, roads.base_map),
  };
}

/**
 * The layers of the style without configured tiles.
 *
 * @param {Palette} palette
 * @param {boolean} hasBaseMap
 */
export const roadStyleLayers = (palette, hasBaseMap) => [
  backgroundLayer(palette), ...(hasBaseMap ? landLayers(palette) : []), ...roadLayers(palette),
  ...(hasBaseMap ? placeLayers(palette) : []),
];

/**
 * @param {Palette} palette
 * @returns {Layer}
 */
const backgroundLayer = (palette) =>
  ({ id: "background", type: "background", paint: { "background-color": palette.background } });

/**
 * What the roads lie on.
 *
 * @param {Palette} palette
 * @returns {Layer[]}
 */
function landLayers(palette) {
  const area = (/** @type {string} */ id, /** @type {string} */ kind, /** @type {string} */ colour) => /** @type {Layer} */ ({
    id, type: "fill", source: "base", "source-layer": "areas", filter: ["==", ["get", "kind"], kind],
    paint: { "fill-color": colour } });
  const line = (/** @type {string} */ id, /** @type {string[]} */ kinds, /** @type {Record<string, StyleValue>} */ paint) =>
    /** @type {Layer} */ ({ id, type: "line", source: "base", "source-layer": "lines",
      filter: ["in", ["get", "kind"], ["literal", kinds]], paint });
  return [
    area("built-up", "built-up", palette.builtUp), area("woods", "wood", palette.wood), area("water", "water", palette.water),
    line("rivers", ["river", "canal"], { "line-color": palette.water,
      "line-width": ["interpolate", ["exponential", 1.5], ["zoom"], 5, 0.6, 10, 1.6, 15, 5] }),
    line("borders", ["country", "state", "district", "municipality"], { "line-color": palette.border,
      "line-width": ["match", ["get", "kind"], "country", 2, "state", 1.4, 0.8], "line-dasharray": [4, 2] }),
    line("railways", ["railway"], { "line-color": palette.railway,
      "line-width": ["interpolate", ["linear"], ["zoom"], 9, 0.6, 15, 2], "line-dasharray": [5, 1.5] }),
  ];
}

/**
 * Names of places, over the roads; those of the larger ones have room first.
 *
 * @param {Palette} palette
 * @returns {Layer[]}
 */
const placeLayers = (palette) => [
  { id: "places", type: "symbol", source: "base", "source-layer": "places",
    layout: { "text-field": ["get", "name"], "text-font": ["Sans Bold"], "text-max-width": 8, "text-padding": 4,
      "text-size": ["match", ["get", "kind"], "city", 17, "town", 14, "village", 12, 11],
      "symbol-sort-key": ["match", ["get", "kind"], "city", 0, "town", 1, "village", 2, "suburb", 3, 4] },
    paint: { "text-color": palette.place, "text-halo-color": palette.halo, "text-halo-width": 1.6 } },
];

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
      paint: { "line-color": ["step", ["zoom"], byClass(palette.farMainRoad, palette.farRoad, palette.farRoad), 11, roadColour], "line-width": roadWidth(0) } },
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
    5, byClass(1.2, 0.6, 0.3),
    10, byClass(2.4 + extra, 1.4 + extra, 0.6 + extra / 2),
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
