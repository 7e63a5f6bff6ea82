import { element } from "../parts/element.js";
import { viewAddress } from "../parts/router.js";

const stageWords = { ahead: "Ahead", detour: "Leave here", stop: "Stop", passed: "Passed under it", cleared: "Cleared" };
const verdictWords = { "too-low": "Too low", unknown: "Unknown", fits: "Fits" };

export const stageBadge = (stage) => element("span", { class: "stage", "data-stage": stage }, stageWords[stage] ?? stage);

export const verdictBadge = (verdict) =>
  (verdict ? element("span", { class: "verdict", "data-verdict": verdict }, verdictWords[verdict] ?? verdict) : null);

export const truckLink = (vehicle) => element("a", { href: viewAddress("truck", vehicle) }, vehicle);

export const fenceLink = ({ id, name }) => element("a", { href: viewAddress("fence", id) }, name || id);

/** What cannot be seen of a vehicle, for people. */
export const blindWords = {
  "off-network": "It is on no road that is known.",
  "stale-position": "Its position is old.",
  "no-clearance-data": "No clearances are known where it is.",
  "no-consent": "It has not allowed its position to be used.",
  "clock-skew": "Its clock is wrong by more than a minute.",
};

/** Pairs of a name and what it is, without those that are null. */
export function facts(pairs) {
  return element("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null)
    .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}
