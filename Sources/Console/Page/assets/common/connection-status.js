// @ts-check
import { element, setChildren, setText } from "./dom.js";
import { timeElement } from "./time.js";

/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../fleet/status.js").Status} Status */
/** @typedef {import("../types/api").GatewayStatus} GatewayStatus */

/** Shows whether the page is live, since when the connection is lost, or why the gateway is not ready. */
export class ConnectionStatus {
  /** @type {HTMLElement} */
  #line;
  /** @type {HTMLElement} */
  #banner;
  /** @type {EventStream} */
  #stream;
  /** @type {Status} */
  #status;
  /** @type {string | null} */
  #lastPulse = null;

  /**
   * @param {HTMLElement} line always shown
   * @param {HTMLElement} banner shown only while something is wrong
   * @param {EventStream} stream
   * @param {Status} status
   */
  constructor(line, banner, stream, status) {
    this.#line = line;
    this.#banner = banner;
    this.#stream = stream;
    this.#status = status;
    stream.on("pulse", ({ time }) => { this.#lastPulse = time; });
    stream.on("state", () => this.#show());
    status.on("change", () => this.#show());
  }

  #show() {
    const { state } = this.#stream;
    const status = this.#status.value;
    if (state === "lost") this.#showLost();
    else if (state === "connecting") this.#set("connecting", "Connecting…", null);
    else if (status?.broker_connected === false) {
      this.#set("unready", "Live", "The gateway has no connection to its broker: it receives no positions and sends no alerts.");
    } else if (status?.ready === false) {
      this.#set("unready", "Live", `The gateway is not ready. ${status.problems.join(" ")}`.trim());
    } else this.#set("live", `Live${degradationText(status)}`, null, status?.degraded);
  }

  #showLost() {
    if (this.#line.dataset.state === "lost") return;
    this.#line.dataset.state = "lost";
    setText(this.#line, "Connection lost");
    setChildren(this.#banner, "No connection to the gateway: the page shows the state as of ",
      timeElement(this.#lastPulse, "its start"), ". It reconnects automatically.");
    this.#banner.hidden = false;
  }

  /**
   * @param {string} state
   * @param {string} text
   * @param {string | null} problem
   * @param {string[]} degraded
   */
  #set(state, text, problem, degraded = []) {
    this.#line.dataset.state = state;
    this.#line.title = degraded.join("; ");
    setText(this.#line, text);
    this.#banner.hidden = problem === null;
    if (problem !== null) setText(this.#banner, problem);
  }
}

/**
 * What is degraded though the gateway is ready, in short; the tooltip has it in full.
 *
 * @param {GatewayStatus | null} status
 */
function degradationText(status) {
  if (status === null) return "";
  if (status.retained_missing > 0) return `; the broker has lost ${status.retained_missing} retained messages`;
  return status.degraded.length > 0 ? "; the broker has limits" : "";
}

/**
 * Shown instead of a view where the page cannot start.
 *
 * @param {string} message
 */
export function startupError(message) {
  return element("div", { class: "stack" },
    element("p", {}, message),
    element("button", { type: "button", class: "primary", onclick: () => location.reload() }, "Try again"));
}
