// @ts-check
import { element, setChildren, setText } from "../assets/common/dom.js";
import { errorMessage } from "../assets/common/errors.js";
import { field } from "../assets/common/form.js";
import { Units } from "../assets/common/units.js";
import { profileOf } from "../assets/fleet/profile.js";

/** @typedef {import("../assets/types/api").CabAnswer} CabAnswer */
/** @typedef {import("../assets/types/api").Height} Height */
/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {import("../assets/common/texts.js").Texts} Texts */

/**
 * @typedef {object} StartScreenOptions
 * @property {Connection} connection
 * @property {Units} units
 * @property {Texts} texts
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
      element("button", { type: "button", class: "primary", onclick: () => this.#ask() }, this.#say("pageStart")),
      element("p", {}, this.#say("pageAbout")),
      this.#message);
  }

  /**
   * @param {string} key
   * @param {Record<string, string>} [values]
   */
  #say(key, values) { return this.#options.texts.text(key, values); }

  async #ask() {
    const { connection, onTouch } = this.#options;
    onTouch();
    setText(this.#message, this.#say("pageAskingHeight"));
    await connection.read();
    const height = connection.last?.height ?? null;
    setText(this.#message, connection.isConnected ? "" : this.#say("pageConfirmLater"));
    setChildren(this.element, ...(height === null ? this.#unknownHeight() : this.#knownHeight(height)),
      element("form", { class: "row", onsubmit: (event) => this.#submit(event) },
        field(this.#say(height === null ? "pageVehicleHeight" : "pageAnotherHeight"), this.#input, { hint: this.#say("pageHeightHint") }),
        element("button", {}, this.#say("pageSetHeight"))),
      this.#message);
  }

  /** @param {Height} height */
  #knownHeight(height) {
    // Past its validity a larger one may count, which nobody has measured.
    const metres = height.reported ?? height.value;
    const values = { height: this.#options.units.height(metres) };
    const question = this.#say(height.status === "assumed" ? "pageHeightAssumed" : "pageHeightQuestion", values);
    return [element("h2", { class: "headline" }, question),
      element("button", { type: "button", class: "primary", onclick: () => this.#publish(`${metres} m`) }, this.#say("pageYes"))];
  }

  #unknownHeight() {
    return [element("h2", {}, this.#say("pageHeightNotKnownYet")),
      element("button", { type: "button", onclick: () => this.#options.onStart() }, this.#say("pageDriveWithoutHeight"))];
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
    const kept = before ? profileOf(before) : {};
    setText(this.#message, this.#say("pageSending"));
    try {
      await connection.put("profile", { ...kept, height, source: "driver", measured_at: new Date(connection.clock.now).toISOString() });
      onStart();
    } catch (error) {
      setText(this.#message, errorMessage(error));
      // Without coverage the driver must be able to leave: the page says that the height is not confirmed.
      if (!connection.isConnected) this.element.append(element("button", { type: "button", onclick: onStart }, this.#say("pageDriveUnconfirmed")));
    }
  }
}
