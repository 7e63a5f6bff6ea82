// @ts-check
import { element } from "../common/dom.js";

const folder = "/assets/maplibre";

/**
 * Loads MapLibre from the gateway: the page requests nothing from other hosts.
 *
 * @returns {Promise<import("../types/maplibre").MapLibre>}
 */
export async function loadMapLibre() {
  const style = element("link", { rel: "stylesheet", href: `${folder}/maplibre-gl.css` });
  const script = element("script", { src: `${folder}/maplibre-gl.js` });
  const loads = [loaded(style), loaded(script)];
  // The page's own style sheets come later, so that they override the library's.
  document.head.prepend(style);
  document.head.append(script);
  await Promise.all(loads);
  return globalThis.maplibregl;
}

/**
 * @param {HTMLElement} resource
 * @returns {Promise<void>}
 */
function loaded(resource) {
  return new Promise((resolve, reject) => {
    resource.addEventListener("load", () => resolve());
    resource.addEventListener("error", () => reject(new Error("The map library cannot be loaded.")));
  });
}
