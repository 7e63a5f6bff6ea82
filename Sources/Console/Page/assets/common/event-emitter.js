// @ts-check

/**
 * Calls listeners of named events. Subclasses say which events they emit.
 *
 * @template {Record<string, unknown[]>} Events the values of each event, by its name
 */
export class EventEmitter {
  /** @type {{[Name in keyof Events]?: Set<(...values: Events[Name]) => void>}} */
  #listeners = {};

  /**
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(...values: Events[Name]) => void} listener
   * @returns {() => void} removes the listener
   */
  on(name, listener) {
    const listeners = this.#listeners[name] ?? new Set();
    this.#listeners[name] = listeners;
    listeners.add(listener);
    return () => { listeners.delete(listener); };
  }

  /**
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {Events[Name]} values
   */
  emit(name, ...values) {
    for (const listener of [...(this.#listeners[name] ?? [])]) listener(...values);
  }
}
