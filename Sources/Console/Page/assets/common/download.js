// @ts-check
import { element } from "./dom.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../types/api").Query} Query */

/**
 * Saves an answer of the API as a file.
 *
 * @param {ApiClient} client
 * @param {string} path
 * @param {Query} query
 * @param {string} name of the file
 */
export async function download(client, path, query, name) {
  save(await client.getBlob(path, query), name);
}

/** Features that a file holds at most: some 20 MB. */
const featuresMax = 50_000;

/**
 * Saves all pages of a list as one GeoJSON file.
 *
 * @param {ApiClient} client
 * @param {string} path
 * @param {Query} query
 * @param {string} name of the file
 * @returns {Promise<{count: number, isComplete: boolean}>}
 */
export async function downloadFeatures(client, path, query, name) {
  const { items, isComplete } = await client.getAll(path, { ...query, format: "geojson" }, featuresMax);
  save(new Blob([JSON.stringify({ type: "FeatureCollection", features: items })], { type: "application/geo+json" }), name);
  return { count: items.length, isComplete };
}

/**
 * @param {Blob} content
 * @param {string} name
 */
function save(content, name) {
  const url = URL.createObjectURL(content);
  element("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
