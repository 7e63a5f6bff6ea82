// @ts-check
import { element, setChildren, setText } from "../common/dom.js";
import { formatDuration, timeElement } from "../common/time.js";
import { stageBadge, truckLink } from "./badges.js";
import { explanationURL } from "./explanation.js";
import { HandlingControls } from "./handling-controls.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/open-alerts.js").OpenAlert} OpenAlert */
/** @typedef {import("./alert-list.js").AlertListOptions} AlertListOptions */
/** @typedef {import("../types/api").Alert} Alert */

/** One open alert; updated in place, so that the focus stays where it is. */
export class AlertRow {
  element = element("li");
  /** @type {Units} */
  #units;
  #badge = element("span");
  #distance = element("p", { class: "distance" });
  #text = element("p");
  #driver = element("p", { class: "small" });
  #handling;
  /** Of the last message. */
  #time = "";

  /**
   * @param {Alert} message
   * @param {AlertListOptions} options
   */
  constructor({ id, vehicle }, options) {
    this.#units = options.units;
    this.#handling = new HandlingControls(id, vehicle, options);
    const name = `Show ${vehicle} and its bridge on the map`;
    const show = element("button", { type: "button", "aria-label": name, onclick: () => options.onShow(id) }, "Show");
    const why = element("button", {
      type: "button", "aria-label": `Why was ${vehicle} warned?`,
      onclick: () => { location.hash = explanationURL(vehicle, this.#time); },
    }, "Why?");
    setChildren(this.element,
      element("div", { class: "card-header" }, element("h3", {}, this.#badge, " ", truckLink(vehicle)),
        element("span", {}, why, " ", show)),
      this.#distance, this.#text, this.#driver, this.#handling.element);
  }

  /** @param {OpenAlert} alert */
  update({ message, distance, eta, text, acknowledged }) {
    if (this.element.dataset.stage !== message.stage) setChildren(this.#badge, stageBadge(message.stage));
    this.element.dataset.stage = message.stage;
    this.#time = message.time;
    this.element.dataset.alert = message.id;
    this.element.dataset.attention = message.attention;
    this.element.classList.toggle("notice", message.attention === "notice");
    const left = ` to the bridge · ${formatDuration(eta)}`;
    updateChildren(this.#distance, `${this.#units.distance(distance)}${left}`, () =>
      [element("strong", {}, this.#units.distance(distance)), left]);
    setText(this.#text, text);
    this.#showDriver(message, acknowledged);
    this.#handling.update();
  }

  /**
   * @param {Alert} message
   * @param {number | null} acknowledged
   */
  #showDriver({ sequence, published_at: publishedAt }, acknowledged) {
    const text = acknowledgementText(sequence, acknowledged);
    updateChildren(this.#driver, `${text} ${publishedAt}`, () =>
      [text, element("span", { class: "muted" }, " · sent ", timeElement(publishedAt))]);
  }
}

/**
 * Replaces the children only where the content differs: the distance changes every second, little else does.
 *
 * @param {HTMLElement} parent
 * @param {string} key of the content
 * @param {() => (Node | string)[]} makeChildren
 */
function updateChildren(parent, key, makeChildren) {
  if (parent.dataset.key === key) return;
  parent.dataset.key = key;
  setChildren(parent, makeChildren());
}

/**
 * @param {number} sequence of the last message
 * @param {number | null} acknowledged
 */
function acknowledgementText(sequence, acknowledged) {
  if (acknowledged === null || acknowledged === 0) return "✗ Driver has not acknowledged this alert";
  return acknowledged >= sequence
    ? "✓ Driver has acknowledged this alert" : "✗ Driver has acknowledged only an earlier stage";
}
