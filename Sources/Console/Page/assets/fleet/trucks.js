// @ts-check
import { EventEmitter } from "../common/event-emitter.js";

/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../types/api").ServerEvents} ServerEvents */
/** @typedef {import("../types/api").Stage} Stage */

/**
 * @typedef {object} Truck
 * @property {string} id
 * @property {number} lat
 * @property {number} lon
 * @property {number | null} course degrees clockwise from true north; null: it has not moved
 * @property {number} time of its position, in milliseconds since 1970
 * @property {Stage | null} stage of its worst open alert
 */
/** @typedef {{lat: number, lon: number, count: number, stage: Stage | null}} Cluster */

/**
 * The trucks in the visible part of the map, or clusters where there are too many. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class Trucks extends EventEmitter {
  /** @type {Map<string, Truck>} */
  #trucks = new Map();
  /** @type {Cluster[]} */
  #clusters = [];

  /** @param {EventStream} stream */
  constructor(stream) {
    super();
    stream.on("vehicles", (data) => this.#update(data));
    stream.on("clusters", ({ cells }) => {
      this.#trucks.clear();
      this.#clusters = cells.map(([lat, lon, count, stage]) => ({ lat, lon, count, stage }));
      this.emit("change");
    });
  }

  get all() { return [...this.#trucks.values()]; }
  get clusters() { return this.#clusters; }
  get hasClusters() { return this.#clusters.length > 0; }

  /** @param {string} id */
  get(id) { return this.#trucks.get(id); }

  /** @param {ServerEvents["vehicles"][0]} data */
  #update({ full, vehicles, gone }) {
    if (full) this.#trucks.clear();
    this.#clusters = [];
    for (const [id, lat, lon, course, , time, stage] of vehicles) {
      this.#trucks.set(id, { id, lat, lon, course, time, stage });
    }
    for (const id of gone) this.#trucks.delete(id);
    this.emit("change");
  }
}
