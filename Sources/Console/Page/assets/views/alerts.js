// @ts-check
import { element, setChildren, setText } from "../common/dom.js";
import { timeElement } from "../common/time.js";
import { isBesidePath } from "../fleet/alert-order.js";
import { AlertList } from "./alert-list.js";
import { stageBadge, truckLink } from "./badges.js";
import { explanationLink } from "./explanation.js";
import { HandlingControls } from "./handling-controls.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/alert-sentences.js").AlertSentences} AlertSentences */
/** @typedef {import("../fleet/handlings.js").Handlings} Handlings */
/** @typedef {import("../fleet/open-alerts.js").OpenAlerts} OpenAlerts */
/** @typedef {import("../fleet/status.js").Status} Status */
/** @typedef {import("../types/api").Alert} Alert */
/** @typedef {import("../types/api").Handling} Handling */

/**
 * @typedef {object} AlertsViewOptions
 * @property {OpenAlerts} alerts
 * @property {AlertSentences} sentences
 * @property {Handlings} handlings
 * @property {Status} status
 * @property {Units} units
 * @property {(id: string) => void} onShow shows an alert on the map
 */

/** The open alerts, worst first; those beside the likely path collapsed below the others; those that dispatch has still to close; and those that have ended recently. */
export class AlertsView {
  /** @type {HTMLElement} */
  element;
  /** @type {AlertsViewOptions} */
  #options;
  #note = element("p", { class: "note" });
  #onPath;
  #besidePath;
  #besideCount = element("summary");
  #besideSection;
  #taken = element("ul", { class: "rows" });
  #takenSection = element("div", {}, element("h3", {}, "Ended alerts that are still being handled"), this.#taken);
  #ended = element("ul", { class: "rows" });
  #endedSection = element("section", {}, element("h3", {}, "Recently ended"), this.#ended);
  #removeListeners;

  /** @param {AlertsViewOptions} options */
  constructor(options) {
    this.#options = options;
    const { alerts, handlings, status, units } = options;
    this.#onPath = new AlertList("Open alerts, worst first", options);
    this.#besidePath = new AlertList("Alerts for roads that the trucks will probably not take, worst first", options);
    this.#besideSection = element("details", { class: "stack" }, this.#besideCount, this.#besidePath.element);
    this.element = element("div", { class: "stack" },
      this.#note, this.#onPath.element, this.#besideSection, this.#takenSection, this.#endedSection);
    const show = () => this.#show();
    this.#removeListeners = [alerts.on("change", show), handlings.on("change", show), status.on("change", show),
      units.on("change", () => this.#redraw())];
    this.#show();
  }

  close() { for (const remove of this.#removeListeners) remove(); }

  #redraw() {
    this.#onPath.redraw();
    this.#besidePath.redraw();
    this.#show();
  }

  #show() {
    const { alerts } = this.#options;
    const open = alerts.open;
    const beside = open.filter(isBesidePath);
    this.#onPath.show(open.filter((alert) => !isBesidePath(alert)));
    this.#besidePath.show(beside);
    this.#besideSection.hidden = beside.length === 0;
    setText(this.#besideCount, `${beside.length} for roads that the trucks will probably not take`);
    const note = alerts.error ?? this.#noteText(open.length);
    setText(this.#note, note);
    this.#note.hidden = note === "";
    this.#showTaken(this.#options.handlings.ofEndedAlerts);
    this.#showEnded(alerts.ended);
  }

  /** @param {Handling[]} taken */
  #showTaken(taken) {
    this.#takenSection.hidden = taken.length === 0;
    const key = [this.#options.units.system, ...taken.map(({ sequence }) => sequence)].join();
    if (this.#taken.dataset.key === key) return;
    this.#taken.dataset.key = key;
    setChildren(this.#taken, taken.map((handling) => this.#takenRow(handling)));
  }

  /** @param {Handling} handling which knows neither the stage nor the bridge */
  #takenRow({ id, vehicle }) {
    const description = element("div", {}, truckLink(vehicle));
    this.#options.alerts.lastMessage(id, vehicle).then(
      (message) => { if (message) setChildren(description, this.#endedElements(message)); }, () => {});
    return element("li", { "data-taken": id }, description, new HandlingControls(id, vehicle, this.#options).element);
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
    const key = [this.#options.units.system, ...ended.map(({ id }) => id)].join();
    if (this.#ended.dataset.key === key) return;
    this.#ended.dataset.key = key;
    setChildren(this.#ended, ended.map((message) => element("li", { "data-stage": message.stage }, this.#endedElements(message))));
  }

  /** @param {Alert} message the last one of an alert */
  #endedElements(message) {
    const { stage, vehicle, time } = message;
    return [
      stageBadge(stage), " ", truckLink(vehicle), element("span", { class: "muted" }, " · ", timeElement(time), " · "),
      explanationLink(vehicle, time), element("p", { class: "small" }, this.#options.sentences.of(message)),
    ];
  }
}
