// @ts-check

/** Encodes the kinds of protobuf fields that glyphs have. */
export class ProtobufWriter {
  /** @type {number[]} */
  #bytes = [];

  /**
   * @param {number} field
   * @param {number} value
   */
  unsigned(field, value) {
    this.#varint(field << 3);
    this.#varint(value);
    return this;
  }

  /**
   * Zigzag encoding.
   *
   * @param {number} field
   * @param {number} value
   */
  signed(field, value) { return this.unsigned(field, value < 0 ? -2 * value - 1 : 2 * value); }

  /**
   * @param {number} field
   * @param {string} value
   */
  text(field, value) { return this.bytes(field, new TextEncoder().encode(value)); }

  /**
   * @param {number} field
   * @param {Uint8Array | Uint8ClampedArray} value
   */
  bytes(field, value) {
    this.#varint((field << 3) | 2);
    this.#varint(value.length);
    for (const byte of value) this.#bytes.push(byte);
    return this;
  }

  finish() { return Uint8Array.from(this.#bytes); }

  /** @param {number} value */
  #varint(value) {
    let rest = value;
    while (rest > 127) {
      this.#bytes.push((rest & 127) | 128);
      rest >>>= 7;
    }
    this.#bytes.push(rest);
  }
}
