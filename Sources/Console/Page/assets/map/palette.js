/** Colours of the map; those of stages and verdicts are the page's. */
export const light = {
  ground: "#eef1f3", halo: "#ffffff", text: "#16202a", quiet: "#47535f",
  road: "#ffffff", casing: "#b4bec8", main: "#fdf3d0", mainCasing: "#c3a75a", low: "#a3001b",
  truck: "#0b4f94", old: "#5d6975", edge: "#ffffff",
  fence: "#5c1a8a", way: "#14602f", told: "#0b4f94", watched: "#00626e",
  stop: "#a3001b", detour: "#8a4200", ahead: "#6b5000", fits: "#14602f", neutral: "#47535f",
};

export const dark = {
  ground: "#1b232b", halo: "#10161c", text: "#e9eef3", quiet: "#b1bcc7",
  road: "#4d5a67", casing: "#11181f", main: "#7a6a3a", mainCasing: "#11181f", low: "#ff959a",
  truck: "#86bdff", old: "#9aa7b4", edge: "#10161c",
  fence: "#d9a8ff", way: "#86dba0", told: "#86bdff", watched: "#7fd6e3",
  stop: "#ff959a", detour: "#ffb574", ahead: "#f0d157", fits: "#86dba0", neutral: "#b1bcc7",
};
