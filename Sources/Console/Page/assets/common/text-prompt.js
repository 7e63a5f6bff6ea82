// @ts-check
import { element } from "./dom.js";
import { field } from "./form.js";

/**
 * @typedef {object} TextPromptOptions
 * @property {string} heading
 * @property {string} label of the text
 * @property {string} action of the button
 * @property {number} maxLength
 * @property {string} [value]
 * @property {string} [hint]
 * @property {boolean} [isRequired] whether an empty text is refused
 */

/**
 * Asks for a line of text in a dialog.
 *
 * @param {TextPromptOptions} options
 * @returns {Promise<string | null>} null: the user has cancelled
 */
export function promptForText({ heading, label, action, maxLength, value = "", hint, isRequired = false }) {
  const input = element("input", { name: "text", autocomplete: "off", maxlength: maxLength, value, required: isRequired });
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { "aria-labelledby": "text-prompt-heading" },
    element("form", { method: "dialog", class: "stack" },
      element("h2", { id: "text-prompt-heading" }, heading),
      field(label, input, { hint }),
      element("div", { class: "row" },
        element("button", { class: "primary", value: "done" }, action),
        element("button", { type: "button", onclick: () => dialog.close() }, "Cancel"))));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue === "done" ? input.value.trim() : null);
  }));
}
