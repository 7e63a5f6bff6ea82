// @ts-check
import { element, setChildren, setText } from "../assets/common/dom.js";
import { limits } from "./limits.js";
import { distanceBetween } from "./positions.js";

/** @typedef {import("../assets/common/units.js").Units} Units */
/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */
/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {import("./positions.js").Positions} Positions */
/** @typedef {import("./screen-lock.js").ScreenLock} ScreenLock */

/**
 * @typedef {object} DriveScreenOptions
 * @property {Connection} connection
 * @property {Positions} positions
 * @property {ScreenLock} screenLock
 * @property {Units} units
 * @property {() => void} onStopSharing
 */

/** The stages that are shown, the worst first. */
const stages = ["stop", "detour", "ahead"];
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
      this.#headline, this.#distance, this.#text, this.#acknowledge, this.#notice, this.#limits,
      element("div", { class: "row footer" }, this.#height, this.#stopSharing));
    this.update();
  }

  /** The open alarms, the worst and nearest first. */
  get alarms() { return this.#shown("alarm"); }

  update() {
    const [alarm] = this.alarms;
    const [notice] = this.#shown("notice");
    const texts = this.#limitTexts((alarm ?? notice) !== undefined);
    if (alarm === undefined) this.#showCalm(texts.length === 0);
    else this.#showAlarm(alarm);
    this.#notice.hidden = alarm !== undefined || notice === undefined;
    if (notice !== undefined) setText(this.#notice, notice.text_now);
    if (texts.join("\n") !== [...this.#limits.children].map((line) => line.textContent).join("\n")) {
      setChildren(this.#limits, texts.map((text) => element("li", {}, text)));
    }
    const height = this.#options.connection.last?.height;
    setText(this.#height, height ? `Height ${this.#options.units.height(height.value)}` : "Height not known");
  }

  /** @param {OpenAlertAnswer} alarm */
  #showAlarm(alarm) {
    const { connection, units } = this.#options;
    this.element.dataset.stage = alarm.stage;
    setText(this.#headline, headlines[alarm.stage]);
    const metres = this.#metres(alarm);
    this.#distance.hidden = metres === null;
    setText(this.#distance, units.distance(metres));
    this.#text.hidden = false;
    // Without the gateway its sentence grows old: the distance above it alone counts on.
    setText(this.#text, connection.isConnected ? alarm.text_now : `${alarm.text_now} (before the connection was lost)`);
    this.#acknowledge.hidden = connection.isAcknowledged(alarm);
  }

  /** @param {boolean} isWatching */
  #showCalm(isWatching) {
    delete this.element.dataset.stage;
    setText(this.#headline, isWatching ? "Watching for low bridges" : "Not all is watched");
    for (const part of [this.#distance, this.#text, this.#acknowledge]) part.hidden = true;
  }

  /**
   * Metres to the bridge: along the road as the gateway says, without it in a straight line from where the phone is, which
   * is never more.
   *
   * @param {OpenAlertAnswer} alarm
   */
  #metres({ clearance, now }) {
    const { connection, positions } = this.#options;
    if (connection.isConnected) return now?.distance ?? null;
    return positions.last === null ? null : distanceBetween(positions.last, clearance);
  }

  /** @param {"alarm" | "notice"} attention */
  #shown(attention) {
    const alerts = this.#options.connection.last?.alerts ?? [];
    return alerts.filter((alert) => alert.attention === attention && stages.includes(alert.stage))
      .sort((one, other) => stages.indexOf(one.stage) - stages.indexOf(other.stage) || one.distance - other.distance);
  }

  /** @param {boolean} hasAlert */
  #limitTexts(hasAlert) {
    const { connection, positions, screenLock } = this.#options;
    return limits({
      answer: connection.last, isConnected: connection.isConnected, silence: connection.silence,
      fix: positions.last, fixAge: positions.age, isPositionRefused: positions.isRefused, hasAlert,
      isScreenKeptOn: screenLock.isHeld,
    });
  }

  #tap() {
    const { connection } = this.#options;
    for (const alarm of this.alarms) if (!connection.isAcknowledged(alarm)) connection.acknowledge(alarm);
    this.update();
  }
}
