// @ts-check

/**
 * Colours of the map; those of stages and verdicts are the same as in style/colours.css.
 *
 * @typedef {typeof light} Palette
 */

const light = {
  background: "#eef1f3", halo: "#ffffff", text: "#16202a", mutedText: "#47535f",
  road: "#ffffff", roadCasing: "#b4bec8", mainRoad: "#fdf3d0", mainRoadCasing: "#c3a75a", lowRoad: "#a3001b",
  farMainRoad: "#a8842a", farRoad: "#98a4b0",
  builtUp: "#e0dfe4", wood: "#cfe3cb", water: "#a9cde6", railway: "#77717f", border: "#8a6f9c", place: "#2c3844",
  truck: "#0b4f94", staleTruck: "#5d6975", outline: "#ffffff",
  fence: "#5c1a8a", detourLine: "#14602f", alertPoint: "#0b4f94", region: "#00626e", way: "#8f1f6e",
  stop: "#a3001b", detour: "#8a4200", ahead: "#6b5000", fits: "#14602f", neutral: "#47535f",
};

/** @type {Palette} */
const dark = {
  background: "#1b232b", halo: "#10161c", text: "#e9eef3", mutedText: "#b1bcc7",
  road: "#4d5a67", roadCasing: "#11181f", mainRoad: "#7a6a3a", mainRoadCasing: "#11181f", lowRoad: "#ff959a",
  farMainRoad: "#b39b58", farRoad: "#66747f",
  builtUp: "#262e37", wood: "#1d3127", water: "#143450", railway: "#7d7789", border: "#8f7aa3", place: "#d4dce4",
  truck: "#86bdff", staleTruck: "#9aa7b4", outline: "#10161c",
  fence: "#d9a8ff", detourLine: "#86dba0", alertPoint: "#86bdff", region: "#7fd6e3", way: "#f2a0d8",
  stop: "#ff959a", detour: "#ffb574", ahead: "#f0d157", fits: "#86dba0", neutral: "#b1bcc7",
};

/**
 * @param {{isDark: boolean}} theme
 * @returns {Palette}
 */
export const paletteOf = ({ isDark }) => (isDark ? dark : light);
