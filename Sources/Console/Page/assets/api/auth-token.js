// @ts-check
import { element } from "../common/dom.js";
import { EventEmitter } from "../common/event-emitter.js";
import { field } from "../common/form.js";

/**
 * The bearer token of the user, stored until the tab is closed. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class AuthToken extends EventEmitter {
  static #storageKey = "headroom.token";
  /** @type {string | null} */
  #value = null;
  /** @type {Promise<void> | null} */
  #prompt = null;

  get value() { return this.#value ?? sessionStorage.getItem(AuthToken.#storageKey); }

  get isPrompting() { return this.#prompt !== null; }

  forget() {
    this.#value = null;
    sessionStorage.removeItem(AuthToken.#storageKey);
  }

  /**
   * The headers of an authorized request.
   *
   * @returns {Record<string, string>}
   */
  get headers() { return this.value ? { Authorization: `Bearer ${this.value}` } : {}; }

  /**
   * Opens one dialog, however many requests wait for it.
   *
   * @returns {Promise<void>} resolves when the user has entered a token
   */
  prompt() {
    this.#prompt ??= this.#openDialog().finally(() => { this.#prompt = null; });
    return this.#prompt;
  }

  /** @returns {Promise<void>} */
  #openDialog() {
    const reason = this.value === null ? "This needs a token. Who runs the gateway hands them out." : "This token is not known here.";
    const input = element("input", { type: "password", name: "token", autocomplete: "off", required: true });
    input.addEventListener("input", () => input.setCustomValidity(enteredToken(input) === null ? expectedToken : ""));
    const dialog = element("dialog", { "aria-labelledby": "token-heading", closedby: "none" },
      element("form", { method: "dialog", class: "stack" },
        element("h2", { id: "token-heading" }, "Access token"),
        element("p", {}, reason),
        field("Token", input, { hint: "Stored until this tab is closed." }),
        element("button", { class: "primary" }, "Continue")));
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => {
      const value = enteredToken(input);
      // Escape closes the dialog without a token, and the page shows nothing without one.
      if (value === null) {
        dialog.showModal();
        return;
      }
      this.#value = value;
      sessionStorage.setItem(AuthToken.#storageKey, value);
      dialog.remove();
      this.emit("change");
      resolve();
    }));
  }
}

const expectedToken = "A token has Latin letters without accents, digits and signs, and no spaces.";

/**
 * The token alone, also where the header's first word was copied with it.
 *
 * @param {HTMLInputElement} input
 * @returns {string | null} null: no header can carry it
 */
function enteredToken({ value }) {
  const token = value.trim().replace(/^bearer\s+/i, "");
  return /^[!-~]+$/.test(token) ? token : null;
}
