// @ts-check
import { EventEmitter } from "../assets/common/event-emitter.js";
import { ask } from "./cab-client.js";
import { distanceBetween, plane } from "./geometry.js";

/** @typedef {import("../assets/types/api").CabRoads} CabRoads */
/** @typedef {{lat: number, lon: number}} Place */

/** Metres from where roads were asked for last at which they are asked for again: they reach a kilometre. */
const distanceMax = 500;
/** Between two attempts; an answer that takes longer than the second counts as none, so that they never overlap. */
const pauseMilliseconds = 10_000;
const timeoutMilliseconds = 9_000;

/**
 * The roads round the vehicle, as an SVG path for each class of road: metres east and south of `origin`. Kept while the gateway
 * cannot be heard. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class SurroundingRoads extends EventEmitter {
  /**
   * Where they were asked for.
   *
   * @type {Place | null}
   */
  origin = null;
  /**
   * The largest class first.
   *
   * @type {{roadClass: string, path: string}[]}
   */
  classes = [];
  #token;
  #lastAttempt = -Infinity;

  /** @param {string} token */
  constructor(token) {
    super();
    this.#token = token;
  }

  /** @param {Place} place where the vehicle is and roads are to be shown */
  want(place) {
    const isHere = this.origin !== null && distanceBetween(place, this.origin) < distanceMax;
    if (isHere || performance.now() - this.#lastAttempt < pauseMilliseconds) return;
    this.#lastAttempt = performance.now();
    this.#ask(place);
  }

  /** @param {Place} place */
  async #ask(place) {
    try {
      /** @type {CabRoads} */
      const { features } = await ask("GET", "/cab/roads", { token: this.#token, timeout: timeoutMilliseconds });
      this.classes = features.map(({ properties, geometry }) => ({
        roadClass: properties.class, path: geometry.coordinates.map((line) => path(line, place)).join(""),
      }));
      this.origin = place;
      this.emit("change");
    } catch {
      // Without coverage or a road file the map shows the way alone.
    }
  }
}

/**
 * @param {[number, number][]} line
 * @param {Place} origin
 */
function path(line, origin) {
  const points = line.map(([lon, lat]) => {
    const { x, y } = plane({ lat, lon }, origin);
    return `${x.toFixed(0)} ${(-y).toFixed(0)}`;
  });
  return `M${points.join("L")}`;
}
