import { EventStreamReader } from "./event-stream.js";
import { Problem } from "./server.js";

/** One stream from its request to its end. Which end it was, it tells once: a problem, or null after `close`. */
export class Connection {
  #ending = new AbortController();
  #heard = performance.now();

  /**
   * @param query of the stream: the part of the map that is looked at
   * @param last the id of the last message heard on an earlier one; null: begin with now
   */
  constructor(server, query, last, { onEvent, onEnd }) {
    this.#run(server, query, last, onEvent).then(() => onEnd(null), (problem) => onEnd(problem));
  }

  /** Since anything came, or since the request. */
  get secondsOfSilence() { return (performance.now() - this.#heard) / 1000; }

  close() { this.#ending.abort(); }

  async #run(server, query, last, onEvent) {
    const { signal } = this.#ending;
    const headers = { Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) };
    try {
      const response = await server.open("/stream", query, { signal, headers, cache: "no-store" });
      this.#heard = performance.now();
      if (!response.ok) throw new Problem(`The stream was refused with status ${response.status}.`, response.status);
      await this.#listen(response.body.pipeThrough(new TextDecoderStream()).getReader(), onEvent);
      throw new Problem("The gateway has ended the stream.");
    } catch (problem) {
      if (!signal.aborted) throw problem;
    }
  }

  async #listen(reader, onEvent) {
    const events = new EventStreamReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#heard = performance.now();
      for (const event of events.read(value)) onEvent(event);
    }
  }
}
