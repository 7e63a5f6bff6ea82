import { element, fill, say } from "./element.js";

let fields = 0;

/** A labelled field: `control` is an input, a select or a textarea. */
export function field(label, control, { hint = null, wide = false } = {}) {
  fields += 1;
  control.id ||= `field-${fields}`;
  if (hint) control.setAttribute("aria-describedby", `${control.id}-hint`);
  return element("div", { class: wide ? "field wide" : "field" },
    element("label", { for: control.id }, label),
    control,
    hint && element("span", { class: "hint", id: `${control.id}-hint` }, hint));
}

/** A select of pairs of value and text. */
export function choice(pairs, value, attributes = {}) {
  const options = pairs.map(([key, text]) => element("option", { value: key, selected: key === value }, text));
  return element("select", attributes, options);
}

/** Where a form says what came of it. */
export class Answer {
  element = element("p", { class: "answer", role: "status" });

  good(text) { this.#tell("good", text); }
  bad(text) { this.#tell("bad", text); }
  clear() { fill(this.element); }

  /** Runs asynchronous work, and says what went wrong where something does. Whether it went well. */
  async about(work, { meanwhile = "Sending…" } = {}) {
    this.#tell("", meanwhile);
    try {
      await work();
      return true;
    } catch (problem) {
      this.bad(problem.message);
      return false;
    }
  }

  #tell(kind, text) {
    this.element.dataset.kind = kind;
    say(this.element, text);
  }
}

/** What a list that people type holds: `a, b` or `a b`. */
export const words = (text) => text.split(/[\s,]+/).filter((word) => word !== "");
