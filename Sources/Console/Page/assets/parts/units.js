import { Listeners } from "./listeners.js";

const metresPerFoot = 0.3048;
const metresPerMile = 1609.344;
const metresPer = {
  m: 1, km: 1000, cm: 0.01, ft: metresPerFoot, "'": metresPerFoot, in: metresPerFoot / 12, '"': metresPerFoot / 12,
  yd: 3 * metresPerFoot, mi: metresPerMile,
};

/** Lengths, heights and speeds as the viewer reads them; the server speaks metres and metres a second. */
export class Units extends Listeners {
  #preferences;
  #usual = "imperial";

  constructor(preferences) {
    super();
    this.#preferences = preferences;
    preferences.on("units", () => this.tell("change"));
  }

  /** What holds where the viewer has not chosen. */
  set usual(system) {
    if (system === this.#usual) return;
    this.#usual = system;
    this.tell("change");
  }

  get system() { return this.#preferences.get("units") ?? this.#usual; }
  get isMetric() { return this.system === "metric"; }

  /** A way to go: `0.4 mi`, `820 ft`, `1.2 km`, `320 m`; to ten below a thousand, as nobody drives by the foot. */
  distance(metres) {
    if (metres === null || metres === undefined) return "unknown";
    const [small, perSmall, large, perLarge] = this.isMetric
      ? ["m", 1, "km", 1000] : ["ft", metresPerFoot, "mi", metresPerMile];
    const few = Math.max(0, metres) / perSmall;
    if (few < 1000) return `${few < 100 ? Math.round(few) : Math.round(few / 10) * 10} ${small}`;
    return `${(metres / perLarge).toFixed(metres / perLarge < 10 ? 1 : 0)} ${large}`;
  }

  /** A vehicle's or a bridge's height: `13'6"` or `4.11 m`. Inches to the nearest: 13'6" is kept as 4.11 m. */
  height(metres) {
    if (metres === null || metres === undefined) return "unknown";
    if (this.isMetric) return `${metres.toFixed(2)} m`;
    const inches = Math.round((metres / metresPerFoot) * 12);
    return `${Math.floor(inches / 12)}'${inches % 12}"`;
  }

  /** What a sign says beside its height, where that is written in another way: `(posted 3.2)`; else empty. */
  posted(metres, text) {
    const written = (text ?? "").trim();
    return written === "" || written === this.height(metres) ? "" : `(posted ${written})`;
  }

  speed(metresPerSecond) {
    if (metresPerSecond === null || metresPerSecond === undefined) return "unknown";
    return this.isMetric
      ? `${Math.round(metresPerSecond * 3.6)} km/h` : `${Math.round((metresPerSecond * 3600) / metresPerMile)} mph`;
  }
}

/** Metres of a length as people write it: `200`, `200 m`, `0.1 mi`, `13'6"`; null where it is none. */
export function metresOf(text) {
  const parts = [...String(text).trim().matchAll(/(\d+(?:[.,]\d+)?)\s*(km|cm|mi|ft|in|yd|m|'|")?\s*/gy)];
  if (parts.length === 0 || parts.map((part) => part[0]).join("") !== String(text).trim()) return null;
  if (parts.length > 1 && parts.some((part) => part[2] === undefined)) return null;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number.replace(",", ".")) * metresPer[unit ?? "m"], 0);
}
