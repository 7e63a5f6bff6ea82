// @ts-check
import { element, setChildren } from "../common/dom.js";
import { routeURL } from "../common/router.js";
import { timeElement } from "../common/time.js";
import { placeNames, sourceText, standingText, verdictBadge } from "../views/badges.js";
import { clickableLayers } from "./overlay-layers.js";

/** @typedef {import("../common/units.js").Units} Units */
/** @typedef {import("../types/api").ClearanceProperties} ClearanceProperties */
/** @typedef {import("../types/geojson").Point} Point */
/** @typedef {import("../types/maplibre").RenderedFeature} RenderedFeature */
/** @typedef {import("./map.js").FleetMap} FleetMap */

/**
 * Opens what is clicked on the map, except while a fence is drawn.
 *
 * @param {FleetMap} map
 * @param {Units} units
 */
export function addClickActions(map, units) {
  const actions = clickActions(map, units);
  map.on("pointer", ({ type, point }) => {
    if (type !== "click" || map.isLocked) return;
    const feature = map.featureAt(point, clickableLayers);
    if (feature) actions[feature.layer.id](feature);
  });
}

/**
 * By layer.
 *
 * @param {FleetMap} map
 * @param {Units} units
 * @returns {Record<string, (feature: RenderedFeature) => void>}
 */
function clickActions(map, units) {
  return {
    "trucks": (feature) => openView("truck", property(feature, "id")),
    "alert-points": (feature) => openView("truck", property(feature, "vehicle")),
    "clearances": (feature) => map.showPopup(positionOf(feature), clearanceElement(feature, units)),
    "fence-areas": (feature) => openView("fence", property(feature, "id")),
    "fence-corridors": (feature) => openView("fence", property(feature, "id")),
  };
}

/**
 * @param {string} view
 * @param {string} id
 */
function openView(view, id) { location.hash = routeURL(view, id); }

/**
 * @param {RenderedFeature} feature
 * @param {string} name
 */
const property = ({ properties }, name) => String(Object.entries(properties).find(([key]) => key === name)?.[1]);

/** @param {RenderedFeature} feature of a layer of points */
const positionOf = ({ geometry }) => /** @type {Point} */ (geometry).coordinates;

/**
 * @param {RenderedFeature} feature
 * @param {Units} units
 */
function clearanceElement(feature, units) {
  const { id, posted, height, name, road, source, date, verdict, standing } =
    /** @type {ClearanceProperties & {id: string}} */ (feature.properties);
  // MapLibre leaves out properties that are null.
  const isKnown = height !== undefined && height !== null;
  const status = standing === "unsnapped" ? standingText(standing) : null;
  return setChildren(element("div"),
    element("strong", {}, isKnown ? units.height(height) : "Height unknown"), " ", units.posted(height, posted), " ",
    verdictBadge(isKnown ? verdict : "unknown"),
    element("p", {}, element("a", { href: routeURL("clearance", id) }, placeNames(name, road) || id)),
    element("p", { class: "small muted" }, [sourceText(source), status].filter(Boolean).join(" · "),
      date && element("span", {}, " · ", /^\d{4}-\d\d-\d\dT/.test(date) ? timeElement(date) : date)));
}
