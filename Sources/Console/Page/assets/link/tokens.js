import { element } from "../parts/element.js";
import { field } from "../parts/form.js";
import { Listeners } from "../parts/listeners.js";

/** The viewer's token, kept until the tab is closed, and asked for where the server wants one. Tells `change`. */
export class Tokens extends Listeners {
  static #key = "headroom.token";
  #token = null;
  #asking = null;

  get token() { return this.#token ?? sessionStorage.getItem(Tokens.#key); }

  get isAsking() { return this.#asking !== null; }

  forget() {
    this.#token = null;
    sessionStorage.removeItem(Tokens.#key);
  }

  /** What goes with every request. */
  get headers() { return this.token ? { Authorization: `Bearer ${this.token}` } : {}; }

  /** Asks once, however many requests wait for it; done when there is one. */
  ask(reason) {
    this.#asking ??= this.#dialog(reason).finally(() => { this.#asking = null; });
    return this.#asking;
  }

  #dialog(reason) {
    const input = element("input", { type: "password", name: "token", autocomplete: "off", required: true });
    const dialog = element("dialog", { "aria-labelledby": "token-heading", closedby: "none" },
      element("form", { method: "dialog", class: "stack" },
        element("h2", { id: "token-heading" }, "A token, please"),
        element("p", {}, reason),
        field("Token", input, { hint: "Kept until this tab is closed." }),
        element("button", { class: "main" }, "Go on")));
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => {
      // Escape would leave an empty page: without a token there is nothing behind the dialog.
      if (input.value.trim() === "") {
        dialog.showModal();
        return;
      }
      this.#token = input.value.trim();
      sessionStorage.setItem(Tokens.#key, this.#token);
      dialog.remove();
      this.tell("change");
      resolve();
    }));
  }
}
