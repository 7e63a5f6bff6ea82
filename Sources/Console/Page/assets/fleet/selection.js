// @ts-check
import { EventEmitter } from "../common/event-emitter.js";

/**
 * The truck that the user has selected: clearances are judged for it, and the map marks it. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class Selection extends EventEmitter {
  /** @type {string | null} */
  #vehicle = null;
  #isFollowing = false;

  get vehicle() { return this.#vehicle; }

  /** Whether the map moves with the truck. */
  get isFollowing() { return this.#isFollowing && this.#vehicle !== null; }

  /** @param {string | null} vehicle null: none */
  select(vehicle) {
    if (vehicle === this.#vehicle) return;
    this.#vehicle = vehicle;
    this.#isFollowing = false;
    this.emit("change");
  }

  /** @param {boolean} isFollowing */
  setFollowing(isFollowing) {
    this.#isFollowing = isFollowing;
    this.emit("change");
  }
}
