import { element } from "../parts/element.js";
import { timeElement } from "../parts/times.js";
import { fenceLink, stageBadge, truckLink } from "./badges.js";

/** One line of the log: what was published, for people. */
export function logRow(message) {
  const moment = message.crossed_at ?? message.time;
  const stage = message.type === "low-clearance" ? message.stage : null;
  return element("li", { "data-stage": stage, "data-id": message.id },
    element("div", { class: "card-head" }, element("span", {}, truckLink(message.vehicle), " "), timeElement(moment)),
    contents[message.type]?.(message) ?? element("p", {}, message.type));
}

const contents = {
  "low-clearance": ({ stage, text }) => element("p", {}, stageBadge(stage), " ", text ?? ""),
  "route-check": ({ clearances }) => element("p", {}, `Route checked: ${clearances.length} too low on the way.`),
  fence: ({ event, state, fence, through }) => element("p", {},
    event === "determined" ? `found ${state} ` : `${event} `, fenceLink(fence), through ? ", passed between two positions" : ""),
  visit: ({ phase, confirmed, arrival, departure, fences }) => element("p", {},
    `${phase}${confirmed === false && phase === "arrived" ? ", unconfirmed" : ""}: `, timeElement(arrival, "unknown"), " to ", timeElement(departure, "not yet known"),
    fences?.length ? `, in ${fences.join(", ")}` : ""),
};
