// @ts-check
import { element, setChildren, setText } from "../assets/common/dom.js";
import { limits } from "./limits.js";
import { MapView } from "./map-view.js";

/** @typedef {import("../assets/common/units.js").Units} Units */
/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {import("./hazard-watch.js").Hazard} Hazard */
/** @typedef {import("./hazard-watch.js").HazardWatch} HazardWatch */
/** @typedef {import("./positions.js").Positions} Positions */
/** @typedef {import("./screen-lock.js").ScreenLock} ScreenLock */

/**
 * @typedef {object} DriveScreenOptions
 * @property {Connection} connection
 * @property {HazardWatch} hazards
 * @property {Positions} positions
 * @property {ScreenLock} screenLock
 * @property {Units} units
 * @property {() => void} onStopSharing
 */

/** @type {Record<string, string>} */
const headlines = { stop: "STOP", detour: "Leave here", ahead: "Low bridge ahead" };

/** One thing at a time: the worst alarm, else a notice, else whether the page watches. A tap anywhere acknowledges. */
export class DriveScreen {
  /** @type {HTMLElement} */
  element;
  /** @type {DriveScreenOptions} */
  #options;
  #headline = element("h2", { class: "headline" });
  #distance = element("p", { class: "distance" });
  #text = element("p", { "aria-live": "assertive" });
  #map = new MapView();
  #notice = element("p", { class: "notice" });
  #limits = element("ul", { class: "limits", role: "status" });
  #acknowledge = element("button", { type: "button" }, "Tap anywhere: I have read it");
  #height = element("p");
  #stopSharing;

  /** @param {DriveScreenOptions} options */
  constructor(options) {
    this.#options = options;
    this.#stopSharing = element("button", { type: "button", onclick: (event) => {
      event.stopPropagation();
      options.onStopSharing();
    } }, "Stop sharing");
    this.element = element("div", { class: "screen", onclick: () => this.#tap() },
      this.#headline, this.#distance, this.#text, this.#acknowledge, this.#map.element, this.#notice, this.#limits,
      element("div", { class: "row footer" }, this.#height, this.#stopSharing));
    this.update();
  }

  /** The open alarms with their sentences, the worst and nearest first. */
  get alarms() {
    return this.#options.hazards.alarms.map((hazard) => ({ id: hazard.alert.id, stage: hazard.stage, text: this.#sentence(hazard) }));
  }

  /** @param {DeviceFix} fix */
  move(fix) { this.#map.move(fix); }

  update() {
    const { connection, hazards, units } = this.#options;
    const [alarm] = hazards.alarms;
    const texts = this.#limitTexts();
    if (alarm === undefined) this.#showCalm(texts.length === 0);
    else this.#showAlarm(alarm);
    const notice = alarm === undefined ? this.#noticeText() : "";
    this.#notice.hidden = notice === "";
    setText(this.#notice, notice);
    this.#map.show((alarm ?? hazards.notices[0])?.alert);
    if (texts.join("\n") !== [...this.#limits.children].map((line) => line.textContent).join("\n")) {
      setChildren(this.#limits, texts.map((text) => element("li", {}, text)));
    }
    const height = connection.last?.height;
    setText(this.#height, height ? `Height ${units.height(height.value)}` : "Height not known");
  }

  /** @param {Hazard} alarm */
  #showAlarm(alarm) {
    const { connection, units } = this.#options;
    this.element.dataset.stage = alarm.stage;
    setText(this.#headline, headlines[alarm.stage]);
    this.#distance.hidden = alarm.distance === null;
    setText(this.#distance, units.distance(alarm.distance));
    this.#text.hidden = false;
    setText(this.#text, this.#sentence(alarm));
    this.#acknowledge.hidden = connection.isAcknowledged(alarm.alert);
  }

  /** @param {boolean} isWatching */
  #showCalm(isWatching) {
    delete this.element.dataset.stage;
    setText(this.#headline, isWatching ? "Watching for low bridges" : "Not all is watched");
    for (const part of [this.#distance, this.#text, this.#acknowledge]) part.hidden = true;
  }

  /** @param {Hazard} hazard the gateway's own sentence grows old where it cannot be heard */
  #sentence({ alert, stage, distance, isOwn }) {
    if (!isOwn) return alert.text_now;
    return `${headlines[stage]}. Low bridge ${alert.clearance.posted} in ${this.#options.units.distance(distance)}.`;
  }

  #noticeText() {
    const { hazards } = this.#options;
    const [notice] = hazards.notices;
    if (notice !== undefined) return this.#sentence(notice);
    return hazards.isNearClearance ? "Possible: a low bridge is near." : "";
  }

  #limitTexts() {
    const { connection, hazards, positions, screenLock } = this.#options;
    return limits({
      answer: connection.last, isConnected: connection.isConnected, silence: connection.silence,
      fix: positions.last, fixAge: positions.age, isPositionRefused: positions.isRefused, hasLeft: hazards.hasLeft,
      isScreenKeptOn: screenLock.isHeld,
    });
  }

  #tap() {
    const { connection, hazards } = this.#options;
    for (const { alert } of hazards.alarms) if (!connection.isAcknowledged(alert)) connection.acknowledge(alert);
    this.update();
  }
}
