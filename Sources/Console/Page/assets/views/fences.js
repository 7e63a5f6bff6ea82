import { element } from "../parts/element.js";
import { field } from "../parts/form.js";
import { afterwards } from "../parts/pacing.js";
import { fenceLink } from "./badges.js";
import { Pages } from "./pages.js";

/** All fences, by id, and the way to a new one. */
export class FencesView {
  element;
  #off;

  constructor(parts) {
    const search = element("input", { type: "search", autocomplete: "off" });
    const pages = new Pages(parts.server, {
      list: element("ul", { class: "lines", "aria-label": "Fences" }),
      row,
      empty: "No fence here. Make one with the button above, or publish a GeoJSON Feature on headroom/fences/NAME.",
    });
    const show = () => pages.show("/fences", { q: search.value });
    search.addEventListener("input", afterwards(250, show));
    this.#off = parts.stream.on("map", () => pages.refresh());
    this.element = element("div", { class: "stack" },
      parts.status.mayEdit && element("p", {}, element("a", { href: "#/fence" }, "New fence")),
      field("Name", search), pages.element);
    show();
  }

  close() { this.#off(); }
}

function row({ id, name, kind, groups, vehicles, inside, origin }) {
  const whom = groups.length + vehicles.length === 0 ? "for all" : `for ${[...groups, ...vehicles].join(", ")}`;
  const count = inside === 1 ? "1 vehicle inside" : `${inside} vehicles inside`;
  return element("li", {}, fenceLink({ id, name }),
    element("p", { class: "small quiet" }, `${kind} · ${whom} · ${count} · ${origin === "file" ? "from a file" : "from dispatch"}`));
}
