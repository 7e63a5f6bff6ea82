import { atNextFrame } from "../parts/pacing.js";
import { duration } from "../parts/times.js";
import { point } from "./shapes.js";

/** Older positions are marked as such. */
const freshSecondsMax = 60;
/** More names would hide each other; beyond it only the chosen truck and those with an alert have theirs. */
const namesMax = 150;

/** Puts the moving trucks on the map, as often as the stream tells of them, or how many are where. */
export class Traffic {
  constructor(map, { trucks, selection, clock }) {
    const show = atNextFrame(() => {
      const all = [...trucks.all];
      map.show("trucks", all.map((truck) => truckFeature(truck, clock, selection.vehicle, all.length <= namesMax)));
      map.show("clusters", trucks.cells.map(cellFeature));
      this.#follow(map, trucks, selection);
    });
    trucks.on("change", show);
    selection.on("change", show);
    // Those that say nothing grow old all the same.
    setInterval(show, 10_000);
  }

  #follow(map, trucks, selection) {
    const truck = selection.follows ? trucks.get(selection.vehicle) : undefined;
    if (truck) map.goTo([truck.lon, truck.lat]);
  }
}

function truckFeature({ id, lat, lon, course, time, stage }, clock, chosen, areNamed) {
  const age = clock.since(time);
  const isOld = age > freshSecondsMax;
  const icon = `truck${isOld ? "-old" : ""}${course === null ? "-still" : ""}`;
  const properties = { id, icon, course: course ?? 0, chosen: id === chosen };
  if (areNamed || id === chosen || stage !== null) properties.label = isOld ? `${id}\n${duration(age)} ago` : id;
  if (stage !== null) properties.stage = stage;
  return point([lon, lat], properties);
}

function cellFeature({ lat, lon, count, stage }) {
  const properties = { count, label: stage === null ? String(count) : `${count}\n${stage}` };
  if (stage !== null) properties.stage = stage;
  return point([lon, lat], properties);
}
