// @ts-check

/** @typedef {"fixes" | "acknowledgements"} StoreName */

/** What is not sent yet, in the browser's own database, so that it outlives the page. */
export class Database {
  /** @type {IDBDatabase} */
  #database;

  /** @param {IDBDatabase} database */
  constructor(database) { this.#database = database; }

  /** @returns {Promise<Database>} */
  static async opened() {
    const request = indexedDB.open("headroom-cab", 2);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) request.result.createObjectStore("fixes", { keyPath: "key" });
      if (oldVersion < 2) request.result.createObjectStore("acknowledgements", { keyPath: "alert" });
    };
    return new Database(await finished(request));
  }

  /** @param {StoreName} store */
  reading(store) { return this.#database.transaction(store, "readonly").objectStore(store); }

  /** @param {StoreName} store */
  writing(store) { return this.#database.transaction(store, "readwrite").objectStore(store); }
}

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
export function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
