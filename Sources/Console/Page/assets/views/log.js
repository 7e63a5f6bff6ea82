import { element } from "../parts/element.js";
import { choice, field } from "../parts/form.js";
import { afterwards } from "../parts/pacing.js";
import { momentOf } from "../parts/times.js";
import { logRow } from "./log-row.js";
import { Pages } from "./pages.js";

/** By kind: where the API has it, and which event of the stream adds to it. */
const kinds = {
  alerts: { path: "/alerts", query: { state: "all" }, live: "alert" },
  events: { path: "/events", query: {}, live: "event" },
  visits: { path: "/visits", query: {}, live: "visit" },
};

/** What happened, the newest first; what happens now comes on top. */
export class LogView {
  element;
  #off;

  /** @param vehicle whose log it is; null: all */
  constructor(parts, vehicle) {
    const kind = choice([["alerts", "Alerts"], ["events", "Fence events"], ["visits", "Visits"]], "alerts");
    const truck = element("input", { autocomplete: "off", value: vehicle ?? "" });
    const fence = element("input", { autocomplete: "off" });
    const from = element("input", { type: "datetime-local", step: "1" });
    const to = element("input", { type: "datetime-local", step: "1" });
    const pages = new Pages(parts.server, {
      list: element("ol", { class: "lines", "aria-label": "Log, newest first" }),
      row: logRow,
      empty: "Nothing of the kind is in the log. Events are kept as long as privacy.keep_events says.",
    });
    const filter = () => ({
      vehicle: truck.value.trim(), fence: kind.value === "events" ? fence.value.trim() : "", from: momentOf(from), to: momentOf(to),
    });
    const show = () => {
      fence.disabled = kind.value !== "events";
      const { path, query } = kinds[kind.value];
      pages.show(path, { ...query, ...filter(), order: "desc", limit: 50 });
    };
    for (const control of [truck, fence]) control.addEventListener("input", afterwards(300, show));
    for (const control of [kind, from, to]) control.addEventListener("change", show);
    this.#off = Object.values(kinds).map(({ live }) => parts.stream.on(live, (message) => {
      if (kinds[kind.value].live === live && isWanted(message, filter())) pages.prepend(message);
    }));
    this.element = element("div", { class: "stack" },
      element("div", { class: "fields" },
        field("Of what", kind, { wide: true }), field("Truck", truck), field("Fence", fence, { hint: "Its id; for fence events." }),
        field("From", from), field("Until", to)),
      pages.element);
    show();
  }

  close() { for (const off of this.#off) off(); }
}

/** A filter by time is for what has been. */
function isWanted(message, { vehicle, fence, from, to }) {
  return (vehicle === "" || message.vehicle === vehicle) && (fence === "" || message.fence?.id === fence)
    && from === null && to === null && message.type !== "route-check";
}
