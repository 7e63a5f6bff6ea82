import { element, fill } from "../parts/element.js";
import { Answer, choice, field, words } from "../parts/form.js";
import { level } from "../link/server.js";

/** Tells a truck's height for it: a profile, retained on the broker, so that it outlives gateway and page. */
export class HeightForm {
  element;
  #parts;
  #path;
  #onChange;
  #answer = new Answer();
  #height = element("input", { name: "height", required: true, autocomplete: "off", placeholder: "13'6\" or 4.11 m" });
  #margin = element("input", { name: "margin", autocomplete: "off", placeholder: "3 in" });
  #validFor = element("input", { name: "valid_for", autocomplete: "off", placeholder: "24 h" });
  #units = choice([["", "as the fleet"], ["imperial", "ft, mi"], ["metric", "m, km"]], "");
  #groups = element("input", { name: "groups", autocomplete: "off" });
  #remove = element("button", { type: "button", class: "away", onclick: () => this.#withdraw() }, "Remove its height");
  #isTouched = false;

  /** @param onChange called when another height is in force */
  constructor(parts, vehicle, onChange) {
    this.#parts = parts;
    this.#path = `/vehicles/${level(vehicle)}/profile`;
    this.#onChange = onChange;
    this.element = element("form", { class: "stack", onsubmit: (event) => this.#send(event), oninput: () => { this.#isTouched = true; } },
      element("h4", {}, "Set it"),
      element("div", { class: "fields" },
        field("Height", this.#height, { hint: "Feet and inches, or metres with m." }),
        field("Margin", this.#margin, { hint: "Empty: the fleet's." }),
        field("Valid for", this.#validFor, { hint: "Empty: the fleet's." }),
        field("Driver reads", this.#units),
        field("Groups", this.#groups, { wide: true, hint: "Of fences and quiet circles." })),
      element("div", { class: "row" }, element("button", { class: "main" }, "Set height"), this.#remove),
      this.#answer.element);
    this.#allow();
  }

  /** What holds; what the viewer is typing stays. */
  show(height) {
    this.#remove.hidden = height === null || height.status === "assumed";
    if (this.#isTouched || height === null) return;
    this.#groups.value = (height.groups ?? []).join(", ");
  }

  #allow() {
    if (this.#parts.status.mayEdit) return;
    for (const control of this.element.elements) control.disabled = true;
    fill(this.#answer.element, "To change it, an editor's token is needed.");
  }

  async #send(event) {
    event.preventDefault();
    const profile = {
      height: this.#height.value.trim(), source: "dispatch", measured_at: new Date(this.#parts.clock.now).toISOString(),
      groups: words(this.#groups.value),
    };
    if (this.#margin.value.trim() !== "") profile.margin = this.#margin.value.trim();
    if (this.#validFor.value.trim() !== "") profile.valid_for = this.#validFor.value.trim();
    if (this.#units.value !== "") profile.units = this.#units.value;
    await this.#answer.about(async () => {
      const { note } = await this.#parts.server.put(this.#path, profile);
      this.#done(note ?? "In force.");
    });
  }

  async #withdraw() {
    await this.#answer.about(async () => {
      await this.#parts.server.delete(this.#path);
      this.#done("Removed: the assumed height counts.");
    });
  }

  #done(text) {
    this.#isTouched = false;
    this.#answer.good(text);
    this.#onChange();
  }
}
