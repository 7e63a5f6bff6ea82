// @ts-check
import { signText } from "../assets/common/units.js";
import { plane } from "./geometry.js";

/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */
/** @typedef {import("./surrounding-roads.js").SurroundingRoads} SurroundingRoads */
/** @typedef {{lat: number, lon: number}} Place */

const namespace = "http://www.w3.org/2000/svg";
/** Of the picture, in its own units; the vehicle is at the bottom centre. */
const [width, height] = [100, 100];
const vehicle = { x: width / 2, y: height - 12 };
/** Metres from the vehicle to the top of the picture, at least, and what share of the picture the bridge and the turn-off take. */
const reachMin = 150;
const reachShare = 0.9;
/** Fixes of the vehicle's own track that are drawn. */
const trackCount = 120;

/** A plain map with the way ahead on top: the roads, the track, the way to the bridge, the last turn-off and the detour. */
export class MapView {
  #roads;
  #roadsDrawn = svg("g", { class: "roads" });
  #drawn = svg("g", {});
  element = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "map", role: "img" });
  /** @type {Place[]} */
  #track = [];
  #heading = 0;

  /** @param {SurroundingRoads} roads */
  constructor(roads) {
    this.#roads = roads;
    this.element.append(this.#roadsDrawn, this.#drawn);
    // The least first: a larger road is drawn over a smaller one.
    roads.on("change", () => this.#roadsDrawn.replaceChildren(
      ...[...roads.classes].reverse().map(({ roadClass, path }) => svg("path", { class: roadClass, d: path }))));
  }

  /** @param {DeviceFix} fix */
  move(fix) {
    this.#track = [...this.#track.slice(1 - trackCount), fix];
    if (fix.course !== null) this.#heading = fix.course;
  }

  /**
   * @param {OpenAlertAnswer | undefined} alert undefined: there is nothing to show
   * @param {string} title
   */
  show(alert, title) {
    const own = this.#track[this.#track.length - 1];
    // The picture has no room behind the vehicle.
    const isShown = alert !== undefined && own !== undefined && this.#seen(alert.clearance, own).ahead >= 0;
    this.element.toggleAttribute("hidden", !isShown);
    if (!isShown) return;
    this.element.setAttribute("aria-label", title);
    const { clearance, detour } = alert;
    const scale = this.#scale(detour === null ? [clearance] : [clearance, detour], own);
    this.#roads.want(own);
    this.#placeRoads(own, scale);
    const project = this.#projection(own, scale);
    const way = detour !== null && detour.distance > 0 ? [own, detour, clearance] : [own, clearance];
    this.#drawn.replaceChildren(
      line("way", way, project), line("track", this.#track, project),
      ...(detour === null ? [] : [line("way-round", detour.line.coordinates.map(([lon, lat]) => ({ lat, lon })), project)]),
      ...(detour === null ? [] : [dot("turn-off", detour, project)]),
      dot("bridge", clearance, project), label(signText(clearance.posted, clearance.height), clearance, project),
      svg("path", { class: "vehicle", d: `M${vehicle.x} ${vehicle.y - 6} l4 10 l-4 -2.5 l-4 2.5 z` }));
  }

  /**
   * Units of the picture in a metre, with which it has all of the places that are ahead.
   *
   * @param {Place[]} places
   * @param {Place} own
   */
  #scale(places, own) {
    const seen = places.map((place) => this.#seen(place, own)).filter(({ ahead }) => ahead >= 0);
    const metres = seen.map(({ ahead, right }) => Math.max(ahead / vehicle.y, Math.abs(right) / vehicle.x));
    return reachShare / Math.max(reachMin / vehicle.y, ...metres);
  }

  /**
   * Moves the roads, which are drawn once, to where they are as seen from the vehicle.
   *
   * @param {Place} own
   * @param {number} scale units of the picture in a metre
   */
  #placeRoads(own, scale) {
    const { origin } = this.#roads;
    if (origin === null) return;
    const { x, y } = plane(own, origin);
    this.#roadsDrawn.setAttribute("transform",
      `translate(${vehicle.x} ${vehicle.y}) scale(${scale.toPrecision(6)}) rotate(${-this.#heading}) translate(${-x} ${y})`);
  }

  /**
   * Metres ahead of the vehicle, and to its right.
   *
   * @param {Place} place
   * @param {Place} own
   */
  #seen(place, own) {
    const radians = (this.#heading * Math.PI) / 180;
    const [sine, cosine] = [Math.sin(radians), Math.cos(radians)];
    const { x, y } = plane(place, own);
    return { ahead: x * sine + y * cosine, right: x * cosine - y * sine };
  }

  /**
   * @param {Place} own
   * @param {number} scale units of the picture in a metre
   * @returns {(place: Place) => [number, number]}
   */
  #projection(own, scale) {
    return (place) => {
      const { ahead, right } = this.#seen(place, own);
      return [vehicle.x + scale * right, vehicle.y - scale * ahead];
    };
  }
}

/** @typedef {(place: Place) => [number, number]} Projection */

/**
 * @param {string} name
 * @param {Place[]} places
 * @param {Projection} project
 */
function line(name, places, project) {
  const points = places.map((place) => project(place).map((value) => value.toFixed(2)).join(",")).join(" ");
  return svg("polyline", { class: name, points });
}

/**
 * @param {string} name
 * @param {Place} place
 * @param {Projection} project
 */
function dot(name, place, project) {
  const [x, y] = project(place);
  return svg("circle", { class: name, cx: x.toFixed(2), cy: y.toFixed(2), r: "3" });
}

/**
 * @param {string} text
 * @param {Place} place
 * @param {Projection} project
 */
function label(text, place, project) {
  const [x, y] = project(place);
  const isRight = x > vehicle.x;
  const created = svg("text", {
    x: (x + (isRight ? -5 : 5)).toFixed(2), y: (y + 2).toFixed(2), "text-anchor": isRight ? "end" : "start",
  });
  created.textContent = text;
  return created;
}

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 */
function svg(name, attributes) {
  const created = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  return created;
}
