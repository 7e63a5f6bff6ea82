// @ts-check
import { element } from "../common/dom.js";
import { field, select } from "../common/form.js";
import { remembered } from "../common/remembered-input.js";
import { debounce } from "../common/scheduling.js";
import { formatDuration } from "../common/time.js";
import { blindSpotName, stageBadge, stageText, truckLink } from "./badges.js";
import { PagedList } from "./paged-list.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../types/api").VehicleSummary} VehicleSummary */

const inputDelay = 250;
const refreshMilliseconds = 10_000;
/**
 * Of an open alert, the worst first.
 *
 * @type {import("../types/api").Stage[]}
 */
const alertStages = ["stop", "detour", "ahead"];

/** All vehicles by id. */
export class TrucksView {
  /** @type {HTMLElement} */
  element;
  #timer;

  /** @param {{client: ApiClient, units: Units}} options */
  constructor({ client, units }) {
    const search = remembered(element("input", { type: "search", autocomplete: "off" }), "search");
    const group = remembered(element("input", { autocomplete: "off" }), "group");
    const stage = remembered(
      select([["", "any"], ...alertStages.map((name) => /** @type {[string, string]} */ ([name, stageText(name)]))], ""), "alert");
    const list = new PagedList({
      client,
      list: element("ul", { class: "rows", "aria-label": "Trucks" }),
      makeRow: (/** @type {VehicleSummary} */ truck) => truckRow(truck, units),
      emptyText: "No truck matches, or none has reported yet: trucks publish their positions on fleet/NAME/location.",
    });
    const show = () => list.show("/vehicles", { q: search.value, group: group.value.trim(), stage: stage.value });
    for (const control of [search, group]) control.addEventListener("input", debounce(show, inputDelay));
    stage.addEventListener("change", show);
    this.#timer = setInterval(() => { if (!document.hidden) list.refresh(); }, refreshMilliseconds);
    this.element = element("div", { class: "stack" },
      element("div", { class: "fields" },
        field("Name, bridge, street or fence", search, { isWide: true }), field("Group", group), field("Open alert", stage)),
      list.element);
    show();
  }

  close() { clearInterval(this.#timer); }
}

/** @type {Record<import("../types/api").Height["status"], string>} */
const heightStatusNames = { ok: "", stale: ", expired", assumed: ", assumed" };

/**
 * @param {VehicleSummary} truck
 * @param {Units} units
 */
function truckRow({ vehicle, age, speed, height, stage, blind, presence }, units) {
  const details = [
    height ? `${units.height(height.value)}${heightStatusNames[height.status]}` : null,
    age === null ? "no position yet" : `${units.speed(speed)}, ${formatDuration(age)} ago`,
    presence === "offline" ? "offline" : null,
    ...blind.map(blindSpotName),
  ];
  return element("li", {},
    element("div", { class: "card-header" }, truckLink(vehicle), stage && stageBadge(stage)),
    element("p", { class: "small muted" }, details.filter(Boolean).join(" · ")));
}
