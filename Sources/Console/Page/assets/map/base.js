import { glyphsURL } from "./glyphs.js";

/** What lies under everything: the operator's style or tiles, else the road file's own roads. */
export function baseStyle(settings, hasRoads, palette) {
  const style = { version: 8, glyphs: glyphsURL, sources: {}, layers: [ground(palette)] };
  if (settings.tiles) {
    style.sources.tiles = { type: "raster", tiles: [settings.tiles], tileSize: 256, maxzoom: 19, attribution: settings.attribution ?? "" };
    style.layers.push({ id: "tiles", type: "raster", source: "tiles" });
    return style;
  }
  if (hasRoads) {
    style.sources.roads = {
      type: "vector", tiles: [`${location.origin}/api/v1/tiles/roads/{z}/{x}/{y}`], minzoom: 5, maxzoom: 15,
      attribution: settings.attribution ?? "",
    };
    style.layers.push(...roadLayers(palette));
  }
  return style;
}

const ground = (palette) => ({ id: "ground", type: "background", paint: { "background-color": palette.ground } });

/** Classes by their weight on the map; a link is drawn as its road. */
const main = ["motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link"];
const middle = ["secondary", "secondary_link", "tertiary", "tertiary_link"];

const widths = (large, medium, small) => ["match", ["get", "class"], main, large, middle, medium, small];

const width = (extra) => ["interpolate", ["exponential", 1.6], ["zoom"],
  5, widths(0.8, 0.4, 0.2),
  10, widths(2 + extra, 1.2 + extra, 0.5 + extra / 2),
  14, widths(7 + extra, 5 + extra, 2.5 + extra),
  18, widths(30 + extra, 24 + extra, 14 + extra)];

function roadLayers(palette) {
  const colour = (large, other) => ["match", ["get", "class"], main, large, other];
  const common = { source: "roads", "source-layer": "roads" };
  const round = { "line-cap": "round", "line-join": "round" };
  return [
    { ...common, id: "road-casings", type: "line", minzoom: 11, layout: round,
      paint: { "line-color": colour(palette.mainCasing, palette.casing), "line-width": width(2) } },
    { ...common, id: "roads", type: "line", layout: round,
      paint: { "line-color": ["step", ["zoom"], colour(palette.mainCasing, palette.casing), 9, colour(palette.main, palette.road)],
        "line-width": width(0) } },
    { ...common, id: "low-roads", type: "line", minzoom: 11, filter: ["has", "low"],
      paint: { "line-color": palette.low, "line-width": ["interpolate", ["linear"], ["zoom"], 11, 1, 18, 4], "line-dasharray": [2, 1.5] } },
    { ...common, id: "road-names", type: "symbol", minzoom: 12, filter: ["has", "name"],
      layout: { "symbol-placement": "line", "text-field": ["get", "name"], "text-font": ["Sans"],
        "text-size": ["interpolate", ["linear"], ["zoom"], 12, 10, 17, 13], "text-max-angle": 30 },
      paint: { "text-color": palette.quiet, "text-halo-color": palette.halo, "text-halo-width": 1.5 } },
  ];
}
