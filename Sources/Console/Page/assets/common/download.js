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
  const url = URL.createObjectURL(await client.getBlob(path, query));
  element("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
