// @ts-check
import { EventEmitter } from "./event-emitter.js";

/** @typedef {import("./preferences.js").Preferences} Preferences */
/** @typedef {import("../types/api").UnitSystem} UnitSystem */

const metresPerFoot = 0.3048;
const metresPerMile = 1609.344;
/** @type {Record<string, number>} */
const metresPer = {
  m: 1, km: 1000, cm: 0.01, ft: metresPerFoot, "'": metresPerFoot, in: metresPerFoot / 12, '"': metresPerFoot / 12,
  yd: 3 * metresPerFoot, mi: metresPerMile,
};

/**
 * Formats lengths, heights and speeds in the user's units; the API has metres and metres a second. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class Units extends EventEmitter {
  /** @type {Preferences | null} */
  #preferences;
  /** @type {UnitSystem} */
  #defaultSystem = "imperial";
  /** Says what stands before decimals: a comma in all but English, as in the gateway's sentences. */
  language = "en";

  /** @param {Preferences | null} preferences null: the default counts, whatever the user of the console has chosen */
  constructor(preferences) {
    super();
    this.#preferences = preferences;
    preferences?.on("units", () => this.emit("change"));
  }

  /** The system where the user has chosen none. */
  set defaultSystem(/** @type {UnitSystem} */ system) {
    if (system === this.#defaultSystem) return;
    this.#defaultSystem = system;
    this.emit("change");
  }

  /** @returns {UnitSystem} */
  get system() {
    const chosen = this.#preferences?.get("units");
    return chosen === "imperial" || chosen === "metric" ? chosen : this.#defaultSystem;
  }

  get isMetric() { return this.system === "metric"; }

  /**
   * A driving distance: `0.4 mi`, `850 ft`, `1.2 km`, `320 m`; rounded as in the gateway's sentences, which it stands beside.
   *
   * @param {number | null | undefined} metres
   */
  distance(metres) {
    if (metres === null || metres === undefined) return "unknown";
    const [small, smallMetres, step] = this.isMetric ? ["m", 1, 10] : ["ft", metresPerFoot, 50];
    const [large, largeMetres, least] = this.isMetric ? ["km", 1000, 1] : ["mi", metresPerMile, 0.2];
    const left = Math.max(0, metres);
    const inLarge = left / largeMetres;
    if (inLarge >= least) return `${this.#decimal(Math.round(inLarge * 10) / 10, 1)} ${large}`;
    return `${Math.round(left / smallMetres / step) * step} ${small}`;
  }

  /**
   * A length to be edited: `200 m`, `656 ft`.
   *
   * @param {number} metres
   */
  length(metres) { return this.isMetric ? `${Math.round(metres)} m` : `${Math.round(metres / metresPerFoot)} ft`; }

  /**
   * The height of a vehicle or a bridge: `13'6"` or `4.11 m`. Rounded to the nearest inch: the API has 13'6" as 4.11 m.
   *
   * @param {number | null | undefined} metres
   */
  height(metres) {
    if (metres === null || metres === undefined) return "unknown";
    if (this.isMetric) return `${this.#decimal(metres, 2)} m`;
    const inches = Math.round((metres / metresPerFoot) * 12);
    return `${Math.floor(inches / 12)}'${inches % 12}"`;
  }

  /**
   * The text of the sign, `(posted 3.2 m)`; empty where it says what `height` does.
   *
   * @param {number | null | undefined} metres
   * @param {string | null | undefined} text
   */
  posted(metres, text) {
    const posted = (text ?? "").trim();
    // One that reads otherwise but says the same, as 3.1 beside 3.10 m, is left out.
    const isSame = this.isMetric && isBare(posted) && metres !== null && metres !== undefined
      && Math.abs((parseLength(posted) ?? Infinity) - metres) < 0.005;
    if (posted === "" || isSame || posted === this.height(metres)) return "";
    // Without a number it is a word of the map's data, such as "default", and on no sign.
    return /\d/.test(posted) ? `(posted ${signText(posted)})` : `(“${posted}” in the data)`;
  }

  /** @param {number | null | undefined} metresPerSecond */
  speed(metresPerSecond) {
    if (metresPerSecond === null || metresPerSecond === undefined) return "unknown";
    return this.isMetric
      ? `${Math.round(metresPerSecond * 3.6)} km/h` : `${Math.round((metresPerSecond * 3600) / metresPerMile)} mph`;
  }

  /**
   * @param {number} value
   * @param {number} decimals
   */
  #decimal(value, decimals) { return value.toFixed(decimals).replace(".", this.language === "en" ? "." : ","); }
}

/** @param {string} posted */
const isBare = (posted) => /^[\d.,]+$/.test(posted);

/**
 * The text of a sign: of a list or of lanes, as `none|3.2`, the height that counts; a bare number is metres.
 *
 * @param {string} posted
 * @param {number | null} [metres] the height that counts
 */
export const signText = (posted, metres) =>
  metres && /[;|]/.test(posted) ? `${metres} m` : isBare(posted) ? `${posted} m` : posted;

/**
 * Metres of a length with or without units: `200`, `200 m`, `0.1 mi`, `13'6"`.
 *
 * @param {string | number | null | undefined} length
 * @returns {number | null} null: not a length
 */
export function parseLength(length) {
  const text = String(length).trim();
  const parts = [...text.matchAll(/(\d+(?:[.,]\d+)?)\s*(km|cm|mi|ft|in|yd|m|'|")?\s*/gy)];
  if (parts.length === 0 || parts.map((part) => part[0]).join("") !== text) return null;
  if (parts.length > 1 && parts.some((part) => part[2] === undefined)) return null;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number.replace(",", ".")) * metresPer[unit ?? "m"], 0);
}
