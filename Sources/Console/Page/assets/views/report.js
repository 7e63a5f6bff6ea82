// @ts-check
import { element, setChildren, setText } from "../common/dom.js";
import { download } from "../common/download.js";
import { errorMessage } from "../common/errors.js";
import { field } from "../common/form.js";
import { remembered } from "../common/remembered-input.js";
import { dateTimeElement, inputTime, timeElement } from "../common/time.js";
import { blindSpotName, descriptionList, stageText, truckLink } from "./badges.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../common/dom.js").Child} Child */
/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../types/api").AlertCounts} AlertCounts */
/** @typedef {import("../types/api").Report} Report */
/** @typedef {import("../types/api").Stage} Stage */

/**
 * The columns of a table, with their headings.
 *
 * @type {[keyof AlertCounts, string][]}
 */
const columns = [
  ["alerts", "Alerts"], ["notices", "Notices"], ["stops", "Stops"], ["passed", "Passed under"], ["cleared", "Cleared"],
  ["acknowledged", "Acknowledged"], ["taken", "Taken"],
];
/** Rows of a table: days of a month. Paper has fewer of those that are by bridge or truck; `print.css` says how many. */
const rowsMax = 31;

/** What happened in a span of time; prints on one sheet. */
export class ReportView {
  element = element("div", { class: "stack report" });
  #client;
  #units;
  #from = remembered(element("input", { type: "datetime-local" }), "from");
  #to = remembered(element("input", { type: "datetime-local" }), "to");
  #note = element("p", { class: "note", role: "status" });
  #content = element("div", { class: "stack" });
  #removeListener;
  /** @type {Report | null} */
  #report = null;
  /** Counts requests, so that only the answer of the last one is shown. */
  #requestNumber = 0;

  /** @param {{client: ApiClient, units: Units}} options */
  constructor({ client, units }) {
    this.#client = client;
    this.#units = units;
    for (const control of [this.#from, this.#to]) control.addEventListener("change", () => this.#load());
    setChildren(this.element,
      element("div", { class: "fields no-print" },
        field("From", this.#from, { hint: "Leave empty for the last week." }), field("Until", this.#to, { hint: "Leave empty for now." })),
      element("div", { class: "row no-print" },
        element("button", { type: "button", class: "primary", onclick: () => print() }, "Print"),
        element("button", { type: "button", onclick: () => this.#download() }, "Download CSV")),
      this.#note, this.#content);
    this.#removeListener = units.on("change", () => this.#show());
    this.#load();
  }

  close() { this.#removeListener(); }

  get #span() { return { from: inputTime(this.#from), to: inputTime(this.#to) }; }

  async #load() {
    const number = this.#requestNumber += 1;
    this.#showNote("Loading…");
    try {
      /** @type {Report} */
      const report = await this.#client.get("/report", this.#span);
      if (number !== this.#requestNumber) return;
      this.#report = report;
      this.#showNote("");
      this.#show();
    } catch (error) {
      if (number === this.#requestNumber) this.#showNote(errorMessage(error));
    }
  }

  async #download() {
    try {
      await download(this.#client, "/report", { ...this.#span, format: "csv" }, "report.csv");
    } catch (error) {
      this.#showNote(errorMessage(error));
    }
  }

  #show() {
    if (this.#report === null) return;
    const { from, to, total, messages, lead, days, hours, bridges, vehicles, passes, blind_time: blind } = this.#report;
    const stages = /** @type {[Stage, number][]} */ (Object.entries(messages));
    const units = this.#units;
    setChildren(this.#content,
      element("p", {}, dateTimeElement(from), " to ", dateTimeElement(to)),
      table("All alerts", "", [["Total", total]]),
      element("p", { class: "hint no-print" }, "A notice is an alert without a tone, for a bridge that the truck will probably not come to."),
      descriptionList([
        ["Warnings by stage", stages.map(([stage, count]) => `${stageText(stage)} ${count}`).join(", ")],
        ["Warning distance", lead && `Half of the drivers were warned at least ${units.distance(lead.distance.median)} `
          + `(${Math.round(lead.time.median)} s) before the bridge; nine in ten at least ${units.distance(lead.distance.tenth)} `
          + `(${Math.round(lead.time.tenth)} s).`],
      ]),
      element("div", { class: "report-tables" },
        days.length > 0 && table("Alerts by day", "Day (UTC)", days.map((day) => [day.day, day])),
        hours.length > 0 && table("Alerts by hour", "Hour (UTC)", hours.map((hour) => [`${hour.hour}:00`, hour])),
        bridges.length > 0 && table("Alerts by bridge", "Bridge", bridges.map((bridge) => [`${bridge.posted} ${bridge.name || bridge.id}`, bridge]), "top"),
        vehicles.length > 0 && table("Alerts by truck", "Truck", vehicles.map((vehicle) => [truckLink(vehicle.vehicle), vehicle]), "top"),
        blind.length > 0 && blindTimeTable(blind),
        passes.length > 0 && element("section", {}, element("h3", {}, "Passed under a bridge that is too low"),
          element("ul", { class: "rows top" }, passes.slice(0, rowsMax).map(({ time, vehicle, bridge }) =>
            element("li", {}, timeElement(time), " · ", truckLink(vehicle), ` · ${bridge.posted} ${bridge.name || bridge.id}`)),
          moreRow("li", passes.length)))),
      element("p", { class: "print-only" }, "Bridges and trucks: the first ten of each. The CSV file has all."));
  }

  /** @param {string} text empty: hidden */
  #showNote(text) {
    setText(this.#note, text);
    this.#note.hidden = text === "";
  }
}

/**
 * @param {string} caption
 * @param {string} heading of the first column
 * @param {[Child, AlertCounts][]} rows
 * @param {"all" | "top"} printed which of the rows paper has
 */
function table(caption, heading, rows, printed = "all") {
  return scrollable(caption, element("table", { class: printed }, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, heading === "" ? element("td") : element("th", { scope: "col" }, heading),
      columns.map(([, name]) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, rows.slice(0, rowsMax).map(([name, counts]) => element("tr", {},
      element("th", { scope: "row" }, name), columns.map(([key]) => element("td", {}, String(counts[key])))))),
    rows.length > rowsMax && element("tfoot", {}, element("tr", {},
      element("td", { colspan: columns.length + 1 }, `and ${rows.length - rowsMax} more: the CSV file has all rows`)))));
}

/**
 * A table that is wider than the panel, with the keyboard, too.
 *
 * @param {string} caption
 * @param {HTMLElement} content
 */
const scrollable = (caption, content) =>
  element("div", { class: "scrollable", role: "region", tabindex: "0", "aria-label": caption }, content);

/** @param {Report["blind_time"]} rows */
function blindTimeTable(rows) {
  const headings = ["Truck", "Hours", "Because of"];
  const caption = "Trucks that were not warned for a while";
  return scrollable(caption, element("table", { class: "top" }, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, headings.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, rows.slice(0, rowsMax).map(({ vehicle, seconds, spots }) => element("tr", {},
      element("th", { scope: "row" }, truckLink(vehicle)), element("td", {}, hours(seconds)),
      element("td", {}, spots.map(({ spot, seconds: time }) => `${blindSpotName(spot)} ${hours(time)}`).join(", "))))),
    rows.length > rowsMax && element("tfoot", {}, element("tr", {},
      element("td", { colspan: headings.length }, `and ${rows.length - rowsMax} more: the CSV file has all rows`)))));
}

/** @param {number} seconds */
const hours = (seconds) => (seconds / 3600).toFixed(2);

/**
 * @param {"li"} name of the element
 * @param {number} count
 */
const moreRow = (name, count) => count > rowsMax && element(name, {}, `and ${count - rowsMax} more`);
