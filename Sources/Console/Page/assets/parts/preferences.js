import { Listeners } from "./listeners.js";

/** What the viewer has chosen, kept in this browser: units, theme, sound. Null: not chosen. */
export class Preferences extends Listeners {
  static #prefix = "headroom.";
  #chosen = new Map();

  get(key) {
    if (this.#chosen.has(key)) return this.#chosen.get(key);
    try {
      return localStorage.getItem(Preferences.#prefix + key);
    } catch {
      return null; // a browser that keeps nothing for pages
    }
  }

  set(key, value) {
    this.#chosen.set(key, value);
    try {
      localStorage.setItem(Preferences.#prefix + key, value);
    } catch {
      // It holds for as long as the page is open.
    }
    this.tell(key, value);
  }
}
