import { element, fill } from "../parts/element.js";
import { viewAddress } from "../parts/router.js";
import { timeElement } from "../parts/times.js";
import { verdictBadge } from "../views/badges.js";

/** What a click on the map opens; nothing while a fence is drawn. */
export function hearPicks(map, { units }) {
  map.on("pointer", (kind, event) => {
    if (kind !== "click" || map.isHeld) return;
    const feature = map.featureAt(event.point, layers);
    if (feature) actions[feature.layer.id](feature, map, units);
  });
}

const open = (name) => (feature) => { location.hash = viewAddress(name, feature.properties.id); };

const actions = {
  "trucks": open("truck"),
  "alert-points": (feature) => { location.hash = viewAddress("truck", feature.properties.vehicle); },
  "clearances": (feature, map, units) => map.popup(feature.geometry.coordinates, clearanceText(feature.properties, units)),
  "clusters": (feature, map) => map.goTo(feature.geometry.coordinates, map.zoom + 2),
  "fence-areas": open("fence"),
  "fence-corridors": open("fence"),
};

/** In this order: what lies on top is meant. */
const layers = Object.keys(actions);

function clearanceText({ posted, height, name, road, source, date, verdict, standing, id }, units) {
  const place = standing === "unsnapped" ? "on no road: judged by straight line" : null;
  const known = height !== undefined && height !== null;
  return fill(element("div"),
    element("strong", {}, known ? units.height(height) : "Height unknown"), " ", units.posted(height, posted), " ",
    verdictBadge(known ? verdict : "unknown"),
    element("p", {}, [name, road].filter(Boolean).join(", ") || id),
    element("p", { class: "small quiet" }, [source, place].filter(Boolean).join(" · "),
      date ? element("span", {}, " · ", /^\d{4}-\d\d-\d\dT/.test(date) ? timeElement(date) : date) : null));
}
