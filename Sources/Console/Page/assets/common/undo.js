// @ts-check
import { element, setChildren } from "./dom.js";
import { errorMessage } from "./errors.js";

const offerMilliseconds = 10_000;

/** Offers for ten seconds to undo what was removed last, on every view. */
export class Undo {
  /** @type {HTMLElement} */
  #parent;
  #timer = 0;

  /** @param {HTMLElement} parent */
  constructor(parent) { this.#parent = parent; }

  /**
   * @param {string} text what was done
   * @param {() => Promise<unknown>} undo
   */
  offer(text, undo) {
    const button = element("button", { type: "button", class: "primary" }, "Undo");
    button.addEventListener("click", async () => {
      clearTimeout(this.#timer);
      button.disabled = true;
      // The button goes.
      document.getElementById("panel")?.focus({ preventScroll: true });
      try {
        await undo();
        this.#show("Undone.");
      } catch (error) {
        this.#show(errorMessage(error));
      }
    });
    this.#show(text, button);
  }

  /**
   * @param {string} text
   * @param {HTMLElement | null} button
   */
  #show(text, button = null) {
    clearTimeout(this.#timer);
    setChildren(this.#parent, element("span", {}, text), button);
    this.#timer = setTimeout(() => setChildren(this.#parent), offerMilliseconds);
  }
}
