import { element, fill } from "./element.js";

/**
 * Shows one view beside the map, as the address says after `#/`: `#/truck/T42`. So the browser's back button works, and a
 * view can be kept as a bookmark.
 */
export class Router {
  #panel;
  #links;
  #views;
  #shown = null;

  /**
   * @param views by their first word: `{heading, link?, open(word, heading) -> {element, close?}}`; those with `link` are in
   *   the navigation
   */
  constructor(panel, navigation, views) {
    this.#panel = panel;
    this.#views = views;
    this.#links = new Map(Object.entries(views).filter(([, view]) => view.link)
      .map(([name, view]) => [name, element("a", { href: `#/${name}` }, view.link)]));
    fill(navigation, ...this.#links.values());
    addEventListener("hashchange", () => this.show());
  }

  /** A count beside a link; empty: none. */
  count(name, text) {
    const link = this.#links.get(name);
    const { link: title } = this.#views[name];
    link.textContent = text === "" ? title : `${title} (${text})`;
  }

  show() {
    if (location.hash !== "" && !location.hash.startsWith("#/")) return; // a place on the page
    const [name, word] = location.hash.slice(2).split("/");
    const known = Object.hasOwn(this.#views, name) ? name : "alerts";
    const view = this.#views[known];
    const isFirst = this.#shown === null;
    this.#shown?.close?.();
    const heading = element("h2", { id: "panel-heading" }, view.heading);
    this.#shown = view.open(word === undefined ? null : decodeURIComponent(word), heading);
    fill(this.#panel, heading, this.#shown.element);
    this.#panel.scrollTop = 0;
    for (const [other, link] of this.#links) {
      if (other === (view.under ?? known)) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    // Who comes by keyboard or hears the page goes on where the new view begins.
    if (!isFirst && document.activeElement !== document.body) this.#panel.focus({ preventScroll: true });
  }
}

/** Where a view is found. */
export const viewAddress = (name, word) => (word === undefined ? `#/${name}` : `#/${name}/${encodeURIComponent(word)}`);
