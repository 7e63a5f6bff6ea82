// @ts-check
import { element, setChildren, setText } from "../assets/common/dom.js";
import { errorMessage } from "../assets/common/errors.js";
import { field } from "../assets/common/form.js";
import { Units } from "../assets/common/units.js";

/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */
/** @typedef {import("../assets/types/api").Height} Height */
/** @typedef {import("./connection.js").Connection} Connection */

/**
 * @typedef {object} StartScreenOptions
 * @property {Connection} connection
 * @property {Units} units
 * @property {() => void} onTouch called by the driver's touch: browsers allow sound after one only
 * @property {() => void} onStart called when the height is settled
 */

/** "Start driving", and then the question whether the height is right. */
export class StartScreen {
  /** @type {HTMLElement} */
  element = element("div", { class: "screen" });
  /** @type {StartScreenOptions} */
  #options;
  #message = element("p", { role: "status" });
  #input = element("input", { name: "height", required: true, autocomplete: "off" });

  /** @param {StartScreenOptions} options */
  constructor(options) {
    this.#options = options;
    setChildren(this.element,
      element("button", { type: "button", class: "primary", onclick: () => this.#ask() }, "Start driving"),
      element("p", {}, "It shares the position of this phone with dispatch, and warns of low bridges. Keep this page in front."),
      this.#message);
  }

  async #ask() {
    const { connection, onTouch } = this.#options;
    onTouch();
    setText(this.#message, "Asking the gateway for the height…");
    await connection.read();
    const height = connection.last?.height ?? null;
    setText(this.#message, connection.isConnected ? "" : "Not connected: a height can be confirmed later.");
    setChildren(this.element, ...(height === null ? this.#unknownHeight() : this.#knownHeight(height)),
      element("form", { class: "row", onsubmit: (event) => this.#submit(event) },
        field("Another height", this.#input, { hint: "Feet and inches, or metres with m" }),
        element("button", {}, "Set height")),
      this.#message);
  }

  /** @param {Height} height */
  #knownHeight(height) {
    const text = this.#options.units.height(height.value);
    const question = height.status === "assumed"
      ? `No height was set: ${text} is assumed. Is that correct?` : `Is the height ${text} still correct?`;
    return [element("h2", { class: "headline" }, question),
      element("button", { type: "button", class: "primary", onclick: () => this.#publish(`${height.value} m`) }, "Yes")];
  }

  #unknownHeight() {
    return [element("h2", {}, "The height is not known yet."),
      element("button", { type: "button", onclick: () => this.#options.onStart() }, "Drive without confirming it")];
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    this.#publish(this.#input.value.trim());
  }

  /**
   * All that the profile says beside the height is said again: the new one replaces it.
   *
   * @param {string} height
   */
  async #publish(height) {
    const { connection, onStart } = this.#options;
    const before = connection.last?.height;
    const kept = before ? { margin: before.margin, units: before.units, groups: before.groups } : {};
    setText(this.#message, "Sending…");
    try {
      await connection.put("profile", { ...kept, height, source: "driver", measured_at: new Date().toISOString() });
      onStart();
    } catch (error) {
      setText(this.#message, errorMessage(error));
      // Without coverage the driver must be able to leave: the page says that the height is not confirmed.
      if (!connection.isConnected) this.element.append(element("button", { type: "button", onclick: onStart }, "Drive without confirming it"));
    }
  }
}
