/** Who wants to hear of what: `on` to hear, `tell` to speak. What `on` returns ends the hearing. */
export class Listeners {
  #kinds = new Map();

  on(kind, listener) {
    if (!this.#kinds.has(kind)) this.#kinds.set(kind, new Set());
    this.#kinds.get(kind).add(listener);
    return () => this.#kinds.get(kind).delete(listener);
  }

  tell(kind, ...what) {
    for (const listener of [...(this.#kinds.get(kind) ?? [])]) listener(...what);
  }
}
