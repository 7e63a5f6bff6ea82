import { Listeners } from "../parts/listeners.js";

/** What the gateway says of itself: loaded once, then kept by the stream's beat. Tells `change`. */
export class Status extends Listeners {
  #server;
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
      if (ready !== wasReady) this.load().catch(() => {});
    });
  }

  async load() {
    this.value = await this.#server.get("/status");
    this.tell("change");
    return this.value;
  }

  /** Whether the viewer may change heights, fences and clearances. */
  get mayEdit() { return this.value?.role === "editor"; }
}
