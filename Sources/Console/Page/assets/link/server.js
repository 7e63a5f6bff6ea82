/** What went wrong, as a sentence for the viewer. `status` is HTTP's; 0: nobody answered. */
export class Problem extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** The gateway's API. Every answer comes, or is given up with a sentence, within `secondsMax`. */
export class Server {
  /** Above the ten seconds that the gateway itself waits for a change to come back from the broker. */
  static secondsMax = 15;
  #tokens;

  constructor(tokens) { this.#tokens = tokens; }

  /** Whether requests wait for the viewer to give a token. */
  get isAsking() { return this.#tokens.isAsking; }

  /** Of each query, members that are null, undefined or empty are left out. */
  get(path, query = {}) { return this.#json(path, query, { method: "GET" }); }
  delete(path) { return this.#json(path, {}, { method: "DELETE" }); }

  put(path, body) {
    const headers = { "Content-Type": "application/json" };
    return this.#json(path, {}, { method: "PUT", headers, body: JSON.stringify(body) });
  }

  /** The items of a list, page by page, up to `most`: `{items, isWhole}`. */
  async all(path, query, most) {
    const items = [];
    let cursor = null;
    do {
      const page = await this.get(path, { ...query, limit: Math.min(1000, most - items.length), cursor });
      items.push(...(page.items ?? page.features));
      cursor = page.next ?? null;
    } while (cursor !== null && items.length < most);
    return { items, isWhole: cursor === null };
  }

  /** The response to a request that was let in: a token is asked for as often as it takes. */
  async open(path, query, options = {}) {
    for (;;) {
      const response = await fetch(addressOf(path, query), {
        signal: AbortSignal.timeout(Server.secondsMax * 1000),
        ...options,
        headers: { ...options.headers, ...this.#tokens.headers },
      });
      if (response.status !== 401) return response;
      await this.#tokens.ask(await messageIn(response));
    }
  }

  async #json(path, query, options) {
    try {
      const response = await this.open(path, query, options);
      if (!response.ok) throw new Problem(await messageIn(response), response.status);
      return await response.json();
    } catch (problem) {
      if (problem instanceof Problem) throw problem;
      throw new Problem(problem.name === "TimeoutError"
        ? `The server has not answered for ${Server.secondsMax} s.` : "The server cannot be reached.");
    }
  }
}

/** A path of the API with its query. */
function addressOf(path, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return `/api/v1${path}${text === "" ? "" : `?${text}`}`;
}

/** One level of a path: ids may hold anything but a slash. */
export const level = (id) => encodeURIComponent(id);

async function messageIn(response) {
  try {
    return (await response.json()).error.message;
  } catch {
    return `The server answered with status ${response.status}.`;
  }
}
