// @ts-check
import { EventEmitter } from "../common/event-emitter.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../types/api").GatewayStatus} GatewayStatus */

/**
 * The status of the gateway: loaded once, then updated by the stream's pulses. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class Status extends EventEmitter {
  /** Milliseconds after which a degraded status is loaded again: pulses do not say when it has recovered. */
  static #degradedAgeMax = 20_000;
  /** @type {ApiClient} */
  #client;
  #loadedAt = 0;
  /**
   * Null until it is loaded.
   *
   * @type {GatewayStatus | null}
   */
  value = null;

  /**
   * @param {ApiClient} client
   * @param {EventStream} stream
   */
  constructor(client, stream) {
    super();
    this.#client = client;
    stream.on("pulse", ({ ready, broker_connected, vehicles }) => {
      if (this.value === null) return;
      const wasReady = this.value.ready;
      Object.assign(this.value, { ready, broker_connected, vehicles });
      this.emit("change");
      const isOutdated = this.value.degraded.length > 0 && Date.now() - this.#loadedAt > Status.#degradedAgeMax;
      // Pulses do not list the problems.
      if (ready !== wasReady || isOutdated) this.load().catch(() => {});
    });
  }

  /** @returns {Promise<GatewayStatus>} */
  async load() {
    this.#loadedAt = Date.now();
    /** @type {GatewayStatus} */
    const value = await this.#client.get("/status");
    this.value = value;
    this.emit("change");
    return value;
  }

  /** Whether the user may change heights, fences and clearances. */
  get canEdit() { return this.value?.role === "editor"; }
}
