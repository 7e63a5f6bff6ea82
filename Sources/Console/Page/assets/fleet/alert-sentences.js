// @ts-check
import { Texts } from "../common/texts.js";
import { messageText } from "./alert-text.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../types/api").Alert} Alert */
/** @typedef {import("../types/api").UntakenAlert} UntakenAlert */
/** @typedef {import("./open-alerts.js").OpenAlerts} OpenAlerts */

/** What alerts say, in English and in the user's units: as published they are in the driver's. */
export class AlertSentences {
  #alerts;
  #units;
  #texts = new Texts();
  /**
   * The messages that are being sought, by alert.
   *
   * @type {Map<string, Promise<Alert | null>>}
   */
  #sought = new Map();

  /**
   * @param {OpenAlerts} alerts
   * @param {Units} units
   */
  constructor(alerts, units) {
    this.#alerts = alerts;
    this.#units = units;
  }

  /** Without the gateway's texts the driver's stand in for them. */
  async load() { await this.#texts.use("en").catch(() => {}); }

  /** @param {Alert} message */
  of(message) { return messageText(message, this.#units, this.#texts) || message.text; }

  /** @param {UntakenAlert} alert */
  async ofUntaken({ id, vehicle, stage, text }) {
    const message = this.#alerts.message(id) ?? await this.#lastMessage(id, vehicle);
    return message?.stage === stage ? this.of(message) : text;
  }

  /**
   * @param {string} id
   * @param {string} vehicle
   */
  #lastMessage(id, vehicle) {
    const message = this.#sought.get(id)
      ?? this.#alerts.lastMessage(id, vehicle).catch(() => null).finally(() => this.#sought.delete(id));
    this.#sought.set(id, message);
    return message;
  }
}
