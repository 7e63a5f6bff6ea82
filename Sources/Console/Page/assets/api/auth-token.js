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
   * @param {string} reason why a token is needed
   * @returns {Promise<void>} resolves when the user has entered a token
   */
  prompt(reason) {
    this.#prompt ??= this.#openDialog(reason).finally(() => { this.#prompt = null; });
    return this.#prompt;
  }

  /**
   * @param {string} reason
   * @returns {Promise<void>}
   */
  #openDialog(reason) {
    const input = element("input", { type: "password", name: "token", autocomplete: "off", required: true });
    const dialog = element("dialog", { "aria-labelledby": "token-heading", closedby: "none" },
      element("form", { method: "dialog", class: "stack" },
        element("h2", { id: "token-heading" }, "Access token"),
        element("p", {}, reason),
        field("Token", input, { hint: "Stored until this tab is closed." }),
        element("button", { class: "primary" }, "Continue")));
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => {
      const value = input.value.trim();
      // Escape closes the dialog without a token, and the page shows nothing without one.
      if (value === "") {
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
