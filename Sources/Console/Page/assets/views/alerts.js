import { arrowKeys } from "../parts/arrow-keys.js";
import { element, fill, say } from "../parts/element.js";
import { timeElement } from "../parts/times.js";
import { AlertRow } from "./alert-row.js";
import { stageBadge, truckLink } from "./badges.js";

/** The worst are read first, and a page of hundreds is slow. */
const rowsAtOnce = 50;

/** Who has been told of what, the worst first; and what has just ended. */
export class AlertsView {
  element;
  #parts;
  #rows = new Map();
  #list = arrowKeys(element("ol", { class: "cards", "aria-label": "Open alerts, worst first" }), "a");
  #note = element("p", { class: "empty" });
  #ended = element("ul", { class: "lines" });
  #endedPart;
  #more = element("button", { type: "button", onclick: () => this.#showMore() });
  #most = rowsAtOnce;
  #off;

  constructor(parts) {
    this.#parts = parts;
    this.#endedPart = element("section", {}, element("h3", {}, "Just ended"), this.#ended);
    this.element = element("div", { class: "stack" }, this.#note, this.#list, this.#more, this.#endedPart);
    const show = () => this.#show();
    this.#off = [parts.alerts.on("change", show), parts.units.on("change", () => this.#redraw()), parts.status.on("change", show)];
    this.#show();
  }

  close() { for (const off of this.#off) off(); }

  #redraw() {
    this.#rows.clear();
    fill(this.#list);
    this.#show();
  }

  #show() {
    const { alerts } = this.#parts;
    const open = alerts.open;
    this.#showRows(open.slice(0, this.#most));
    this.#more.hidden = open.length <= this.#most;
    say(this.#more, `Show more of ${open.length}`);
    say(this.#note, alerts.problem ?? this.#emptyText(open.length));
    this.#note.hidden = this.#note.textContent === "";
    this.#showEnded(alerts.ended);
  }

  #showMore() {
    this.#most += rowsAtOnce;
    this.#show();
  }

  #showRows(open) {
    const ids = new Set(open.map(({ message }) => message.id));
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    open.forEach((alert, place) => {
      const row = this.#rows.get(alert.message.id) ?? this.#makeRow(alert);
      row.update(alert);
      // Moving an element takes the focus from it: only those in a wrong place are moved.
      if (this.#list.children[place] !== row.element) this.#list.insertBefore(row.element, this.#list.children[place] ?? null);
    });
  }

  #makeRow({ message }) {
    const row = new AlertRow(message, this.#parts.units, () => this.#parts.showAlert(message.id));
    this.#rows.set(message.id, row);
    return row;
  }

  #emptyText(count) {
    if (count > 0) return "";
    if (!this.#parts.alerts.isLoaded) return "Loading…";
    if (this.#parts.status.value?.vehicles === 0) {
      return "No truck has reported yet. Publish a position on fleet/T42/location, such as {\"lat\": 42.28, \"lon\": -83.75}, "
        + "and it shows on the map.";
    }
    return "No open alerts: nobody is bound for a bridge that is too low.";
  }

  #showEnded(ended) {
    this.#endedPart.hidden = ended.length === 0;
    const key = ended.map(({ message }) => message.id).join();
    if (this.#ended.dataset.key === key) return;
    this.#ended.dataset.key = key;
    fill(this.#ended, ended.map(({ message: { stage, vehicle, time, text } }) => element("li", { "data-stage": stage },
      stageBadge(stage), " ", truckLink(vehicle), element("span", { class: "quiet" }, " · ", timeElement(time)),
      element("p", { class: "small" }, text ?? ""))));
  }
}
