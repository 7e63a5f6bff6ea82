import { element } from "../parts/element.js";

const folder = "/assets/maplibre";

/** MapLibre, as the gateway's machine has it: nothing is fetched from elsewhere. Rejects where it cannot be loaded. */
export async function loadLibrary() {
  await Promise.all([
    loaded(element("link", { rel: "stylesheet", href: `${folder}/maplibre-gl.css` }), true),
    loaded(element("script", { src: `${folder}/maplibre-gl.js` })),
  ]);
  return globalThis.maplibregl;
}

/** The page's own sheets win over the library's: that one goes before them. */
function loaded(part, isFirst = false) {
  return new Promise((resolve, reject) => {
    part.addEventListener("load", resolve);
    part.addEventListener("error", () => reject(new Error("The map library cannot be loaded.")));
    if (isFirst) document.head.prepend(part);
    else document.head.append(part);
  });
}
