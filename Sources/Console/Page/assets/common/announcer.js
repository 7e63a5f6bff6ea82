// @ts-check
import { stageText } from "../views/badges.js";
import { element, elementById } from "./dom.js";

/** @typedef {import("../fleet/open-alerts.js").OpenAlerts} OpenAlerts */
/** @typedef {import("../fleet/untaken-alerts.js").UntakenAlerts} UntakenAlerts */
/** @typedef {import("../types/api").Stage} Stage */
/** @typedef {import("./sound.js").Sound} Sound */

/** A screen reader has read a line by then. */
const lineMilliseconds = 15_000;

/**
 * Announces each alarm to screen readers; a stop and a passed bridge interrupt what is being read, and sound, once each, and
 * once more where nobody has answered. Notices are for the eye only.
 *
 * @param {OpenAlerts} alerts
 * @param {UntakenAlerts} untaken
 * @param {Sound} sound
 */
export function announceAlerts(alerts, untaken, sound) {
  const [polite, assertive] = [elementById("polite"), elementById("assertive")];
  /** @type {Set<string>} */
  const heard = new Set();
  const announce = (/** @type {{id: string, sequence: number, vehicle: string, stage: Stage, text: string, escalated_at?: string | null}} */
    { id, sequence, vehicle, stage, text, escalated_at: escalatedAt }) => {
    const key = `${id} ${sequence} ${escalatedAt ?? ""}`;
    if (heard.has(key)) return;
    heard.add(key);
    const isUrgent = stage === "stop" || stage === "passed";
    addLine(isUrgent ? assertive : polite, `${escalatedAt ? "No answer yet. " : ""}${vehicle}, ${stageText(stage).toLowerCase()}: ${text}`);
    if (isUrgent) sound.play();
  };
  alerts.on("message", (message) => {
    if (message.attention === "alarm") announce(message);
  });
  untaken.on("change", () => untaken.all.forEach(announce));
}

/**
 * Lines that come at one time are all read: none replaces another.
 *
 * @param {HTMLElement} region
 * @param {string} text
 */
function addLine(region, text) {
  const line = element("p", {}, text);
  region.append(line);
  setTimeout(() => line.remove(), lineMilliseconds);
}
