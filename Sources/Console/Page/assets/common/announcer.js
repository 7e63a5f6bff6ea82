// @ts-check
import { elementById, setText } from "./dom.js";

/** @typedef {import("../fleet/open-alerts.js").OpenAlerts} OpenAlerts */
/** @typedef {import("./sound.js").Sound} Sound */

/**
 * Announces each alert message to screen readers; a stop interrupts what is being read, and sounds.
 *
 * @param {OpenAlerts} alerts
 * @param {Sound} sound
 */
export function announceAlerts(alerts, sound) {
  const polite = elementById("polite");
  const assertive = elementById("assertive");
  alerts.on("message", ({ vehicle, stage, text }) => {
    setText(stage === "stop" ? assertive : polite, `${vehicle}, ${stage}: ${text}`);
    if (stage === "stop") sound.play();
  });
}
