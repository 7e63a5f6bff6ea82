// @ts-check
import { element, setChildren, setText } from "./dom.js";
import { errorMessage } from "./errors.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

let fieldCount = 0;

/**
 * A control with its label and a hint.
 *
 * @param {string} label
 * @param {Control} control
 * @param {{hint?: string, isWide?: boolean}} options
 */
export function field(label, control, { hint, isWide = false } = {}) {
  fieldCount += 1;
  control.id ||= `field-${fieldCount}`;
  const hintId = `${control.id}-hint`;
  if (hint) control.setAttribute("aria-describedby", hintId);
  return element("div", { class: isWide ? "field wide" : "field" },
    element("label", { for: control.id }, label),
    control,
    hint && element("span", { class: "hint", id: hintId }, hint));
}

/**
 * @param {[value: string, text: string][]} options
 * @param {string} value
 * @param {Record<string, string>} attributes
 */
export function select(options, value, attributes = {}) {
  return element("select", attributes,
    options.map(([key, text]) => element("option", { value: key, selected: key === value }, text)));
}

/**
 * Disables everything in a form that takes input.
 *
 * @param {HTMLElement} form
 */
export function disableControls(form) {
  /** @type {NodeListOf<Control | HTMLButtonElement | HTMLFieldSetElement>} */
  const controls = form.querySelectorAll("input, select, textarea, button, fieldset");
  for (const control of controls) control.disabled = true;
}

/** The outcome of submitting a form. */
export class FormMessage {
  element = element("p", { class: "form-message", role: "status" });

  /** @param {string} text */
  showSuccess(text) { this.#show("success", text); }

  /** @param {string} text */
  showError(text) { this.#show("error", text); }

  clear() { setChildren(this.element); }

  /**
   * Runs asynchronous work, and shows the message of an error that it throws.
   *
   * @param {() => Promise<void>} work
   * @param {string} pendingText shown until the work is done
   * @returns {Promise<boolean>} false: the work threw
   */
  async run(work, pendingText = "Sending…") {
    this.#show("", pendingText);
    try {
      await work();
      return true;
    } catch (error) {
      this.showError(errorMessage(error));
      return false;
    } finally {
      // What was submitted far above has its outcome seen.
      if (pendingText !== "") this.element.scrollIntoView({ block: "nearest" });
    }
  }

  /**
   * @param {"success" | "error" | ""} kind
   * @param {string} text
   */
  #show(kind, text) {
    this.element.dataset.kind = kind;
    setText(this.element, text);
  }
}

/**
 * A control for names, one per line: they may have spaces and commas.
 *
 * @param {string} name
 * @param {string[]} values
 */
export function linesArea(name, values = []) {
  const area = element("textarea", { name, rows: 2, spellcheck: "false" });
  area.value = values.join("\n");
  return area;
}

/**
 * The lines of a text, without those that are empty.
 *
 * @param {string} text
 */
export const lines = (text) => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
