// @ts-check
import { stageText } from "../views/badges.js";
import { element, elementById } from "./dom.js";

/** @typedef {import("../fleet/alert-sentences.js").AlertSentences} AlertSentences */
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
 * @param {{alerts: OpenAlerts, untaken: UntakenAlerts, sentences: AlertSentences, sound: Sound}} dependencies
 */
export function announceAlerts({ alerts, untaken, sentences, sound }) {
  const [polite, assertive] = [elementById("polite"), elementById("assertive")];
  /** @type {Set<string>} */
  const heard = new Set();
  const announce = async (
    /** @type {{id: string, sequence: number, vehicle: string, stage: Stage, escalated_at?: string | null}} */
    { id, sequence, vehicle, stage, escalated_at: escalatedAt }, /** @type {() => string | Promise<string>} */ sentence) => {
    const key = `${id} ${sequence} ${escalatedAt ?? ""}`;
    if (heard.has(key)) return;
    heard.add(key);
    const isUrgent = stage === "stop" || stage === "passed";
    if (isUrgent) sound.play();
    const text = await sentence();
    addLine(isUrgent ? assertive : polite, `${escalatedAt ? "No answer yet. " : ""}${vehicle}, ${stageText(stage).toLowerCase()}: ${text}`);
  };
  alerts.on("message", (message) => {
    if (message.attention === "alarm") announce(message, () => sentences.of(message));
  });
  untaken.on("change", () => untaken.all.forEach((alert) => announce(alert, () => sentences.ofUntaken(alert))));
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
