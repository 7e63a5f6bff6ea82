// @ts-check
import { pathSegment } from "../api/api-client.js";
import { element, setText } from "../common/dom.js";
import { disableControls, field, FormMessage, lines, linesArea, select } from "../common/form.js";
import { profileOf } from "../fleet/profile.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../common/time.js").ServerClock} ServerClock */
/** @typedef {import("../common/undo.js").Undo} Undo */
/** @typedef {import("../types/api").Height} Height */
/** @typedef {import("../types/api").Outcome} Outcome */

/**
 * @typedef {object} HeightFormOptions
 * @property {ApiClient} client
 * @property {ServerClock} clock
 * @property {boolean} canEdit
 * @property {string} vehicle
 * @property {Undo} undo
 * @property {() => void} onChange called when another height is in force
 */

/** @type {[string, string][]} */
const languages = [["", "fleet default"], ["en", "English"], ["de", "Deutsch"], ["es", "Español"], ["fr", "Français"]];

/** Publishes the height of a truck as its profile, which is retained on the broker. */
export class HeightForm {
  /** @type {HTMLFormElement} */
  element;
  /** @type {HeightFormOptions} */
  #options;
  #path;
  #message = new FormMessage();
  #height = element("input", { name: "height", required: true, autocomplete: "off", placeholder: "13'6\" or 4.11 m" });
  #margin = element("input", { name: "margin", autocomplete: "off", placeholder: "3 in" });
  #validFor = element("input", { name: "valid_for", autocomplete: "off", placeholder: "24 h" });
  #units = select([["", "fleet default"], ["imperial", "ft, mi"], ["metric", "m, km"]], "");
  #language = select(languages, "");
  #groups = linesArea("groups");
  #remove = element("button", { type: "button", class: "danger", hidden: true, onclick: () => this.#removeProfile() }, "Remove height");
  #isEdited = false;
  /** @type {Height | null} */
  #inForce = null;

  /** @param {HeightFormOptions} options */
  constructor(options) {
    this.#options = options;
    this.#path = `/vehicles/${pathSegment(options.vehicle)}/profile`;
    const onInput = () => { this.#isEdited = true; };
    this.element = element("form", { class: "stack", onsubmit: (event) => this.#submit(event), oninput: onInput },
      element("h4", {}, "Set height"),
      element("div", { class: "fields" },
        field("Height", this.#height, { hint: "Feet and inches, or metres with m." }),
        field("Margin", this.#margin, { hint: "Leave empty to leave it as it is." }),
        field("Valid for", this.#validFor, { hint: "Leave empty to leave it as it is." }),
        field("Driver's units", this.#units),
        field("Driver's language", this.#language),
        field("Groups", this.#groups, { isWide: true, hint: "One per line. Fences and quiet reporting can be for groups." })),
      element("div", { class: "row" }, element("button", { class: "primary" }, "Set height"), this.#remove),
      this.#message.element);
    if (!options.canEdit) {
      disableControls(this.element);
      setText(this.#message.element, "An editor's token is needed to change the height.");
    }
  }

  /**
   * Shows the height in force; what the user has entered stays.
   *
   * @param {Height | null} height
   */
  show(height) {
    this.#inForce = height;
    this.#remove.hidden = this.#profile === null;
    if (this.#isEdited || height === null) return;
    this.#groups.value = height.groups.join("\n");
    this.#units.value = this.#profile?.units ?? "";
    this.#language.value = height.language ?? "";
  }

  /** Null: nobody has set a height. */
  get #profile() { return this.#inForce === null || this.#inForce.status === "assumed" ? null : profileOf(this.#inForce); }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    // All that the profile says beside the height is said again: the new one replaces it.
    const kept = this.#profile;
    const profile = {
      height: this.#height.value.trim(),
      source: "dispatch",
      measured_at: new Date(this.#options.clock.now).toISOString(),
      groups: lines(this.#groups.value),
      // Members that are undefined are not sent.
      margin: this.#margin.value.trim() || kept?.margin,
      valid_for: this.#validFor.value.trim() || kept?.valid_for,
      units: this.#units.value || undefined,
      language: this.#language.value || undefined,
    };
    await this.#message.run(async () => {
      /** @type {Outcome} */
      const { note } = await this.#options.client.put(this.#path, profile);
      this.#finish(note ?? "Saved and active.");
    });
  }

  async #removeProfile() {
    const { client, undo, vehicle, onChange } = this.#options;
    const before = this.#profile;
    await this.#message.run(async () => {
      await client.delete(this.#path);
      this.#finish("Removed: the fleet's default height is used.");
      if (before === null) return;
      undo.offer(`The height of ${vehicle} is removed.`, async () => {
        await client.put(this.#path, before);
        onChange();
      });
    });
  }

  /** @param {string} text */
  #finish(text) {
    this.#isEdited = false;
    this.#message.showSuccess(text);
    this.#options.onChange();
  }
}
