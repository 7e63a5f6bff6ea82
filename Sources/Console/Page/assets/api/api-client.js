// @ts-check

/** @typedef {import("./auth-token.js").AuthToken} AuthToken */
/** @typedef {import("../types/api").Query} Query */
/** @typedef {import("../types/api").ErrorAnswer} ErrorAnswer */

/** A request that failed, with a sentence for the user. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status of HTTP; 0: no answer
   */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** Requests to the gateway's API. Each is answered, or fails with an `ApiError`, within `timeoutSeconds`. */
export class ApiClient {
  /** More than the ten seconds that the gateway waits for a change to come back from the broker. */
  static timeoutSeconds = 15;
  /** Items that the API gives at most in one page. */
  static #pageSizeMax = 1000;
  /** @type {AuthToken} */
  #token;

  /** @param {AuthToken} token */
  constructor(token) { this.#token = token; }

  /** Whether requests wait for the user to enter a token. */
  get isPromptingForToken() { return this.#token.isPrompting; }

  /**
   * @template Answer
   * @param {string} path below /api/v1
   * @param {Query} query
   * @returns {Promise<Answer>}
   */
  get(path, query = {}) { return this.#json(path, query, { method: "GET" }); }

  /**
   * With the tag of this version, which a change of it names.
   *
   * @template Answer
   * @param {string} path
   * @param {Query} query
   * @returns {Promise<{value: Answer, tag: string | null}>}
   */
  getTagged(path, query) { return this.#tagged(path, query, { method: "GET" }); }

  /**
   * An answer as it is, to be saved.
   *
   * @param {string} path
   * @param {Query} query
   * @returns {Promise<Blob>}
   */
  async getBlob(path, query) { return this.#answered(path, query, { method: "GET" }, (response) => response.blob()); }

  /**
   * @template Answer
   * @param {string} path
   * @param {Record<string, string>} headers such as `If-Match`
   * @returns {Promise<Answer>}
   */
  delete(path, headers = {}) { return this.#json(path, {}, { method: "DELETE", headers }); }

  /**
   * @template Answer
   * @param {string} path
   * @param {object} body
   * @param {Record<string, string>} conditions such as `If-Match`
   * @returns {Promise<Answer>}
   */
  put(path, body, conditions = {}) {
    const headers = { "Content-Type": "application/json", ...conditions };
    return this.#json(path, {}, { method: "PUT", headers, body: JSON.stringify(body) });
  }

  /**
   * Asks for something new that takes no description.
   *
   * @template Answer
   * @param {string} path
   * @returns {Promise<Answer>}
   */
  post(path) { return this.#json(path, {}, { method: "POST" }); }

  /**
   * The items or features of a list, page by page.
   *
   * @template Item
   * @param {string} path
   * @param {Query} query
   * @param {number} limit of items in all
   * @returns {Promise<{items: Item[], isComplete: boolean}>}
   */
  async getAll(path, query, limit) {
    /** @type {Item[]} */
    const items = [];
    /** @type {string | null} */
    let cursor = null;
    do {
      /** @type {{items?: Item[], features?: Item[], next?: string | null}} */
      const page = await this.get(path, { ...query, limit: Math.min(ApiClient.#pageSizeMax, limit - items.length), cursor });
      items.push(...(page.items ?? page.features ?? []));
      cursor = page.next ?? null;
    } while (cursor !== null && items.length < limit);
    return { items, isComplete: cursor === null };
  }

  /**
   * Sends a request, and prompts for a token until the gateway accepts one.
   *
   * @param {string} path
   * @param {Query} query
   * @param {RequestInit & {headers?: Record<string, string>}} options
   * @returns {Promise<Response>}
   */
  async request(path, query, options = {}) {
    for (;;) {
      const token = this.#token.value;
      const response = await fetch(urlOf(path, query), {
        signal: timeoutSignal(),
        ...options,
        headers: { ...options.headers, ...this.#token.headers },
      });
      if (response.status !== 401) return response;
      // Another request may have prompted meanwhile.
      if (this.#token.value === token) await this.#token.prompt();
    }
  }

  /**
   * @param {string} path
   * @param {Query} query
   * @param {RequestInit & {headers?: Record<string, string>}} options
   */
  async #json(path, query, options) { return (await this.#tagged(path, query, options)).value; }

  /**
   * @param {string} path
   * @param {Query} query
   * @param {RequestInit & {headers?: Record<string, string>}} options
   */
  async #tagged(path, query, options) {
    return this.#answered(path, query, options, async (response) =>
      ({ value: await response.json(), tag: response.headers.get("ETag") }));
  }

  /**
   * @template Answer
   * @param {string} path
   * @param {Query} query
   * @param {RequestInit & {headers?: Record<string, string>}} options
   * @param {(response: Response) => Promise<Answer>} read
   * @returns {Promise<Answer>}
   */
  async #answered(path, query, options, read) {
    try {
      const response = await this.request(path, query, options);
      if (!response.ok) throw new ApiError(await errorText(response), response.status);
      return await read(response);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError(error instanceof Error && error.name === "TimeoutError"
        ? `The server has not answered within ${ApiClient.timeoutSeconds} s.` : "The server cannot be reached.");
    }
  }
}

function timeoutSignal() {
  const signals = /** @type {AbortSignalWithTimeout} */ (AbortSignal);
  return signals.timeout(ApiClient.timeoutSeconds * 1000);
}

/**
 * @param {string} path
 * @param {Query} query
 */
function urlOf(path, query) {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return `/api/v1${path}${text === "" ? "" : `?${text}`}`;
}

/**
 * An id as one segment of a path.
 *
 * @param {string} id
 */
export const pathSegment = (id) => encodeURIComponent(id);

/** @param {Response} response */
async function errorText(response) {
  try {
    /** @type {ErrorAnswer} */
    const { error } = await response.json();
    return error.message;
  } catch {
    return `The server answered with status ${response.status}.`;
  }
}
