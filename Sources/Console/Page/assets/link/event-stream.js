/** Reads server-sent events out of a body as it comes: the format of the HTML standard, in any pieces. */
export class EventStreamReader {
  #rest = "";
  #event = blank();

  /** The events that a further piece of text completes, each `{kind, data, id}`. */
  read(piece) {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    return lines.map((line) => this.#take(line)).filter((event) => event !== null);
  }

  /** @returns the event that an empty line ends; null otherwise */
  #take(line) {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#event.lines.push(value);
    if (name === "event") this.#event.kind = value;
    if (name === "id") this.#event.id = value;
    return null;
  }

  #complete() {
    const { kind, lines, id } = this.#event;
    this.#event = blank();
    return lines.length === 0 ? null : { kind, id, data: JSON.parse(lines.join("\n")) };
  }
}

const blank = () => ({ kind: "message", lines: [], id: null });
