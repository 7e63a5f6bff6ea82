import { Listeners } from "../parts/listeners.js";

/** What the gateway says of itself: loaded once, then kept by the stream's beat. Tells `change`. */
export class Status extends Listeners {
  /** Milliseconds after which limits that hold are loaded again: the beat does not say that they have ended. */
  static #limitsAge = 20_000;
  #server;
  #loadedAt = 0;
  /** As `GET /status` has it; null before it has come. */
  value = null;

  constructor(server, stream) {
    super();
    this.#server = server;
    stream.on("pulse", ({ ready, broker_connected, vehicles }) => {
      if (this.value === null) return;
      const wasReady = this.value.ready;
      Object.assign(this.value, { ready, broker_connected, vehicles });
      this.tell("change");
      // The beat does not say what the problems are.
      const hasOldLimits = this.value.degraded?.length > 0 && Date.now() - this.#loadedAt > Status.#limitsAge;
      if (ready !== wasReady || hasOldLimits) this.load().catch(() => {});
    });
  }

  async load() {
    this.#loadedAt = Date.now();
    this.value = await this.#server.get("/status");
    this.tell("change");
    return this.value;
  }

  /** Whether the viewer may change heights, fences and clearances. */
  get mayEdit() { return this.value?.role === "editor"; }
}
