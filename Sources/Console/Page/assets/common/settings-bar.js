// @ts-check
import { element, setChildren, setText } from "./dom.js";
import { select } from "./form.js";
import { promptForText } from "./text-prompt.js";

/** @typedef {import("../api/auth-token.js").AuthToken} AuthToken */
/** @typedef {import("./preferences.js").Preferences} Preferences */
/** @typedef {import("./sound.js").Sound} Sound */
/** @typedef {import("./units.js").Units} Units */

/**
 * Shows the controls for units, theme and sound, and buttons for the user's name and to forget the token where
 * there is one.
 *
 * @param {HTMLElement} parent
 * @param {{preferences: Preferences, units: Units, sound: Sound, token: AuthToken}} dependencies
 */
export function showSettings(parent, { preferences, units, sound, token }) {
  const unitSelect = select([["imperial", "ft, mi"], ["metric", "m, km"]], units.system, { id: "units" });
  unitSelect.addEventListener("change", () => preferences.set("units", unitSelect.value));
  units.on("change", () => { unitSelect.value = units.system; });

  const theme = preferences.get("theme") ?? "auto";
  const themeSelect = select([["auto", "system"], ["light", "light"], ["dark", "dark"]], theme, { id: "theme" });
  themeSelect.addEventListener("change", () => preferences.set("theme", themeSelect.value));

  const soundBox = element("input", { type: "checkbox", id: "sound", checked: sound.isEnabled });
  soundBox.addEventListener("change", () => sound.setEnabled(soundBox.checked));

  // The touch itself lets the sound play.
  const blocked = element("button", { type: "button" }, "Sound is blocked: click here");
  const showBlocked = () => { blocked.hidden = !sound.isBlocked; };
  sound.on("change", showBlocked);
  showBlocked();

  const forget = element("button", { type: "button", onclick: () => { token.forget(); location.reload(); } }, "Forget token");
  forget.hidden = token.value === null;
  token.on("change", () => { forget.hidden = token.value === null; });

  const name = element("button", { type: "button", onclick: async () => {
    const entered = await promptForText({
      heading: "Your name", label: "Name", action: "Save", maxLength: 100, value: preferences.get("name") ?? "", isRequired: true,
    });
    if (entered !== null) preferences.set("name", entered);
  } });
  const showName = () => {
    name.hidden = preferences.get("name") === null;
    setText(name, `Name: ${preferences.get("name")}`);
  };
  preferences.on("name", showName);
  showName();

  setChildren(parent,
    element("label", {}, "Units ", unitSelect),
    element("label", {}, "Theme ", themeSelect),
    element("label", {}, soundBox, " Sound on stop and passed bridges"),
    forget,
    name,
    blocked);
}
