// @ts-check
import { element, setChildren, setText } from "../common/dom.js";
import { download } from "../common/download.js";
import { errorMessage } from "../common/errors.js";
import { field } from "../common/form.js";
import { remembered } from "../common/remembered-input.js";
import { inputTime, timeElement } from "../common/time.js";
import { descriptionList, stageText, truckLink } from "./badges.js";

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
  ["alerts", "Alerts"], ["notices", "Notices"], ["stops", "Stops"], ["passed", "Passed"], ["cleared", "Cleared"],
  ["acknowledged", "Acknowledged"], ["taken", "Taken"],
];
/** Rows of a table, so that all fit on a sheet. */
const rowsMax = 20;

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
        field("From", this.#from, { hint: "Empty: a week before." }), field("Until", this.#to, { hint: "Empty: now." })),
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
    const { from, to, total, messages, lead, days, hours, bridges, vehicles, passes } = this.#report;
    const stages = /** @type {[Stage, number][]} */ (Object.entries(messages));
    const units = this.#units;
    setChildren(this.#content,
      element("p", {}, timeElement(from), " to ", timeElement(to)),
      table("All alerts", "", [["Total", total]]),
      descriptionList([
        ["Messages", stages.map(([stage, count]) => `${stageText(stage)} ${count}`).join(", ")],
        ["Told ahead", lead && `half of the drivers ${units.distance(lead.distance.median)} or ${Math.round(lead.time.median)} s `
          + `ahead or more, nine of ten ${units.distance(lead.distance.tenth)} or ${Math.round(lead.time.tenth)} s`],
        ["Blind time", "not kept by the gateway"],
      ]),
      element("div", { class: "report-tables" },
        days.length > 0 && table("Alerts by day", "Day (UTC)", days.map((day) => [day.day, day])),
        hours.length > 0 && table("Alerts by hour", "Hour (UTC)", hours.map((hour) => [`${hour.hour}:00`, hour])),
        bridges.length > 0 && table("Alerts by bridge", "Bridge", bridges.map((bridge) => [`${bridge.posted} ${bridge.name || bridge.id}`, bridge])),
        vehicles.length > 0 && table("Alerts by truck", "Truck", vehicles.map((vehicle) => [truckLink(vehicle.vehicle), vehicle]))),
      passes.length > 0 && element("section", {}, element("h3", {}, "Passed under a bridge that is too low"),
        element("ul", { class: "rows" }, passes.slice(0, rowsMax).map(({ time, vehicle, bridge }) =>
          element("li", {}, timeElement(time), " · ", truckLink(vehicle), ` · ${bridge.posted} ${bridge.name || bridge.id}`)),
        moreRow("li", passes.length))));
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
 */
function table(caption, heading, rows) {
  return element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, heading === "" ? element("td") : element("th", { scope: "col" }, heading),
      columns.map(([, name]) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, rows.slice(0, rowsMax).map(([name, counts]) => element("tr", {},
      element("th", { scope: "row" }, name), columns.map(([key]) => element("td", {}, String(counts[key])))))),
    rows.length > rowsMax && element("tfoot", {}, element("tr", {},
      element("td", { colspan: columns.length + 1 }, `and ${rows.length - rowsMax} more: see the CSV`))));
}

/**
 * @param {"li"} name of the element
 * @param {number} count
 */
const moreRow = (name, count) => count > rowsMax && element(name, {}, `and ${count - rowsMax} more`);
