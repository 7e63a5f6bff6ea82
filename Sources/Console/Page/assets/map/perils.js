import { seldom } from "../parts/pacing.js";
import { point } from "./shapes.js";

/** More ways round would hide each other. */
const alertsMax = 50;

/** Puts the worst open alerts on the map: the low place, the last way out, the way round, and where the driver was told. */
export class Perils {
  #shown = "";

  constructor(map, { alerts }) {
    alerts.on("change", seldom(1000, () => this.#show(map, alerts.open.slice(0, alertsMax))));
  }

  /** Distances count down every second, and move nothing here. */
  #show(map, open) {
    const key = JSON.stringify(open.map(({ message, toldAt }) => [message.id, message.sequence, toldAt]));
    if (key === this.#shown) return;
    this.#shown = key;
    map.show("ways", open.flatMap(wayRound));
    map.show("alert-points", open.flatMap(points));
  }
}

function wayRound({ message: { detour, vehicle } }) {
  const hasLine = detour?.line?.coordinates.length > 1;
  return hasLine ? [{ type: "Feature", geometry: detour.line, properties: { vehicle } }] : [];
}

function points({ message: { clearance, detour, vehicle }, toldAt }) {
  const marked = ({ lon, lat }, icon, label) => point([lon, lat], { icon, label, vehicle });
  return [
    toldAt && marked(toldAt, "told", `${vehicle} told`),
    detour && marked(detour, "detour", `Leave: ${detour.turn_onto || "last way out"}`),
    marked(clearance, clearance.height === null ? "clearance-unknown" : "clearance-too-low", ""),
  ].filter(Boolean);
}
