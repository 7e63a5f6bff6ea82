// @ts-check
import { addArrowKeys } from "../common/arrow-keys.js";
import { element, setChildren, setText } from "../common/dom.js";
import { AlertRow } from "./alert-row.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../fleet/handlings.js").Handlings} Handlings */
/** @typedef {import("../fleet/open-alerts.js").OpenAlert} OpenAlert */
/** @typedef {import("../fleet/status.js").Status} Status */
/** @typedef {import("../types/api").Alert} Alert */

/**
 * @typedef {object} AlertListOptions
 * @property {Units} units
 * @property {Handlings} handlings
 * @property {Status} status
 * @property {(id: string) => void} onShow shows an alert on the map
 */

/** Rows that are shown at first and added by "Show more": a page of hundreds is slow. */
const pageSize = 50;
/** Of cards that must not move. */
const heldSelector = ":hover, :focus-within";

/** Cards of open alerts in the order in which they are given, but for one that the user points at or works with: it stays. */
export class AlertList {
  /** @type {HTMLElement} */
  element;
  /** @type {AlertListOptions} */
  #options;
  /**
   * By the alert's id.
   *
   * @type {Map<string, AlertRow>}
   */
  #rows = new Map();
  /** @type {OpenAlert[]} */
  #alerts = [];
  #list;
  #more = element("button", { type: "button", onclick: () => this.#showMore() });
  #shownMax = pageSize;

  /**
   * @param {string} label
   * @param {AlertListOptions} options
   */
  constructor(label, options) {
    this.#options = options;
    this.#list = addArrowKeys(element("ol", { class: "cards", "aria-label": label }), "a");
    this.element = element("div", { class: "stack" }, this.#list, this.#more);
  }

  /** @param {OpenAlert[]} alerts worst first */
  show(alerts) {
    this.#alerts = alerts;
    this.#more.hidden = alerts.length <= this.#shownMax;
    setText(this.#more, `Show more of ${alerts.length}`);
    const held = [...this.#list.children].find((card) => card.matches(heldSelector));
    const top = held?.getBoundingClientRect().top ?? 0;
    this.#showRows(this.#arranged(alerts));
    // Cards above it may have become taller; the panel scrolls, or on a phone the page.
    for (const area of [this.element.closest(".panel"), window]) {
      if (held?.isConnected) area?.scrollBy(0, held.getBoundingClientRect().top - top);
    }
  }

  /** Makes all rows anew, in other units. */
  redraw() {
    this.#rows.clear();
    setChildren(this.#list);
    this.show(this.#alerts);
  }

  #showMore() {
    this.#shownMax += pageSize;
    this.show(this.#alerts);
  }

  /**
   * The alerts to show, with those whose cards are held at their present places.
   *
   * @param {OpenAlert[]} alerts
   */
  #arranged(alerts) {
    const held = [...this.#list.children].flatMap((card, index) => {
      const alert = card.matches(heldSelector) && alerts.find(({ message: { id } }) => this.#rows.get(id)?.element === card);
      return alert ? [{ alert, index }] : [];
    });
    const shown = alerts.slice(0, this.#shownMax).filter((alert) => !held.some((other) => other.alert === alert));
    for (const { alert, index } of held) shown.splice(index, 0, alert);
    return shown;
  }

  /** @param {OpenAlert[]} alerts in the order in which they are to be shown */
  #showRows(alerts) {
    const ids = new Set(alerts.map(({ message }) => message.id));
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    placeInOrder(this.#list, alerts.map((alert) => {
      const row = this.#rows.get(alert.message.id) ?? this.#createRow(alert.message);
      row.update(alert);
      return row.element;
    }));
  }

  /** @param {Alert} message */
  #createRow(message) {
    const row = new AlertRow(message, this.#options);
    this.#rows.set(message.id, row);
    return row;
  }
}

/**
 * Moves only children at a wrong place, and none that the user works with: an element that is moved loses the focus.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement[]} children those that are held in the same order as before
 */
function placeInOrder(list, children) {
  let next = list.firstElementChild;
  for (const child of children) {
    while (child.matches(heldSelector) && next !== null && next !== child) {
      const other = next;
      next = next.nextElementSibling;
      list.append(other);
    }
    if (child === next) next = next.nextElementSibling;
    else list.insertBefore(child, next);
  }
}
