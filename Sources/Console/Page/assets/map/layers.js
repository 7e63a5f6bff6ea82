import { collection } from "./shapes.js";

/** What the page itself lays over the base, from below to above. */
export const sources = ["fences", "watched", "clearances", "alerts", "clusters", "trucks", "drawing"];

export const emptySource = () => ({ type: "geojson", data: collection([]) });

export const overlays = (palette) => [
  ...fences(palette), ...watched(palette), ...ways(palette), ...clearances(palette), ...alertPoints(palette), ...clusters(palette),
  ...trucks(palette), ...drawing(palette),
];

const isArea = ["==", ["geometry-type"], "Polygon"];
const isLine = ["==", ["geometry-type"], "LineString"];
const isPoint = ["==", ["geometry-type"], "Point"];
const text = (palette) => ({ "text-color": palette.text, "text-halo-color": palette.halo, "text-halo-width": 1.6 });
const label = (field, offset) => ({
  "text-field": field, "text-font": ["Sans Bold"], "text-size": 12, "text-anchor": "top", "text-offset": [0, offset],
  "text-optional": true,
});
/** Symbols that must never give way to others: a warning that is hidden is none. */
const always = { "icon-allow-overlap": true, "icon-ignore-placement": true };

/** A corridor is as wide as it is on the ground: `pixels` at zoom 0, twice as many each zoom. */
const corridorWidth = ["interpolate", ["exponential", 2], ["zoom"],
  0, ["get", "pixels"], 24, ["*", ["get", "pixels"], 2 ** 24]];

const fences = (palette) => [
  { id: "fence-areas", type: "fill", source: "fences", filter: isArea,
    paint: { "fill-color": palette.fence, "fill-opacity": 0.12 } },
  { id: "fence-corridors", type: "line", source: "fences", filter: isLine, layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-color": palette.fence, "line-opacity": 0.22, "line-width": corridorWidth } },
  { id: "fence-borders", type: "line", source: "fences",
    paint: { "line-color": palette.fence, "line-width": 2, "line-dasharray": [3, 1.5] } },
  { id: "fence-names", type: "symbol", source: "fences", minzoom: 11,
    layout: { ...label(["get", "name"], 0), "text-anchor": "center" },
    paint: { ...text(palette), "text-color": palette.fence } },
];

/** What the chosen truck's device watches; each circle says at its border what it is. */
const watched = (palette) => [
  { id: "watched-borders", type: "line", source: "watched",
    paint: { "line-color": palette.watched, "line-width": ["case", ["get", "quiet"], 3, 1.5], "line-dasharray": [1, 1.5] } },
  { id: "watched-names", type: "symbol", source: "watched",
    layout: { "symbol-placement": "line", "text-field": ["get", "label"], "text-font": ["Sans"], "text-size": 12,
      "text-offset": [0, 0.9], "text-max-angle": 30, "symbol-spacing": 400 },
    paint: { ...text(palette), "text-color": palette.watched } },
];

const ways = (palette) => [
  { id: "way-casings", type: "line", source: "alerts", filter: isLine, layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-color": palette.edge, "line-width": 8 } },
  { id: "ways", type: "line", source: "alerts", filter: isLine, layout: { "line-join": "round" },
    paint: { "line-color": palette.way, "line-width": 5, "line-dasharray": [1.6, 0.8] } },
];

const clearances = (palette) => [
  { id: "clearances", type: "symbol", source: "clearances",
    layout: { ...always, ...label(["get", "label"], 0.9),
      "icon-image": ["get", "icon"], "icon-size": ["interpolate", ["linear"], ["zoom"], 8, 0.45, 13, 0.85],
      "symbol-sort-key": ["get", "order"],
      "text-field": ["step", ["zoom"], "", 12, ["get", "label"]] },
    paint: text(palette) },
];

const alertPoints = (palette) => [
  { id: "alert-points", type: "symbol", source: "alerts", filter: isPoint,
    layout: { ...always, ...label(["get", "label"], 0.9), "icon-image": ["get", "icon"], "icon-size": 0.95,
      "text-field": ["step", ["zoom"], "", 13, ["get", "label"]] },
    paint: text(palette) },
];

const stageColour = (palette, other) =>
  ["match", ["get", "stage"], "stop", palette.stop, "detour", palette.detour, "ahead", palette.ahead, other];

const clusters = (palette) => [
  { id: "clusters", type: "circle", source: "clusters",
    paint: { "circle-color": palette.edge, "circle-stroke-color": stageColour(palette, palette.truck), "circle-stroke-width": 3,
      "circle-radius": ["interpolate", ["linear"], ["log10", ["get", "count"]], 0, 9, 4, 34] } },
  { id: "cluster-counts", type: "symbol", source: "clusters",
    layout: { "text-field": ["get", "label"], "text-font": ["Sans Bold"], "text-size": 12, "text-allow-overlap": true,
      "text-ignore-placement": true },
    paint: { "text-color": palette.text } },
];

const trucks = (palette) => [
  { id: "chosen-truck", type: "circle", source: "trucks", filter: ["get", "chosen"],
    paint: { "circle-radius": 19, "circle-color": palette.truck, "circle-opacity": 0.2, "circle-stroke-width": 3,
      "circle-stroke-color": palette.truck } },
  { id: "trucks", type: "symbol", source: "trucks",
    layout: { ...always, "icon-image": ["get", "icon"], "icon-rotate": ["get", "course"], "icon-rotation-alignment": "map",
      "icon-size": ["interpolate", ["linear"], ["zoom"], 6, 0.6, 13, 1.2] } },
  { id: "truck-stages", type: "symbol", source: "trucks", filter: ["has", "stage"],
    layout: { ...always, "icon-image": ["concat", "stage-", ["get", "stage"]], "icon-offset": [19, -19], "icon-size": 0.85 } },
  { id: "truck-names", type: "symbol", source: "trucks", minzoom: 12, filter: ["has", "label"],
    layout: { ...label(["get", "label"], 1.1) }, paint: text(palette) },
];

const drawing = (palette) => [
  { id: "drawing-area", type: "fill", source: "drawing", filter: isArea,
    paint: { "fill-color": palette.fence, "fill-opacity": 0.25 } },
  { id: "drawing-lines", type: "line", source: "drawing", filter: ["!", isPoint],
    paint: { "line-color": palette.fence, "line-width": 3 } },
  { id: "drawing-corners", type: "symbol", source: "drawing", filter: isPoint,
    layout: { ...always, "icon-image": "corner", "icon-size": 0.7 } },
];
