// @ts-check
import { element, setChildren, setText } from "../assets/common/dom.js";
import { signText } from "../assets/common/units.js";
import { alertText } from "../assets/fleet/alert-text.js";
import { limits } from "./limits.js";
import { MapView } from "./map-view.js";

/** @typedef {import("../assets/common/units.js").Units} Units */
/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {import("./fix-sender.js").FixSender} FixSender */
/** @typedef {import("./hazard-watch.js").Hazard} Hazard */
/** @typedef {import("./hazard-watch.js").HazardWatch} HazardWatch */
/** @typedef {import("./positions.js").Positions} Positions */
/** @typedef {import("./screen-lock.js").ScreenLock} ScreenLock */
/** @typedef {import("./surrounding-roads.js").SurroundingRoads} SurroundingRoads */
/** @typedef {import("../assets/common/texts.js").Texts} Texts */

/**
 * @typedef {object} DriveScreenOptions
 * @property {Connection} connection
 * @property {HazardWatch} hazards
 * @property {Positions} positions
 * @property {SurroundingRoads} roads
 * @property {ScreenLock} screenLock
 * @property {FixSender} sender
 * @property {Units} units
 * @property {Texts} texts
 * @property {() => void} onStopSharing
 */

/** @type {Record<string, string>} */
const headlines = { stop: "pageSTOP", detour: "pageLeave", ahead: "pageAhead" };

/** Milliseconds for which the next alarm is shown after a tap, and within which a second tap counts as the same. */
const nextMilliseconds = 10_000;
const tapMilliseconds = 700;

/**
 * One thing at a time: the worst alarm, else a notice, else whether the page watches. A tap anywhere acknowledges what is shown, and
 * shows the next alarm that is not acknowledged for a while, but where the worst one says STOP.
 */
export class DriveScreen {
  /** @type {HTMLElement} */
  element;
  /** @type {DriveScreenOptions} */
  #options;
  #headline = element("h2", { class: "headline" });
  #number = element("span", {});
  #unit = element("span", { class: "unit" });
  #distance = element("p", { class: "distance" }, this.#number, " ", this.#unit);
  #text = element("p", { "aria-live": "assertive" });
  #map;
  #notice = element("p", { class: "notice" });
  #limits = element("ul", { class: "limits" });
  #acknowledge = element("button", { type: "button" });
  #height = element("p");
  #stopSharing;
  /** When the driver last tapped, by `performance.now`, and the worst alarm at that time. */
  #tapped = { at: -Infinity, worst: "" };

  /** @param {DriveScreenOptions} options */
  constructor(options) {
    this.#options = options;
    this.#map = new MapView(options.roads);
    this.#stopSharing = element("button", { type: "button", onclick: (event) => {
      event.stopPropagation();
      options.onStopSharing();
    } });
    this.element = element("div", { class: "screen", onclick: () => this.#tap() },
      this.#headline, this.#distance, this.#text, this.#acknowledge, this.#map.element, this.#notice,
      element("div", { role: "status" }, this.#limits),
      element("div", { class: "row footer" }, this.#height, this.#stopSharing));
    this.update();
  }

  /** The open alarms with their sentences, the worst and nearest first. */
  get alarms() {
    return this.#options.hazards.alarms.map((hazard) => ({
      // The gateway's own alarm says more than the one that the page made of its notice.
      id: hazard.alert.id, told: hazard.stage === "ahead" && hazard.alert.attention === "notice" ? "notice" : hazard.stage,
      stage: hazard.stage, ...this.#spoken(hazard),
    }));
  }

  /** @param {DeviceFix} fix */
  move(fix) { this.#map.move(fix); }

  update() {
    const { connection, hazards, units } = this.#options;
    const alarm = this.#shown;
    const texts = this.#limitTexts();
    if (alarm === undefined) this.#showCalm(texts.length === 0);
    else this.#showAlarm(alarm);
    const notice = alarm === undefined ? this.#noticeText() : "";
    this.#notice.hidden = notice === "";
    setText(this.#notice, notice);
    this.#map.show((alarm ?? hazards.notices[0])?.alert, this.#say("pageMap"));
    if (texts.join("\n") !== [...this.#limits.children].map((line) => line.textContent).join("\n")) {
      setChildren(this.#limits, texts.map((text) => element("li", {}, text)));
    }
    const height = connection.last?.height;
    setText(this.#height, height ? this.#say("pageHeight", { height: units.height(height.value) }) : this.#say("pageHeightUnknown"));
    setText(this.#acknowledge, this.#say("pageTap"));
    setText(this.#stopSharing, this.#say("pageStopSharing"));
  }

  /** @returns {Hazard | undefined} undefined: there is no alarm */
  get #shown() {
    const { alarms } = this.#options.hazards;
    const { at, worst } = this.#tapped;
    const next = performance.now() < at + nextMilliseconds && keyOf(alarms[0]) === worst ? this.#firstUnread(alarms) : undefined;
    return next ?? alarms[0];
  }

  /**
   * The next alarm to be acknowledged. None covers a STOP.
   *
   * @param {Hazard[]} alarms
   */
  #firstUnread(alarms) {
    const readable = alarms[0]?.stage === "stop" ? alarms.slice(0, 1) : alarms;
    return readable.find(({ alert }) => !this.#options.connection.isAcknowledged(alert));
  }

  /** @param {Hazard} alarm */
  #showAlarm(alarm) {
    const { hazards, units } = this.#options;
    this.element.dataset.stage = alarm.stage;
    setText(this.#headline, this.#say(headlines[alarm.stage]));
    // What the driver is to do next is to turn off; how far the bridge is stands in the sentence.
    const distance = alarm.stage === "detour" ? alarm.detourDistance : alarm.distance;
    this.#distance.hidden = distance === null;
    const [number, unit = ""] = units.distance(distance).split(" ");
    setText(this.#number, number);
    setText(this.#unit, unit);
    this.#text.hidden = false;
    setText(this.#text, this.#spoken(alarm).text);
    this.#acknowledge.hidden = this.#firstUnread(hazards.alarms) === undefined;
  }

  /** @param {boolean} isWatching */
  #showCalm(isWatching) {
    delete this.element.dataset.stage;
    setText(this.#headline, this.#say(isWatching ? "pageWatching" : "pageNotAll"));
    for (const part of [this.#distance, this.#text, this.#acknowledge]) part.hidden = true;
  }

  /**
   * The sentence of a hazard and its language: the gateway's, which grows old where it cannot be heard.
   *
   * @param {Hazard} hazard
   * @returns {{text: string, language: string}}
   */
  #spoken(hazard) {
    const { connection, texts, units } = this.#options;
    if (hazard.isOwn) return { text: alertText(hazard, units, texts), language: texts.language };
    return { text: hazard.alert.text_now, language: connection.last?.language ?? texts.language };
  }

  /**
   * @param {string} key
   * @param {Record<string, string>} [values]
   */
  #say(key, values) { return this.#options.texts.text(key, values); }

  #noticeText() {
    const { hazards } = this.#options;
    const [notice] = hazards.notices;
    if (notice !== undefined) return this.#spoken(notice).text;
    return hazards.isNearClearance ? this.#say("pageNear") : "";
  }

  #limitTexts() {
    const { connection, hazards, positions, screenLock, sender, texts, units } = this.#options;
    return limits({
      answer: connection.last, isConnected: connection.isConnected, silence: connection.silence,
      fix: positions.last, fixAge: positions.age, isPositionRefused: positions.isRefused, delay: sender.delay,
      lag: hazards.lag, clockError: positions.error / 1000,
      left: hazards.left.map(({ clearance }) => clearance.name || signText(clearance.posted, clearance.height)),
      isScreenKeptOn: screenLock.isHeld,
    }, units, texts);
  }

  #tap() {
    const { connection, hazards } = this.#options;
    const shown = this.#shown;
    const now = performance.now();
    if (shown === undefined || now < this.#tapped.at + tapMilliseconds) return;
    if (!connection.isAcknowledged(shown.alert)) connection.acknowledge(shown.alert);
    this.#tapped = { at: now, worst: keyOf(hazards.alarms[0]) };
    this.update();
  }
}

/** @param {Hazard | undefined} hazard */
function keyOf(hazard) { return hazard === undefined ? "" : `${hazard.alert.id} ${hazard.stage}`; }
