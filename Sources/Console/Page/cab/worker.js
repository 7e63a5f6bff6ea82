// @ts-check
// Keeps the driver's page, so that it opens without coverage. What the server has counts; the copy is used where it is not reached.

const cacheName = "headroom-cab";
const files = [
  "/cab", "/cab/acknowledgements.js", "/cab/alarm.js", "/cab/approach.js", "/cab/cab-client.js", "/cab/cab.css", "/cab/cab.js",
  "/cab/connection.js", "/cab/database.js", "/cab/drive-screen.js", "/cab/event-stream.js", "/cab/fix-queue.js",
  "/cab/fix-sender.js", "/cab/geometry.js", "/cab/hazard-watch.js", "/cab/heading.js", "/cab/limits.js",
  "/cab/manifest.webmanifest", "/cab/map-view.js", "/cab/pairing.js", "/cab/positions.js", "/cab/report-plan.js", "/cab/screen-lock.js",
  "/cab/start-screen.js", "/cab/surrounding-roads.js", "/cab/texts/de.json", "/cab/texts/en.json", "/cab/texts/es.json", "/cab/texts/fr.json",
  "/assets/api/event-stream-parser.js", "/assets/common/dom.js", "/assets/common/errors.js", "/assets/common/event-emitter.js", "/assets/common/form.js",
  "/assets/common/scheduling.js", "/assets/common/sound.js", "/assets/common/texts.js", "/assets/common/time.js", "/assets/common/units.js",
  "/assets/fleet/alert-text.js", "/assets/fleet/profile.js",
  "/assets/icon.svg", "/assets/style/colours.css",
];

addEventListener("install", (event) => {
  /** @type {WorkerEvent} */ (event).waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)));
});

addEventListener("fetch", (event) => {
  const { request, respondWith } = /** @type {WorkerFetchEvent} */ (event);
  const isKept = request.method === "GET" && files.includes(new URL(request.url).pathname);
  if (isKept) respondWith.call(event, fresh(request));
});

/**
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function fresh(request) {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(new URL(request.url).pathname, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(new URL(request.url).pathname);
    if (kept === undefined) throw error;
    return kept;
  }
}
