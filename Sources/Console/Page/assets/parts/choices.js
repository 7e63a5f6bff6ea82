import { element, fill } from "./element.js";
import { choice } from "./form.js";

/** Units, theme, sound, and the token where there is one. */
export function showChoices(parent, { preferences, units, sound, tokens }) {
  const unitChoice = choice([["imperial", "ft, mi"], ["metric", "m, km"]], units.system);
  unitChoice.addEventListener("change", () => preferences.set("units", unitChoice.value));
  units.on("change", () => { unitChoice.value = units.system; });

  const themeChoice = choice([["auto", "system"], ["light", "light"], ["dark", "dark"]], preferences.get("theme") ?? "auto");
  themeChoice.addEventListener("change", () => preferences.set("theme", themeChoice.value));

  const soundBox = element("input", { type: "checkbox", id: "sound", checked: sound.isOn });
  soundBox.addEventListener("change", () => sound.turn(soundBox.checked));

  const forget = element("button", { type: "button", onclick: () => { tokens.forget(); location.reload(); } }, "Forget token");
  forget.hidden = tokens.token === null;
  tokens.on("change", () => { forget.hidden = tokens.token === null; });

  fill(parent,
    element("label", {}, "Units ", Object.assign(unitChoice, { id: "units" })),
    element("label", {}, "Colours ", Object.assign(themeChoice, { id: "theme" })),
    element("label", {}, soundBox, " Sound on stop"),
    forget);
}
