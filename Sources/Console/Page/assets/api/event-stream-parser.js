// @ts-check

/** @typedef {{kind: string, id: string | null, data: unknown}} ServerSentEvent */

/** Parses a stream of server-sent events (HTML standard) that arrives in pieces of any length. */
export class EventStreamParser {
  #rest = "";
  #pending = emptyEvent();

  /**
   * @param {string} piece
   * @returns {ServerSentEvent[]} the events that the piece completes
   */
  parse(piece) {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#parseLine(line));
  }

  /**
   * @param {string} line
   * @returns {ServerSentEvent[]} the event that an empty line ends
   */
  #parseLine(line) {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#pending.lines.push(value);
    if (name === "event") this.#pending.kind = value;
    if (name === "id") this.#pending.id = value;
    return [];
  }

  #complete() {
    const { kind, lines, id } = this.#pending;
    this.#pending = emptyEvent();
    return lines.length === 0 ? [] : [{ kind, id, data: JSON.parse(lines.join("\n")) }];
  }
}

/** @returns {{kind: string, lines: string[], id: string | null}} */
const emptyEvent = () => ({ kind: "message", lines: [], id: null });
