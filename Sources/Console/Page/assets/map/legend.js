import { element, fill } from "../parts/element.js";
import { dark, light } from "./palette.js";
import { drawSymbol, legend } from "./symbols.js";

/** What the symbols mean, to be opened. */
export function legendElement(theme) {
  const list = element("ul");
  const draw = () => fill(list, legend.map(([name, text]) => {
    const canvas = element("canvas", { width: 48, height: 48, "aria-hidden": "true" });
    drawSymbol(canvas, name, theme.isDark ? dark : light);
    return element("li", {}, canvas, text);
  }));
  draw();
  theme.on("change", draw);
  const whole = element("details", { class: "legend" }, element("summary", {}, "Legend"), list);
  whole.addEventListener("keydown", (event) => { if (event.key === "Escape") whole.open = false; });
  return whole;
}
