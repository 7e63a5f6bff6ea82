import { Listeners } from "./listeners.js";

/** Light or dark: as chosen, else as the system has it. */
export class Theme extends Listeners {
  #preferences;
  #system = matchMedia("(prefers-color-scheme: dark)");

  constructor(preferences) {
    super();
    this.#preferences = preferences;
    this.#system.addEventListener("change", () => this.#apply());
    preferences.on("theme", () => this.#apply());
    this.#apply();
  }

  get isDark() {
    const chosen = this.#preferences.get("theme");
    return chosen === "dark" || (chosen !== "light" && this.#system.matches);
  }

  #apply() {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    this.tell("change");
  }
}
