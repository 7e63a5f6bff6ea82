// @ts-check
import { element, setChildren } from "../common/dom.js";
import { FormMessage } from "../common/form.js";
import { timeElement } from "../common/time.js";

/** @typedef {import("../fleet/handlings.js").Handlings} Handlings */
/** @typedef {import("../fleet/status.js").Status} Status */
/** @typedef {import("../types/api").Handling} Handling */

/** Who of dispatch sees to an alert, with buttons to take it, to note something, to hand it over and to close it. */
export class HandlingControls {
  element = element("div", { class: "handling small" });
  /** @type {Handlings} */
  #handlings;
  /** @type {Status} */
  #status;
  #alert;
  #vehicle;
  #text = element("p");
  #buttons = element("div", { class: "row" });
  #message = new FormMessage();
  #shown = "";

  /**
   * @param {string} alert its id
   * @param {string} vehicle
   * @param {{handlings: Handlings, status: Status}} dependencies
   */
  constructor(alert, vehicle, { handlings, status }) {
    this.#alert = alert;
    this.#vehicle = vehicle;
    this.#handlings = handlings;
    this.#status = status;
    setChildren(this.element, this.#text, this.#buttons, this.#message.element);
    this.update();
  }

  /** Shows how things are; the buttons stay where nothing has changed. */
  update() {
    const handling = this.#handlings.of(this.#alert);
    const key = `${handling?.sequence} ${this.#status.canEdit}`;
    if (key === this.#shown) return;
    this.#shown = key;
    const hadFocus = this.element.contains(document.activeElement);
    this.#text.hidden = handling === null;
    setChildren(this.#text, handling && handlingText(handling));
    setChildren(this.#buttons, this.#status.canEdit && (handling === null
      ? this.#button("Take", "Take the alert of", () => this.#handlings.take(this.#alert), "primary")
      : [
        this.#button("Note", "Note about the alert of", () => this.#handlings.note(handling)),
        this.#button("Hand over", "Hand over the alert of", () => this.#handlings.handOver(handling)),
        this.#button("Close", "Close the alert of", () => this.#handlings.close(handling)),
      ]));
    if (hadFocus) this.#buttons.querySelector("button")?.focus({ preventScroll: true });
  }

  /**
   * @param {string} text
   * @param {string} label before the vehicle
   * @param {() => Promise<void>} action
   * @param {string | null} kind
   */
  #button(text, label, action, kind = null) {
    const run = () => this.#message.run(async () => {
      await action();
      this.#message.clear();
    }, "");
    return element("button", { type: "button", class: kind, "aria-label": `${label} ${this.#vehicle}`, onclick: run }, text);
  }
}

/** @param {Handling} handling */
const handlingText = ({ by, note, taken_at: takenAt }) =>
  [element("strong", {}, `Taken by ${by}`), " · ", timeElement(takenAt), note && ` · ${note}`];
