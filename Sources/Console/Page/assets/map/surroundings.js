import { afterwards, oneAtATime } from "../parts/pacing.js";
import { metresOf } from "../parts/units.js";
import { bboxText, drawnFence } from "./shapes.js";

/** As many are put on the map at most: more would be a blot. */
const clearancesMax = 2000;
const fencesMax = 2000;
const order = { "too-low": 0, unknown: 1, fits: 3 };

/**
 * Puts on the map what lies in the part that is looked at: fences, and clearances as the chosen truck has to see them.
 */
export class Surroundings {
  #map;
  #parts;
  #note;

  /** @param note told of what is not shown, and null where all is */
  constructor(map, parts, note) {
    this.#map = map;
    this.#parts = parts;
    this.#note = note;
    const { stream, selection, units } = parts;
    const area = oneAtATime(() => this.#loadArea());
    map.on("moved", afterwards(250, area));
    selection.on("change", area);
    units.on("change", area);
    stream.on("map", area);
    stream.on("reset", area);
    stream.on("state", (state) => { if (state === "live") area(); });
    area();
  }

  async #loadArea() {
    const { server, selection } = this.#parts;
    const bbox = bboxText(this.#map.area);
    try {
      const fences = await server.all("/fences", { bbox, format: "geojson" }, fencesMax);
      this.#map.show("fences", fences.items.map((feature) => drawnFence(feature, metresOf)));
      const clearances = await this.#clearances(bbox, selection.vehicle);
      this.#map.show("clearances", clearances.items.map((feature) => this.#clearance(feature)));
      this.#note(clearances.isWhole && fences.isWhole ? null : "Not all fences and clearances of so large an area are shown: zoom in.");
    } catch (problem) {
      this.#note(`Fences and clearances are not shown. ${problem.message}`);
    }
  }

  /** A vehicle that the gateway does not know yet has no height to judge by. */
  async #clearances(bbox, vehicle) {
    const query = { bbox, format: "geojson" };
    try {
      return await this.#parts.server.all("/clearances", { ...query, vehicle }, clearancesMax);
    } catch (problem) {
      if (vehicle === null || problem.status !== 404) throw problem;
      return this.#parts.server.all("/clearances", query, clearancesMax);
    }
  }

  #clearance(feature) {
    const { height, verdict, standing } = feature.properties;
    const sign = height === null ? "?" : this.#parts.units.height(height);
    const label = standing === "unsnapped" ? `${sign}\nno road` : sign;
    const icon = verdict ? `clearance-${verdict}` : "clearance";
    return { ...feature, properties: { ...feature.properties, id: feature.id, label, icon, order: order[verdict] ?? 2 } };
  }
}
