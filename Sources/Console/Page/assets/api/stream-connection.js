// @ts-check
import { ApiError } from "./api-client.js";
import { EventStreamParser } from "./event-stream-parser.js";

/** @typedef {import("./api-client.js").ApiClient} ApiClient */
/** @typedef {import("./event-stream-parser.js").ServerSentEvent} ServerSentEvent */
/** @typedef {import("../types/api").Query} Query */

/**
 * @typedef {object} ConnectionOptions
 * @property {Query} query the part of the map to receive
 * @property {string | null} lastEventId of an earlier connection; null: only new messages are received
 * @property {(event: ServerSentEvent) => void} onEvent
 * @property {() => void} onError called once, where the connection ends other than by `close`
 */

/** One request for the event stream, until it ends. */
export class StreamConnection {
  #abort = new AbortController();
  #lastReceived = performance.now();

  /**
   * @param {ApiClient} client
   * @param {ConnectionOptions} options
   */
  constructor(client, options) {
    this.#run(client, options).catch(() => options.onError());
  }

  /** Seconds since the last data, or since the request. */
  get idleSeconds() { return (performance.now() - this.#lastReceived) / 1000; }

  close() { this.#abort.abort(); }

  /**
   * @param {ApiClient} client
   * @param {ConnectionOptions} options
   */
  async #run(client, { query, lastEventId, onEvent }) {
    const { signal } = this.#abort;
    /** @type {Record<string, string>} */
    const headers = { Accept: "text/event-stream" };
    if (lastEventId !== null) headers["Last-Event-ID"] = lastEventId;
    try {
      const response = await client.request("/stream", query, { signal, headers, cache: "no-store" });
      this.#lastReceived = performance.now();
      if (!response.ok || response.body === null) {
        throw new ApiError(`The stream request failed with status ${response.status}.`, response.status);
      }
      await this.#read(response.body.pipeThrough(new TextDecoderStream()).getReader(), onEvent);
      throw new ApiError("The gateway has ended the stream.");
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /**
   * @param {ReadableStreamDefaultReader<string>} reader
   * @param {(event: ServerSentEvent) => void} onEvent
   */
  async #read(reader, onEvent) {
    const parser = new EventStreamParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#lastReceived = performance.now();
      for (const event of parser.parse(value)) onEvent(event);
    }
  }
}
