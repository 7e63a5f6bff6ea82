// @ts-check

/** @typedef {import("../assets/common/time.js").ServerClock} ServerClock */

/** Longer than the server waits for the broker, so that an answer is not given up on while it is on its way. */
const timeoutMilliseconds = 15_000;
/** Milliseconds that the date of an answer is old, give or take a second: the gateway writes it anew each second, in whole ones. */
const dateAge = 1000;

/** An answer other than 200, with the server's text, or no answer: status 0. */
export class CabError extends Error {
  /** @type {number} */
  status;

  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message);
    this.name = "CabError";
    this.status = status;
  }
}

/**
 * Asks the gateway.
 *
 * @template Answer
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {{token?: string, body?: object, timeout?: number, clock?: ServerClock}} options timeout in milliseconds; the clock is
 *   set by the answer
 * @returns {Promise<Answer>} throws a `CabError`
 */
export async function ask(method, path, { token, body, timeout = timeoutMilliseconds, clock } = {}) {
  const aborter = new AbortController();
  const timer = setTimeout(() => aborter.abort(), timeout);
  /** @type {Record<string, string>} */
  const headers = {};
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const response = await fetch(`/api/v1${path}`, {
      method, headers, signal: aborter.signal, body: body === undefined ? undefined : JSON.stringify(body),
    });
    const time = response.headers.get("Date");
    if (time !== null) clock?.synchronize(Date.parse(time) + dateAge);
    const answer = await response.json();
    if (!response.ok) {
      throw new CabError(answer.error?.message ?? `The server answered with status ${response.status}.`, response.status);
    }
    return answer;
  } catch (error) {
    if (error instanceof CabError) throw error;
    throw new CabError("The server cannot be reached.", 0);
  } finally {
    clearTimeout(timer);
  }
}
