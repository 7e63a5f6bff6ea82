// @ts-check
import { EventEmitter } from "./event-emitter.js";

/** @typedef {"units" | "theme" | "sound" | "name"} PreferenceKey */

/**
 * The user's settings, stored in this browser. Emits the key of each that changes.
 *
 * @extends {EventEmitter<{units: [], theme: [], sound: [], name: []}>}
 */
export class Preferences extends EventEmitter {
  static #prefix = "headroom.";
  /** @type {Map<PreferenceKey, string>} */
  #values = new Map();

  /**
   * @param {PreferenceKey} key
   * @returns {string | null} null: not set
   */
  get(key) {
    const value = this.#values.get(key);
    if (value !== undefined) return value;
    try {
      return localStorage.getItem(Preferences.#prefix + key);
    } catch {
      return null; // the browser stores nothing for pages
    }
  }

  /**
   * @param {PreferenceKey} key
   * @param {string} value
   */
  set(key, value) {
    this.#values.set(key, value);
    try {
      localStorage.setItem(Preferences.#prefix + key, value);
    } catch {
      // It is kept until the page is closed.
    }
    this.emit(key);
  }
}
