import { element, fill, say } from "../parts/element.js";
import { timeElement } from "../parts/times.js";
import { stageBadge, truckLink } from "./badges.js";

/** One open alert: made once, then kept up to date in place, so that the focus stays where it is. */
export class AlertRow {
  element = element("li");
  #units;
  #stage = null;
  #badge = element("span");
  #distance = element("p", { class: "distance" });
  #text = element("p");
  #driver = element("p", { class: "small" });

  /** @param onShow shows it on the map */
  constructor(message, units, onShow) {
    this.#units = units;
    const purpose = `Show ${message.vehicle} and its bridge on the map`;
    const show = element("button", { type: "button", "aria-label": purpose, onclick: onShow }, "Show");
    fill(this.element,
      element("div", { class: "card-head" }, element("h3", {}, this.#badge, " ", truckLink(message.vehicle)), show),
      this.#distance, this.#text, this.#driver);
  }

  update({ message, distance, detourDistance, acknowledged }) {
    this.element.dataset.stage = message.stage;
    this.element.dataset.alert = message.id;
    if (this.#stage !== message.stage) fill(this.#badge, stageBadge(message.stage));
    this.#stage = message.stage;
    this.#showDistance(distance, detourDistance, message);
    say(this.#text, message.text ?? "");
    this.#showDriver(message, acknowledged);
  }

  #showDistance(distance, detourDistance, { clearance, detour }) {
    const sign = this.#units.height(clearance.height);
    const key = `${this.#units.distance(distance)} ${this.#units.distance(detourDistance)} ${sign}`;
    if (this.#distance.dataset.key === key) return;
    this.#distance.dataset.key = key;
    const leave = detour === null ? "no way round" : detourDistance > 0 && `leave in ${this.#units.distance(detourDistance)}`;
    fill(this.#distance, element("strong", {}, this.#units.distance(distance)), ` to ${sign}${clearance.name ? `, ${clearance.name}` : ""}`,
      leave ? ` · ${leave}` : "");
  }

  #showDriver({ sequence, published_at: publishedAt }, acknowledged) {
    const hasHeard = acknowledged !== null && acknowledged >= sequence;
    const key = `${hasHeard} ${acknowledged} ${publishedAt}`;
    if (this.#driver.dataset.key === key) return;
    this.#driver.dataset.key = key;
    const driver = hasHeard ? "✓ Driver has acknowledged this" : acknowledged > 0
      ? "✗ Driver has acknowledged an earlier stage only" : "✗ Driver has not acknowledged it";
    fill(this.#driver, driver, element("span", { class: "quiet" }, " · told ", timeElement(publishedAt)));
  }
}
