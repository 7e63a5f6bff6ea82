// @ts-check
import { addArrowKeys } from "../common/arrow-keys.js";
import { element, setChildren, setText } from "../common/dom.js";
import { timeElement } from "../common/time.js";
import { AlertRow } from "./alert-row.js";
import { stageBadge, truckLink } from "./badges.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/open-alerts.js").OpenAlert} OpenAlert */
/** @typedef {import("../fleet/open-alerts.js").OpenAlerts} OpenAlerts */
/** @typedef {import("../fleet/status.js").Status} Status */
/** @typedef {import("../types/api").Alert} Alert */

/**
 * @typedef {object} AlertsViewOptions
 * @property {OpenAlerts} alerts
 * @property {Status} status
 * @property {Units} units
 * @property {(id: string) => void} onShow shows an alert on the map
 */

/** Rows that are shown at first and added by "Show more": a page of hundreds is slow. */
const pageSize = 50;

/** The open alerts, worst first, and those that have ended recently. */
export class AlertsView {
  /** @type {HTMLElement} */
  element;
  /** @type {AlertsViewOptions} */
  #options;
  /**
   * By the alert's id.
   *
   * @type {Map<string, AlertRow>}
   */
  #rows = new Map();
  #list = addArrowKeys(element("ol", { class: "cards", "aria-label": "Open alerts, worst first" }), "a");
  #note = element("p", { class: "note" });
  #ended = element("ul", { class: "rows" });
  #endedSection = element("section", {}, element("h3", {}, "Recently ended"), this.#ended);
  #more = element("button", { type: "button", onclick: () => this.#showMore() });
  #shownMax = pageSize;
  #removeListeners;

  /** @param {AlertsViewOptions} options */
  constructor(options) {
    this.#options = options;
    this.element = element("div", { class: "stack" }, this.#note, this.#list, this.#more, this.#endedSection);
    const { alerts, status, units } = options;
    const show = () => this.#show();
    this.#removeListeners = [alerts.on("change", show), status.on("change", show), units.on("change", () => this.#redraw())];
    this.#show();
  }

  close() { for (const remove of this.#removeListeners) remove(); }

  #redraw() {
    this.#rows.clear();
    setChildren(this.#list);
    this.#show();
  }

  #show() {
    const { alerts } = this.#options;
    const open = alerts.open;
    this.#showRows(open.slice(0, this.#shownMax));
    this.#more.hidden = open.length <= this.#shownMax;
    setText(this.#more, `Show more of ${open.length}`);
    const note = alerts.error ?? this.#noteText(open.length);
    setText(this.#note, note);
    this.#note.hidden = note === "";
    this.#showEnded(alerts.ended);
  }

  #showMore() {
    this.#shownMax += pageSize;
    this.#show();
  }

  /** @param {OpenAlert[]} open */
  #showRows(open) {
    const ids = new Set(open.map(({ message }) => message.id));
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    open.forEach((alert, index) => {
      const row = this.#rows.get(alert.message.id) ?? this.#createRow(alert.message);
      row.update(alert);
      const current = this.#list.children.item(index);
      // An element that is moved loses the focus: only rows at a wrong index are moved.
      if (current !== row.element) this.#list.insertBefore(row.element, current);
    });
  }

  /** @param {Alert} message */
  #createRow({ id, vehicle }) {
    const row = new AlertRow(vehicle, this.#options.units, () => this.#options.onShow(id));
    this.#rows.set(id, row);
    return row;
  }

  /** @param {number} count of open alerts */
  #noteText(count) {
    if (count > 0) return "";
    if (!this.#options.alerts.isLoaded) return "Loading…";
    if (this.#options.status.value?.vehicles === 0) {
      return "No truck has reported yet. Publish a position on fleet/T42/location, such as {\"lat\": 42.28, \"lon\": -83.75}, "
        + "and the truck appears on the map.";
    }
    return "No open alerts: no truck is approaching a bridge that is too low for it.";
  }

  /** @param {Alert[]} ended */
  #showEnded(ended) {
    this.#endedSection.hidden = ended.length === 0;
    const key = ended.map(({ id }) => id).join();
    if (this.#ended.dataset.key === key) return;
    this.#ended.dataset.key = key;
    setChildren(this.#ended, ended.map(({ stage, vehicle, time, text }) => element("li", { "data-stage": stage },
      stageBadge(stage), " ", truckLink(vehicle), element("span", { class: "muted" }, " · ", timeElement(time)),
      element("p", { class: "small" }, text))));
  }
}
