// @ts-check
import { promptForText } from "../common/text-prompt.js";

/** @typedef {import("../common/preferences.js").Preferences} Preferences */
/** @typedef {import("./status.js").Status} Status */

/** Characters that the gateway takes. */
export const nameMax = 100;

/** The name under which the user takes alerts and enters clearances: that of the token, else the one that the user has typed. */
export class UserName {
  /** @type {Preferences} */
  #preferences;
  /** @type {Status} */
  #status;

  /**
   * @param {Preferences} preferences where a typed name is kept
   * @param {Status} status
   */
  constructor(preferences, status) {
    this.#preferences = preferences;
    this.#status = status;
  }

  /**
   * Asks for the name where it is not known.
   *
   * @param {string} heading of the question
   * @param {string} action of its button
   * @returns {Promise<string | null>} null: the user has cancelled
   */
  async get(heading, action) {
    const known = this.#status.value?.name ?? this.#preferences.get("name");
    if (known !== null) return known;
    const name = await promptForText({
      heading, label: "Your name", action, maxLength: nameMax, isRequired: true,
      hint: "Other dispatchers see it. It is stored in this browser.",
    });
    if (name !== null) this.#preferences.set("name", name);
    return name;
  }
}
