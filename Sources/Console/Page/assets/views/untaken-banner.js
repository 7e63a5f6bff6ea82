// @ts-check
import { element, setChildren, setText } from "../common/dom.js";
import { FormMessage } from "../common/form.js";
import { timeElement } from "../common/time.js";
import { stageBadge, truckLink } from "./badges.js";
import { explanationLink } from "./explanation.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/alert-sentences.js").AlertSentences} AlertSentences */
/** @typedef {import("../fleet/handlings.js").Handlings} Handlings */
/** @typedef {import("../fleet/status.js").Status} Status */
/** @typedef {import("../fleet/untaken-alerts.js").UntakenAlerts} UntakenAlerts */
/** @typedef {import("../types/api").UntakenAlert} UntakenAlert */

/**
 * @typedef {object} UntakenBannerOptions
 * @property {UntakenAlerts} untaken
 * @property {Handlings} handlings
 * @property {Status} status
 * @property {AlertSentences} sentences
 * @property {Units} units
 * @property {(alert: UntakenAlert) => void} onShow shows an alert on the map
 */

/**
 * The alerts that a dispatcher has to take, on every view, until somebody takes them.
 */
export class UntakenBanner {
  /** @type {HTMLElement} */
  #parent;
  /** @type {UntakenBannerOptions} */
  #options;
  #heading = element("h2", { id: "untaken-heading" });
  #list = element("ul", { onmouseleave: () => this.#show() });
  #message = new FormMessage();
  /**
   * By all that they depend on.
   *
   * @type {Map<string, HTMLElement>}
   */
  #rows = new Map();

  /**
   * @param {HTMLElement} parent
   * @param {UntakenBannerOptions} options
   */
  constructor(parent, options) {
    this.#parent = parent;
    this.#options = options;
    const details = element("details", {}, element("summary", {}, this.#heading), this.#list);
    const small = matchMedia("(max-height: 30rem)");
    const arrange = () => { details.open = !small.matches; };
    small.addEventListener("change", arrange);
    arrange();
    setChildren(parent, details, this.#message.element);
    options.untaken.on("change", () => this.#show());
    options.status.on("change", () => this.#show());
    options.units.on("change", () => this.#show());
  }

  #show() {
    const { untaken, status, units } = this.#options;
    this.#parent.hidden = untaken.count === 0;
    const more = untaken.count > untaken.all.length ? `; the most urgent ${untaken.all.length} are shown` : "";
    setText(this.#heading, `${untaken.count} ${untaken.count === 1 ? "alert needs" : "alerts need"} a dispatcher${more}`);
    const keys = untaken.all.map((alert) => `${alert.id} ${alert.sequence} ${alert.escalated_at} ${status.canEdit} ${units.system}`);
    const all = untaken.all.map((alert, index) => this.#rows.get(keys[index]) ?? this.#createRow(alert));
    this.#rows = new Map(all.map((row, index) => [keys[index], row]));
    const isPointedAt = untaken.count > 0 && this.#list.matches(":hover");
    const rows = isPointedAt ? this.#held(all) : all;
    const shown = [...this.#list.children];
    if (rows.length === shown.length && rows.every((row, index) => row === shown[index])) return;
    const focused = this.#list.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    setChildren(this.#list, rows);
    if (focused === null) return;
    // Rows that are put in again lose the focus. Where its own row is gone, the next button has it.
    const next = focused.isConnected ? focused : this.#list.querySelector("button") ?? document.getElementById("panel");
    next?.focus({ preventScroll: true });
  }

  /**
   * A row under the mouse must not move: new ones stand above, where the banner grows, and one that was taken stays as long.
   *
   * @param {HTMLElement[]} rows
   */
  #held(rows) {
    const shown = /** @type {HTMLElement[]} */ ([...this.#list.children]);
    for (const row of shown) row.inert = !rows.includes(row);
    return [...rows.filter((row) => !shown.includes(row)), ...shown];
  }

  /** @param {UntakenAlert} alert */
  #createRow(alert) {
    const { status, handlings, sentences, onShow } = this.#options;
    const { id, stage, vehicle, time, escalated_at: escalatedAt } = alert;
    const text = element("span");
    sentences.ofUntaken(alert).then((sentence) => setText(text, sentence));
    const take = element("button", {
      type: "button", class: "primary", "aria-label": `Take the alert of ${vehicle}`,
      onclick: () => this.#message.run(async () => {
        await handlings.take(id);
        this.#message.clear();
      }, ""),
    }, "Take");
    return element("li", { "data-stage": stage, "data-untaken": id, "data-escalated": escalatedAt },
      element("span", {}, stageBadge(stage), escalatedAt && element("strong", {}, " No answer yet"), " ", truckLink(vehicle), " · ", timeElement(time), " · ", text),
      element("span", { class: "row" },
        explanationLink(vehicle, time),
        element("button", { type: "button", "aria-label": `Show the bridge of ${vehicle} on the map`, onclick: () => onShow(alert) },
          "Show"),
        status.canEdit && take));
  }
}
