// @ts-check
import { element } from "../common/dom.js";
import { timeElement } from "../common/time.js";
import { fenceLink, stageBadge, truckLink } from "./badges.js";
import { explanationLink } from "./explanation.js";

/** @typedef {import("../types/api").FenceEvent} FenceEvent */
/** @typedef {import("../types/api").Handling} Handling */
/** @typedef {import("../types/api").LogMessage} LogMessage */
/** @typedef {import("../types/api").Visit} Visit */

/** @type {Record<Handling["status"], string>} */
const handlingTexts = { taken: "Alert taken by", closed: "Alert closed by", ended: "Alert ended while handled by" };

/** @type {Record<string, string>} */
const eventTexts = {
  inside: "Was already inside ", outside: "Was outside ", enter: "Entered ", exit: "Left ", dwell: "Stayed in ",
};

/**
 * One published message, or what a dispatcher did.
 *
 * @param {LogMessage} message
 */
export function logRow(message) {
  const stage = message.type === "low-clearance" ? message.stage : null;
  return element("li", { "data-stage": stage, "data-id": message.id },
    element("div", { class: "card-header" }, element("span", {}, truckLink(message.vehicle), " "), timeElement(message.time)),
    messageText(message));
}

/** @param {LogMessage} message */
function messageText(message) {
  switch (message.type) {
    case "low-clearance": return element("p", {},
      stageBadge(message.stage), " ", message.text, " ", explanationLink(message.vehicle, message.time));
    case "route-check": return element("p", {}, `Route checked: ${message.text}`);
    case "fence": return fenceEventText(message);
    case "visit": return visitText(message);
    case "handling": return element("p", {}, `${handlingTexts[message.status]} ${message.by}`, message.note && `: ${message.note}`);
    default: return null;
  }
}

/** @param {FenceEvent} message */
function fenceEventText({ event, state, fence, through, time, crossed_at: crossedAt }) {
  return element("p", {},
    eventTexts[event === "determined" ? state : event], fenceLink(fence), through && ", crossed between two positions",
    crossedAt.slice(0, 19) !== time.slice(0, 19) && element("span", {}, ", at ", timeElement(crossedAt)));
}

/** @param {Visit} visit */
function visitText({ phase, confirmed, arrival, departure, fences }) {
  const hasArrived = phase === "arrived";
  return element("p", {},
    hasArrived ? "Arrived at " : "Departed at ", timeElement(hasArrived ? arrival : departure, "an unknown time"),
    hasArrived ? confirmed === false && ", unconfirmed" : element("span", {}, ", arrived at ", timeElement(arrival, "an unknown time")),
    fences.length > 0 && `, in ${fences.join(", ")}`);
}
