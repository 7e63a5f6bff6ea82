// @ts-check

/** @typedef {import("../types/maplibre").Layer} Layer */
/** @typedef {import("../types/maplibre").StyleValue} StyleValue */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {"fences" | "regions" | "route" | "clearances" | "alerts" | "track" | "explanation" | "trucks" | "drawing"} SourceName */

/** @type {SourceName[]} */
export const sourceNames = ["fences", "regions", "route", "clearances", "alerts", "track", "explanation", "trucks", "drawing"];

/**
 * The layers over the base style, from bottom to top.
 *
 * @param {Palette} palette
 */
export const overlayLayers = (palette) => [
  ...fenceLayers(palette), ...regionLayers(palette), ...routeLayers(palette), ...detourLayers(palette),
  ...clearanceLayers(palette), ...alertPointLayers(palette), ...wayLayers("track", palette), ...wayLayers("explanation", palette),
  ...truckLayers(palette), ...drawingLayers(palette),
];

/** Layers whose features can be clicked. */
export const clickableLayers = ["trucks", "clearances", "fence-areas", "fence-corridors", "alert-points"];

/** @type {StyleValue} */
const isPolygon = ["==", ["geometry-type"], "Polygon"];
/** @type {StyleValue} */
const isLine = ["==", ["geometry-type"], "LineString"];
/** @type {StyleValue} */
const isPoint = ["==", ["geometry-type"], "Point"];

/** @param {Palette} palette */
const textPaint = (palette) => ({ "text-color": palette.text, "text-halo-color": palette.halo, "text-halo-width": 1.6 });

/**
 * @param {StyleValue} text
 * @param {number} offset downwards, in ems
 * @returns {Record<string, StyleValue>}
 */
const label = (text, offset) => ({
  "text-field": text, "text-font": ["Sans Bold"], "text-size": 12, "text-anchor": "top", "text-offset": [0, offset],
  "text-optional": true,
});

/** Icons that other symbols must not hide, such as warnings. */
const alwaysShown = { "icon-allow-overlap": true, "icon-ignore-placement": true };

const round = { "line-cap": "round", "line-join": "round" };

/**
 * The width of a corridor on the ground: `pixels` at zoom 0, twice as many with each zoom.
 *
 * @type {StyleValue}
 */
const corridorWidth = ["interpolate", ["exponential", 2], ["zoom"],
  0, ["get", "pixels"], 24, ["*", ["get", "pixels"], 2 ** 24]];

/** @type {(palette: Palette) => Layer[]} */
const fenceLayers = (palette) => [
  { id: "fence-areas", type: "fill", source: "fences", filter: isPolygon,
    paint: { "fill-color": palette.fence, "fill-opacity": 0.12 } },
  { id: "fence-corridors", type: "line", source: "fences", filter: isLine, layout: round,
    paint: { "line-color": palette.fence, "line-opacity": 0.22, "line-width": corridorWidth } },
  { id: "fence-borders", type: "line", source: "fences",
    paint: { "line-color": palette.fence, "line-width": 2, "line-dasharray": [3, 1.5] } },
  { id: "fence-names", type: "symbol", source: "fences", minzoom: 11,
    layout: { ...label(["get", "name"], 0), "text-anchor": "center" },
    paint: { ...textPaint(palette), "text-color": palette.fence } },
];

/**
 * What the selected truck's device monitors.
 *
 * @type {(palette: Palette) => Layer[]}
 */
const regionLayers = (palette) => [
  { id: "region-borders", type: "line", source: "regions",
    paint: { "line-color": palette.region, "line-width": ["case", ["get", "quiet"], 3, 1.5], "line-dasharray": [1, 1.5] } },
  { id: "region-names", type: "symbol", source: "regions",
    layout: { "symbol-placement": "line", "text-field": ["get", "label"], "text-font": ["Sans"], "text-size": 12,
      "text-offset": [0, 0.9], "text-max-angle": 30, "symbol-spacing": 400 },
    paint: { ...textPaint(palette), "text-color": palette.region } },
];

/**
 * The selected truck's expected way, and below it the way without what is too low.
 *
 * @type {(palette: Palette) => Layer[]}
 */
const routeLayers = (palette) => [
  { id: "route-casings", type: "line", source: "route", filter: isLine, layout: round,
    paint: { "line-color": palette.outline, "line-width": 8 } },
  { id: "routes", type: "line", source: "route", filter: isLine, layout: round,
    paint: { "line-color": ["match", ["get", "kind"], "safe", palette.detourLine, palette.truck], "line-width": 4 } },
  { id: "route-points", type: "symbol", source: "route", filter: isPoint,
    layout: { ...alwaysShown, "icon-image": ["get", "icon"] } },
];

/** @type {(palette: Palette) => Layer[]} */
const detourLayers = (palette) => [
  { id: "detour-casings", type: "line", source: "alerts", filter: isLine, layout: round,
    paint: { "line-color": palette.outline, "line-width": 8 } },
  { id: "detours", type: "line", source: "alerts", filter: isLine, layout: { "line-join": "round" },
    paint: { "line-color": palette.detourLine, "line-width": 5, "line-dasharray": [1.6, 0.8] } },
];

/** @type {(palette: Palette) => Layer[]} */
const clearanceLayers = (palette) => [
  { id: "clearances", type: "symbol", source: "clearances",
    layout: { ...alwaysShown, ...label(["get", "label"], 0.9),
      "icon-image": ["get", "icon"], "icon-size": ["interpolate", ["linear"], ["zoom"], 8, 0.45, 13, 0.85],
      "symbol-sort-key": ["get", "order"],
      "text-field": ["step", ["zoom"], "", 12, ["get", "label"]] },
    paint: textPaint(palette) },
];

/** @type {(palette: Palette) => Layer[]} */
const alertPointLayers = (palette) => [
  { id: "alert-points", type: "symbol", source: "alerts", filter: isPoint,
    layout: { ...alwaysShown, ...label(["get", "label"], 0.9), "icon-image": ["get", "icon"], "icon-size": 0.95,
      "text-field": ["step", ["zoom"], "", 13, ["get", "label"]] },
    paint: textPaint(palette) },
];

/**
 * The line of a track or of a path ahead, and the icons along it.
 *
 * @type {(source: SourceName, palette: Palette) => Layer[]}
 */
const wayLayers = (source, palette) => [
  { id: `${source}-casing`, type: "line", source, filter: isLine, layout: round,
    paint: { "line-color": palette.outline, "line-width": 7 } },
  { id: `${source}-line`, type: "line", source, filter: isLine, layout: round,
    paint: { "line-color": palette.way, "line-width": 4 } },
  { id: `${source}-points`, type: "symbol", source, filter: isPoint,
    layout: { ...alwaysShown, ...label(["get", "label"], 1.1), "icon-image": ["get", "icon"], "icon-rotate": ["get", "course"],
      "icon-rotation-alignment": "map", "icon-size": 0.95 },
    paint: textPaint(palette) },
];

/** @type {(palette: Palette) => Layer[]} */
const truckLayers = (palette) => [
  { id: "selected-truck", type: "circle", source: "trucks", filter: ["get", "selected"],
    paint: { "circle-radius": 19, "circle-color": palette.truck, "circle-opacity": 0.2, "circle-stroke-width": 3,
      "circle-stroke-color": palette.truck } },
  { id: "trucks", type: "symbol", source: "trucks",
    layout: { ...alwaysShown, "icon-image": ["get", "icon"], "icon-rotate": ["get", "course"],
      "icon-rotation-alignment": "map", "icon-size": ["interpolate", ["linear"], ["zoom"], 6, 0.6, 13, 1.2] } },
  { id: "truck-stages", type: "symbol", source: "trucks", filter: ["has", "stage"],
    layout: { ...alwaysShown, "icon-image": ["concat", "stage-", ["get", "stage"]], "icon-offset": [19, -19],
      "icon-size": 0.85 } },
  { id: "truck-names", type: "symbol", source: "trucks", minzoom: 12, filter: ["has", "label"],
    layout: label(["get", "label"], 1.1), paint: textPaint(palette) },
];

/** @type {(palette: Palette) => Layer[]} */
const drawingLayers = (palette) => [
  { id: "drawing-area", type: "fill", source: "drawing", filter: isPolygon,
    paint: { "fill-color": palette.fence, "fill-opacity": 0.25 } },
  { id: "drawing-lines", type: "line", source: "drawing", filter: ["!", isPoint],
    paint: { "line-color": palette.fence, "line-width": 3 } },
  { id: "drawing-corners", type: "symbol", source: "drawing", filter: isPoint,
    layout: { ...alwaysShown, "icon-image": "corner", "icon-size": 0.7 } },
];
