import { element } from "../parts/element.js";
import { choice, field } from "../parts/form.js";
import { bboxText } from "../map/shapes.js";
import { afterwards } from "../parts/pacing.js";
import { verdictBadge } from "./badges.js";
import { Pages } from "./pages.js";

/** The clearances of the area, those of unknown height and those without a road among them. */
export class ClearancesView {
  element;
  #off;

  constructor(parts) {
    const { selection, map, units, stream } = parts;
    const search = element("input", { type: "search", autocomplete: "off" });
    const height = element("input", { autocomplete: "off", placeholder: "13'9\"", value: "" });
    const verdict = choice([["", "any"], ["too-low", "too low"], ["unknown", "unknown height"], ["fits", "fits"]], "");
    const standing = choice([["", "any"], ["in-force", "in force"], ["unsnapped", "on no road"], ["merged", "merged into another"]], "");
    const area = choice([["seen", "as the map shows"], ["all", "everywhere"]], map ? "seen" : "all");
    const body = element("tbody");
    element("table", {},
      element("caption", {}, "Clearances"),
      element("thead", {}, element("tr", {}, ["Height", "Where", "Standing"].map((name) => element("th", { scope: "col" }, name)))),
      body);
    const pages = new Pages(parts.server, {
      list: body, row: (item) => row(item, parts), focus: "button",
      empty: "No clearance is like that. Choose another area or fewer conditions; they come from road files, files and dispatch.",
    });
    const show = () => pages.show("/clearances", {
      q: search.value, standing: standing.value, verdict: isJudged() ? verdict.value : "",
      height: height.value.trim(), vehicle: height.value.trim() === "" ? selection.vehicle : null,
      bbox: area.value === "seen" && map ? bboxText(map.seen) : null,
    });
    const isJudged = () => height.value.trim() !== "" || selection.vehicle !== null;
    const fresh = () => {
      verdict.disabled = !isJudged();
      show();
    };
    const soon = afterwards(300, fresh);
    for (const control of [search, height]) control.addEventListener("input", soon);
    for (const control of [verdict, standing, area]) control.addEventListener("change", fresh);
    this.#off = [selection.on("change", fresh), units.on("change", fresh), stream.on("map", soon)];
    if (map) this.#off.push(map.on("moved", () => { if (area.value === "seen") soon(); }));
    const whom = selection.vehicle === null ? "Empty: nobody's." : `Empty: that of ${selection.vehicle}.`;
    this.element = element("div", { class: "stack" },
      element("div", { class: "fields" },
        field("Name or road", search),
        field("For a height of", height, { hint: whom }),
        field("Verdict", verdict, { hint: "For a height or a chosen truck." }),
        field("Standing", standing),
        field("Area", area, { wide: true })),
      pages.element);
    fresh();
  }

  close() { for (const off of this.#off) off(); }
}

const standings = { "in-force": "in force", unsnapped: "on no road: judged by straight line", merged: "merged into a lower one" };

function row(item, { units, map }) {
  const sign = units.height(item.height);
  const name = item.name || item.road || item.id;
  const goThere = () => map.goTo([item.lon, item.lat], 16);
  const show = element("button", { type: "button", disabled: !map, "aria-label": `Show ${sign}, ${name}`, onclick: goThere }, sign);
  const road = item.road === name ? null : item.road;
  const source = [units.posted(item.height, item.posted), road, item.source, item.date, item.id].filter(Boolean).join(" · ");
  return element("tr", {},
    element("td", {}, show, " ", verdictBadge(item.height === null ? "unknown" : item.verdict)),
    element("td", {}, name, element("div", { class: "quiet" }, source)),
    element("td", {}, standings[item.standing] ?? item.standing));
}
