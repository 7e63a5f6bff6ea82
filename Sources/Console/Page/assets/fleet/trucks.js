import { Listeners } from "../parts/listeners.js";

/** The vehicles in view, as the stream tells of them; where there are too many, how many are where. Tells `change`. */
export class Trucks extends Listeners {
  #trucks = new Map();
  #cells = [];

  constructor(stream) {
    super();
    stream.on("vehicles", (message) => this.#hear(message));
    stream.on("clusters", ({ cells }) => {
      this.#trucks.clear();
      this.#cells = cells.map(([lat, lon, count, stage]) => ({ lat, lon, count, stage }));
      this.tell("change");
    });
  }

  get all() { return this.#trucks.values(); }
  get cells() { return this.#cells; }
  get(id) { return this.#trucks.get(id); }

  #hear({ full, vehicles, gone }) {
    if (full) this.#trucks.clear();
    this.#cells = [];
    for (const [id, lat, lon, course, speed, time, stage] of vehicles) {
      this.#trucks.set(id, { id, lat, lon, course, speed, time, stage });
    }
    for (const id of gone ?? []) this.#trucks.delete(id);
    this.tell("change");
  }
}
