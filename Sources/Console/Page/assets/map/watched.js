import { circleRing } from "./shapes.js";

/**
 * What a truck's device watches, as circles that say what they are: its regions, and the quiet circle within which it need
 * not report.
 */
export function watchedFeatures({ regions, quiet }, units) {
  const circle = ({ lat, lon, radius }, label, isQuiet) => ({
    type: "Feature",
    geometry: { type: "LineString", coordinates: circleRing([lon, lat], radius) },
    properties: { label, quiet: isQuiet },
  });
  return [
    ...regions.items.map((region) => circle(region, `${region.kind}: ${region.id}`, false)),
    ...(quiet ? [circle(quiet, `quiet within ${units.distance(quiet.radius)}`, true)] : []),
  ];
}
