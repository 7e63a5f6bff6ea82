// @ts-check
import { ask } from "./cab-client.js";

/** @typedef {{vehicle: string, token: string}} Pairing */

const storageKey = "headroom.cab";

/**
 * The vehicle and token that this phone holds, after the exchange of the code that stands behind `#` in the address.
 *
 * @returns {Promise<Pairing | null>} null: not paired; throws a `CabError` where the code is refused or cannot be sent
 */
export async function pairing() {
  const code = location.hash.slice(1);
  if (code === "") return storedPairing();
  /** @type {Pairing} */
  const { vehicle, token } = await ask("POST", "/cab/pairing", { body: { code } });
  localStorage.setItem(storageKey, JSON.stringify({ vehicle, token }));
  return { vehicle, token };
}

/** Removes the code from the address and from the browser's history. */
export function removeCode() { history.replaceState(null, "", "/cab"); }

/** @param {string} token another, which this phone was paired with since, stays */
export function forgetPairing(token) { if (storedPairing()?.token === token) localStorage.removeItem(storageKey); }

/**
 * @param {string} token
 * @param {() => void} listener called when another tab pairs this phone anew, or unpairs it
 */
export function onOtherPairing(token, listener) {
  addEventListener("storage", ({ key }) => { if (key === storageKey && storedPairing()?.token !== token) listener(); });
}

/** @returns {Pairing | null} */
export function storedPairing() {
  const text = localStorage.getItem(storageKey);
  return text === null ? null : JSON.parse(text);
}
