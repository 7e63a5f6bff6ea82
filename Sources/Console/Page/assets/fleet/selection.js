import { Listeners } from "../parts/listeners.js";

/** The truck that the viewer has chosen: clearances are judged for it, and the map marks it. Tells `change`. */
export class Selection extends Listeners {
  #vehicle = null;
  #follows = false;

  get vehicle() { return this.#vehicle; }
  /** Whether the map goes with it. */
  get follows() { return this.#follows && this.#vehicle !== null; }

  choose(vehicle) {
    if (vehicle === this.#vehicle) return;
    this.#vehicle = vehicle;
    this.#follows = false;
    this.tell("change");
  }

  follow(follows) {
    this.#follows = follows;
    this.tell("change");
  }
}
