// @ts-check
import { element, setChildren } from "../common/dom.js";
import { drawIcon } from "./icons.js";
import { paletteOf } from "./palette.js";

/** @typedef {import("../common/theme.js").Theme} Theme */
/** @typedef {import("./icons.js").IconName} IconName */

/** @type {[icon: IconName, text: string][]} */
const entries = [
  ["truck", "Truck with its direction"], ["truck-stopped", "Stationary truck"],
  ["truck-stale", "Truck without a position for a minute"],
  ["stage-ahead", "Alert: low bridge ahead"], ["stage-detour", "Alert: turn off"], ["stage-stop", "Alert: stop"],
  ["clearance-too-low", "Too low for the selected truck"], ["clearance-unknown", "Height unknown"],
  ["clearance-fits", "High enough"], ["clearance", "Clearance, no truck selected"],
  ["alert-point", "Where the driver was warned"], ["detour", "Last turn-off"],
];

/**
 * The legend of the map's icons, collapsed at first.
 *
 * @param {Theme} theme
 */
export function legendElement(theme) {
  const list = element("ul");
  const draw = () => setChildren(list, entries.map(([icon, text]) => {
    const canvas = element("canvas", { width: 48, height: 48, "aria-hidden": "true" });
    drawIcon(canvas, icon, paletteOf(theme));
    return element("li", {}, canvas, text);
  }));
  draw();
  theme.on("change", draw);
  const details = element("details", { class: "legend" }, element("summary", {}, "Legend"), list);
  details.addEventListener("keydown", (event) => { if (event.key === "Escape") details.open = false; });
  return details;
}
