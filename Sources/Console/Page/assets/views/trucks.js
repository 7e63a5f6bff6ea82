import { element } from "../parts/element.js";
import { field } from "../parts/form.js";
import { afterwards } from "../parts/pacing.js";
import { duration } from "../parts/times.js";
import { stageBadge, truckLink } from "./badges.js";
import { Pages } from "./pages.js";

/** All vehicles, by name. */
export class TrucksView {
  element;
  #timer;

  constructor(parts) {
    const search = element("input", { type: "search", autocomplete: "off" });
    const pages = new Pages(parts.server, {
      list: element("ul", { class: "lines", "aria-label": "Trucks" }),
      row: (truck) => row(truck, parts.units),
      empty: "No truck goes by that name, or none has reported yet: trucks publish their positions on fleet/NAME/location.",
    });
    const show = () => pages.show("/vehicles", { q: search.value });
    search.addEventListener("input", afterwards(250, show));
    this.#timer = setInterval(() => { if (!document.hidden) pages.refresh(); }, 10_000);
    this.element = element("div", { class: "stack" }, field("Name", search), pages.element);
    show();
  }

  close() { clearInterval(this.#timer); }
}

function row({ vehicle, age, speed, height, stage, blind, presence }, units) {
  const parts = [
    height ? `${units.height(height.value)}${height.status === "ok" ? "" : ` (${height.status})`}` : null,
    age === null ? "no position yet" : `${units.speed(speed)}, ${duration(age)} ago`,
    presence === "offline" ? "offline" : null,
    blind.length > 0 ? `blind: ${blind.join(", ")}` : null,
  ];
  return element("li", {},
    element("div", { class: "card-head" }, truckLink(vehicle), stage && stageBadge(stage)),
    element("p", { class: "small quiet" }, parts.filter(Boolean).join(" · ")));
}
