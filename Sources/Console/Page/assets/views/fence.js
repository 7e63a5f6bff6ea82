import { element, fill, say } from "../parts/element.js";
import { Answer, field, words } from "../parts/form.js";
import { level } from "../link/server.js";
import { boundsOf } from "../map/shapes.js";
import { FenceShape } from "./fence-shape.js";

/** One fence: seen, made, changed or taken back. Over HTTP it goes to its retained topic, and holds when it came back. */
export class FenceView {
  element;
  #parts;
  #id;
  #heading;
  #answer = new Answer();
  #body = element("div", { class: "stack" }, element("p", { class: "empty" }, "Loading…"));
  #shape = null;
  #kept = {};
  #fields;

  /** @param id null: a new one */
  constructor(parts, id, heading) {
    this.#parts = parts;
    this.#id = id;
    this.#heading = heading;
    this.element = element("div", { class: "stack" }, this.#body, this.#answer.element);
    if (id === null) this.#show({ geometry: null, properties: {} });
    else this.#load();
  }

  close() { this.#shape?.close(); }

  async #load() {
    const isGood = await this.#answer.about(async () => {
      const feature = await this.#parts.server.get(`/fences/${level(this.#id)}`, { format: "geojson" });
      this.#show(feature);
      const bounds = boundsOf(feature.geometry);
      if (bounds) this.#parts.map?.fit(bounds);
    }, { meanwhile: "" });
    if (!isGood) fill(this.#body);
  }

  #show({ geometry, properties }) {
    this.#kept = properties;
    this.#shape = new FenceShape(this.#parts, geometry, properties);
    this.#fields = fieldsOf(this.#id, properties);
    say(this.#heading, this.#id === null ? "New fence" : properties.name || this.#id);
    const form = element("form", { class: "stack", onsubmit: (event) => this.#send(event) },
      this.#id !== null && element("p", { class: "quiet" }, `${properties.inside ?? 0} inside · ${origins[properties.origin]}`),
      this.#shape.element,
      element("div", { class: "fields" }, Object.values(this.#fields).map(({ part }) => part)),
      element("div", { class: "row" },
        element("button", { class: "main" }, this.#id === null ? "Set fence" : "Change fence"),
        this.#id !== null && element("button", { type: "button", class: "away", onclick: () => this.#remove() }, "Remove fence"),
        element("a", { href: "#/fences" }, "All fences")));
    if (!this.#parts.status.mayEdit) {
      for (const control of form.elements) control.disabled = true;
      this.#answer.bad("To change fences, an editor's token is needed.");
    }
    fill(this.#body, form);
  }

  async #send(event) {
    event.preventDefault();
    const id = this.#id ?? this.#fields.id.control.value.trim();
    await this.#answer.about(async () => {
      const feature = { type: "Feature", id, geometry: this.#shape.geometry, properties: this.#properties() };
      const { note } = await this.#parts.server.put(`/fences/${level(id)}`, feature);
      this.#answer.good(note ?? "In force.");
      if (this.#id === null) location.hash = `#/fence/${level(id)}`;
    });
  }

  async #remove() {
    await this.#answer.about(async () => {
      await this.#parts.server.delete(`/fences/${level(this.#id)}`);
      location.hash = "#/fences";
    });
  }

  /** What the form does not show stays as it is; what the gateway adds of its own does not go back. */
  #properties() {
    const { origin, kind, inside, ...properties } = this.#kept;
    const value = (name) => this.#fields[name].control.value.trim();
    Object.assign(properties, this.#shape.extent, {
      name: value("name") || undefined, groups: words(value("groups")), vehicles: words(value("vehicles")),
      dwell: quantity(value("dwell")), hysteresis: quantity(value("hysteresis")) ?? undefined,
      hours: value("week") === "" ? null : { zone: value("zone"), week: value("week") },
    });
    return properties;
  }
}

const origins = { file: "from a file; what is sent here wins over it", topic: "from dispatch" };

/** A plain number goes as one: as a text it would want a unit. */
const quantity = (text) => (text === "" ? null : Number.isNaN(Number(text)) ? text : Number(text));

function fieldsOf(id, { name = "", groups = [], vehicles = [], dwell, hysteresis, hours }) {
  const plain = (label, value, options, attributes = {}) => {
    const control = element("input", { autocomplete: "off", value: value ?? "", ...attributes });
    return { control, part: field(label, control, options) };
  };
  const zone = hours?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...(id === null && { id: plain("Id", "", { hint: "Its topic: no / + #" }, { required: true, pattern: "[^\\/+#]+" }) }),
    name: plain("Name", name),
    groups: plain("For groups", groups.join(", "), { hint: "Without groups and trucks: for all." }),
    vehicles: plain("For trucks", vehicles.join(", ")),
    dwell: plain("Dwell", dwell, { hint: "Seconds, or 5 min." }),
    hysteresis: plain("Hysteresis", hysteresis, { hint: "Metres, or 60 ft." }),
    week: plain("Hours", hours?.week, { hint: "Mo-Fr 06:00-18:00" }),
    zone: plain("Time zone of hours", zone),
  };
}
