import { afterwards, oneAtATime, seldom } from "../parts/pacing.js";
import { bboxText } from "./shapes.js";

/** More ways round would hide each other. */
const alertsMax = 50;
/** A busy fleet has news every second. */
const pause = 2000;

/**
 * Puts on the map the worst open alerts of the part that is looked at: the low place, the last way out, the way round, and
 * where the driver was told.
 */
export class Perils {
  #map;
  #server;
  /** The stages of all that are open, as text. */
  #stages = "";

  constructor(map, { server, alerts, stream }) {
    this.#map = map;
    this.#server = server;
    const load = oneAtATime(() => this.#load());
    const loadSoon = seldom(pause, load);
    map.on("moved", afterwards(250, load));
    alerts.on("change", () => { if (this.#haveChanged(alerts.open)) loadSoon(); });
    stream.on("state", (state) => { if (state === "live") load(); });
  }

  /** Distances count down every second, and move nothing here. */
  #haveChanged(open) {
    const stages = open.map(({ message: { id, sequence } }) => `${id} ${sequence}`).sort().join();
    const haveChanged = stages !== this.#stages;
    this.#stages = stages;
    return haveChanged;
  }

  /** What is shown stays where the server does not answer: the page says itself that it is cut off. */
  async #load() {
    const query = { state: "open", bbox: bboxText(this.#map.area), format: "geojson" };
    const { items } = await this.#server.all("/alerts", query, alertsMax).catch(() => ({ items: null }));
    if (items === null) return;
    // Trucks have a layer of their own.
    this.#map.show("alerts", items.filter(({ properties }) => properties.kind !== "vehicle").map(drawn));
  }
}

function drawn(feature) {
  const { kind, vehicle, turn_onto: turnOnto, height } = feature.properties;
  const [icon, label] = {
    "told": ["told", `${vehicle} told`],
    "detour": ["detour", `Leave: ${turnOnto || "last way out"}`],
    "clearance": [height === null ? "clearance-unknown" : "clearance-too-low", ""],
    "way-round": [null, ""],
  }[kind];
  return { ...feature, properties: { vehicle, icon, label } };
}
