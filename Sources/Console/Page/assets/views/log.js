// @ts-check
import { element, setText } from "../common/dom.js";
import { download } from "../common/download.js";
import { errorMessage } from "../common/errors.js";
import { field, select } from "../common/form.js";
import { remembered } from "../common/remembered-input.js";
import { debounce } from "../common/scheduling.js";
import { inputTime } from "../common/time.js";
import { logRow } from "./log-row.js";
import { PagedList } from "./paged-list.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../types/api").LogMessage} LogMessage */
/** @typedef {import("../types/api").Query} Query */
/** @typedef {{path: string, query: Query, event: "alert" | "event" | "visit" | "handling"}} LogKind */
/** @typedef {{vehicle: string, fence: string, from: string | null, to: string | null}} LogFilter */

/**
 * Each kind with its path in the API and its event of the stream.
 *
 * @type {Record<string, LogKind>}
 */
const kinds = {
  alerts: { path: "/alerts", query: { state: "all" }, event: "alert" },
  events: { path: "/events", query: {}, event: "event" },
  visits: { path: "/visits", query: {}, event: "visit" },
  handling: { path: "/handling", query: {}, event: "handling" },
};
const inputDelay = 300;
const pageSize = 50;

/** Published messages, newest first. */
export class LogView {
  /** @type {HTMLElement} */
  element;
  /** @type {PagedList<LogMessage>} */
  #list;
  #client;
  #kind = remembered(
    select([["alerts", "Alerts"], ["events", "Fence events"], ["visits", "Visits"], ["handling", "Dispatch"]], "alerts"), "type");
  #truck;
  #fence = remembered(element("input", { autocomplete: "off" }), "fence");
  #from = remembered(element("input", { type: "datetime-local", step: "1" }), "from");
  #to = remembered(element("input", { type: "datetime-local", step: "1" }), "to");
  #downloadNote = element("p", { class: "note", role: "status", hidden: true });
  #removeListeners;

  /** @param {{client: ApiClient, stream: EventStream, vehicle: string | null}} options vehicle: null: all */
  constructor({ client, stream, vehicle }) {
    this.#client = client;
    this.#truck = remembered(element("input", { autocomplete: "off", value: vehicle }), "truck");
    this.#list = new PagedList({
      client,
      list: element("ol", { class: "rows", "aria-label": "Log, newest first" }),
      makeRow: logRow,
      emptyText: "No entries match. privacy.keep_events sets how long entries are kept.",
    });
    const show = () => this.#show();
    const showDebounced = debounce(show, inputDelay);
    for (const control of [this.#truck, this.#fence]) control.addEventListener("input", showDebounced);
    for (const control of [this.#kind, this.#from, this.#to]) control.addEventListener("change", show);
    this.#removeListeners = [stream.onGap(() => this.#list.refresh()), ...Object.values(kinds).map((kind) =>
      stream.on(kind.event, (/** @type {LogMessage} */ message) => this.#add(kind, message)))];
    this.element = element("div", { class: "stack" },
      element("div", { class: "fields" },
        field("Type", this.#kind, { isWide: true }), field("Truck", this.#truck),
        field("Fence", this.#fence, { hint: "Its id; for fence events." }),
        field("From", this.#from), field("Until", this.#to)),
      element("div", { class: "row" },
        element("button", { type: "button", onclick: () => this.#download() }, "Download CSV"),
        element("span", { class: "hint" }, "The newest 10,000 rows at most.")),
      this.#downloadNote, this.#list.element);
    this.#show();
  }

  close() { for (const remove of this.#removeListeners) remove(); }

  /** @returns {LogFilter} */
  get #filter() {
    return {
      vehicle: this.#truck.value.trim(), fence: this.#kind.value === "events" ? this.#fence.value.trim() : "",
      from: inputTime(this.#from), to: inputTime(this.#to),
    };
  }

  /** The newest rows: as many as the gateway gives at once. */
  async #download() {
    const { path, query } = kinds[this.#kind.value];
    this.#downloadNote.hidden = true;
    try {
      await download(
        this.#client, path, { ...query, ...this.#filter, order: "desc", format: "csv" }, `${this.#kind.value}.csv`);
    } catch (error) {
      this.#downloadNote.hidden = false;
      setText(this.#downloadNote, errorMessage(error));
    }
  }

  #show() {
    this.#fence.disabled = this.#kind.value !== "events";
    const { path, query } = kinds[this.#kind.value];
    this.#list.show(path, { ...query, ...this.#filter, order: "desc", limit: pageSize });
  }

  /**
   * @param {LogKind} kind
   * @param {LogMessage} message
   */
  #add(kind, message) {
    if (kinds[this.#kind.value] === kind && isIncluded(message, this.#filter)) this.#list.insert(message);
  }
}

/**
 * A filter by time shows the past only.
 *
 * @param {LogMessage} message
 * @param {LogFilter} filter
 */
function isIncluded(message, { vehicle, fence, from, to }) {
  const fenceId = message.type === "fence" ? message.fence.id : null;
  return (vehicle === "" || message.vehicle === vehicle) && (fence === "" || fenceId === fence)
    && from === null && to === null && message.type !== "route-check";
}
