// @ts-check
import { element, setChildren } from "./dom.js";

/**
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {() => void} [close] ends timers and listeners
 */
/**
 * @typedef {object} Route
 * @property {string} heading
 * @property {string} [link] its text in the navigation; without it the route has no link
 * @property {string} [parent] name of the route whose link is marked as the current one
 * @property {(parameter: string | null, heading: HTMLElement) => View} open
 */

/**
 * Shows the view that the URL's fragment names: `#/truck/T42`. So the browser's history and bookmarks work. What stands behind a
 * question mark is the view's own.
 */
export class Router {
  /** @type {HTMLElement} */
  #panel;
  /** @type {Record<string, Route>} */
  #routes;
  /** @type {string} */
  #defaultName;
  /** @type {Map<string, HTMLAnchorElement>} */
  #links;
  /** @type {View | null} */
  #current = null;

  /**
   * @param {HTMLElement} panel where views are shown
   * @param {HTMLElement} navigation where links are shown
   * @param {Record<string, Route>} routes by name, which is the first segment of the fragment
   * @param {string} defaultName the route of an empty or unknown fragment
   */
  constructor(panel, navigation, routes, defaultName) {
    this.#panel = panel;
    this.#routes = routes;
    this.#defaultName = defaultName;
    this.#links = new Map(Object.entries(routes).filter(([, { link }]) => link)
      .map(([name, { link }]) => [name, element("a", { href: routeURL(name) }, link)]));
    setChildren(navigation, ...this.#links.values());
    addEventListener("hashchange", () => this.show());
  }

  /**
   * Shows a count beside a link.
   *
   * @param {string} name
   * @param {number | null} count null: none
   */
  setCount(name, count) {
    const link = this.#links.get(name);
    const { link: text = "" } = this.#routes[name];
    if (link) link.textContent = count === null ? text : `${text} (${count})`;
  }

  show() {
    const isAnchor = location.hash !== "" && !location.hash.startsWith("#/");
    const isFirst = this.#current === null;
    if (isAnchor && !isFirst) return;
    const [name, parameter] = location.hash.slice(2).split("?")[0].split("/");
    const known = Object.hasOwn(this.#routes, name) ? name : this.#defaultName;
    const route = this.#routes[known];
    const hadFocus = document.activeElement !== document.body;
    this.#current?.close?.();
    const heading = element("h2", { id: "panel-heading" }, route.heading);
    this.#current = route.open(parameter === undefined ? null : decoded(parameter), heading);
    setChildren(this.#panel, heading, this.#current.element);
    this.#panel.scrollTop = 0;
    this.#markLink(route.parent ?? known);
    // Keyboard and screen reader users continue at the start of the new view.
    if (!isFirst && hadFocus) this.#panel.focus({ preventScroll: true });
  }

  /** @param {string} current */
  #markLink(current) {
    for (const [name, link] of this.#links) {
      if (name === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }
}

/** @param {string} text of a URL; where its escapes are invalid, it stands for itself */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @param {string} name of the route
 * @param {string} [parameter]
 */
export const routeURL = (name, parameter) => (parameter === undefined ? `#/${name}` : `#/${name}/${encodeURIComponent(parameter)}`);
