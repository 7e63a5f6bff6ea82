// @ts-check
import { EventEmitter } from "./event-emitter.js";

/** @typedef {import("./preferences.js").Preferences} Preferences */

/**
 * Light or dark, as the user has chosen, else as the system prefers. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class Theme extends EventEmitter {
  /** @type {Preferences} */
  #preferences;
  #systemPrefersDark = matchMedia("(prefers-color-scheme: dark)");

  /** @param {Preferences} preferences */
  constructor(preferences) {
    super();
    this.#preferences = preferences;
    this.#systemPrefersDark.addEventListener("change", () => this.#apply());
    preferences.on("theme", () => this.#apply());
    this.#apply();
  }

  get isDark() {
    const chosen = this.#preferences.get("theme");
    return chosen === "dark" || (chosen !== "light" && this.#systemPrefersDark.matches);
  }

  #apply() {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    this.emit("change");
  }
}
