/** Writes the few kinds of protobuf fields that glyphs have. */
export class ProtobufWriter {
  #bytes = [];

  number(field, value) {
    this.#varint(field << 3);
    this.#varint(value);
    return this;
  }

  /** Zigzag. */
  signed(field, value) { return this.number(field, value < 0 ? -2 * value - 1 : 2 * value); }

  text(field, value) { return this.bytes(field, new TextEncoder().encode(value)); }

  bytes(field, value) {
    this.#varint((field << 3) | 2);
    this.#varint(value.length);
    for (const byte of value) this.#bytes.push(byte);
    return this;
  }

  finish() { return Uint8Array.from(this.#bytes); }

  #varint(value) {
    let rest = value;
    while (rest > 127) {
      this.#bytes.push((rest & 127) | 128);
      rest >>>= 7;
    }
    this.#bytes.push(rest);
  }
}
