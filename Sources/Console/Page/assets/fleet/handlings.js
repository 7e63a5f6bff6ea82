// @ts-check
import { pathSegment } from "../api/api-client.js";
import { EventEmitter } from "../common/event-emitter.js";
import { promptForText } from "../common/text-prompt.js";
import { nameMax } from "./user-name.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../types/api").Handling} Handling */
/** @typedef {import("./user-name.js").UserName} UserName */

/** Characters that the gateway takes. */
const noteMax = 500;

/**
 * Who of dispatch sees to which alert: the gateway keeps it, the same for all users. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class Handlings extends EventEmitter {
  /** @type {ApiClient} */
  #client;
  /** @type {UserName} */
  #userName;
  /**
   * By alert, the oldest first.
   *
   * @type {Map<string, Handling>}
   */
  #all = new Map();

  /**
   * @param {ApiClient} client
   * @param {EventStream} stream
   * @param {UserName} userName
   */
  constructor(client, stream, userName) {
    super();
    this.#client = client;
    this.#userName = userName;
    stream.on("taken", ({ alerts }) => {
      this.#all = new Map(alerts.map((handling) => [handling.id, handling]));
      this.emit("change");
    });
  }

  /** @param {string} alert its id */
  of(alert) { return this.#all.get(alert) ?? null; }

  /** Of alerts that have ended, the oldest first. */
  get ofEndedAlerts() { return [...this.#all.values()].filter((handling) => !handling.alert_open); }

  /**
   * Takes an alert in the user's name, for which it asks once.
   *
   * @param {string} alert its id
   */
  async take(alert) {
    const name = await this.#userName.get("Take the alert", "Take");
    if (name === null) return;
    await this.#put(alert, { status: "taken", by: name, note: this.of(alert)?.note });
  }

  /** @param {Handling} handling */
  async note({ id, by, note }) {
    const text = await promptForText({ heading: "Note", label: "Note", action: "Save", maxLength: noteMax, value: note ?? "" });
    if (text !== null) await this.#put(id, { status: "taken", by, note: text });
  }

  /** @param {Handling} handling */
  async handOver({ id, note }) {
    const name = await promptForText({
      heading: "Hand over", label: "To whom", action: "Hand over", maxLength: nameMax, isRequired: true,
    });
    if (name !== null) await this.#put(id, { status: "taken", by: name, note });
  }

  /** @param {Handling} handling */
  close({ id, by, note }) { return this.#put(id, { status: "closed", by, note }); }

  /**
   * Refused where another user was faster.
   *
   * @param {string} alert its id
   * @param {{status: "taken" | "closed", by: string, note?: string | null}} body
   */
  async #put(alert, body) {
    const known = this.of(alert);
    /** @type {Record<string, string>} */
    const condition = known === null ? { "If-None-Match": "*" } : { "If-Match": `"${known.sequence}"` };
    await this.#client.put(`/alerts/${pathSegment(alert)}/handling`, body, condition);
  }
}
