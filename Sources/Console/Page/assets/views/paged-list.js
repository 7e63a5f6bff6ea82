// @ts-check
import { ApiError } from "../api/api-client.js";
import { addArrowKeys } from "../common/arrow-keys.js";
import { element, setChildren, setText } from "../common/dom.js";
import { errorMessage } from "../common/errors.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../types/api").Query} Query */

/**
 * @template Item
 * @typedef {object} PagedListOptions
 * @property {ApiClient} client
 * @property {HTMLElement} list the parent of the rows
 * @property {(item: Item) => HTMLElement} makeRow
 * @property {string} emptyText shown where the list has no items
 * @property {(query: Query) => Query | null} [withoutUnknown] what to ask instead where the gateway does not know what a query names;
 *   null: nothing
 * @property {string} [focusSelector] of the element that takes the focus in each row
 */

/** Rows that the API gives at most in one page. */
const pageMax = 1000;
/** Rows that are inserted before the list begins anew with its first page: a busy fleet has thousands a day. */
const insertedMax = 250;

/**
 * A list of the API that is loaded page by page, with a button for the next page and a note for errors.
 *
 * @template Item
 */
export class PagedList {
  /** @type {HTMLElement} */
  element;
  /** @type {PagedListOptions<Item>} */
  #options;
  #note = element("p", { class: "note", role: "status" });
  #more = element("button", { type: "button", hidden: true, onclick: () => this.#load(this.#next) }, "Show more");
  /** @type {{path: string, query: Query} | null} */
  #source = null;
  /**
   * The cursor of the next page.
   *
   * @type {string | null}
   */
  #next = null;
  /** Since the first page was loaded. */
  #insertedCount = 0;
  /** Rows of a page that was full. */
  #pageSize = pageMax;
  /** Counts requests, so that only the answer of the last one is shown. */
  #requestNumber = 0;

  /** @param {PagedListOptions<Item>} options */
  constructor(options) {
    this.#options = options;
    const { list, focusSelector = "a" } = options;
    addArrowKeys(list, focusSelector);
    this.element = element("div", { class: "stack" }, list.closest("table") ?? list, this.#note, this.#more);
  }

  /**
   * Loads the first page of another list. The current rows stay until it has arrived.
   *
   * @param {string} path
   * @param {Query} query
   */
  show(path, query) {
    this.#source = { path, query };
    this.#load(null);
  }

  /** Loads what is shown again, as far as it is one page of the API. */
  refresh() {
    const count = this.#options.list.children.length;
    this.#load(null, count > this.#pageSize ? Math.min(count, pageMax) : null);
  }

  /**
   * Adds an item where its time belongs among the rows, the newest of which come first; one that is older than all of them comes
   * with the next page.
   *
   * @param {Item} item
   */
  insert(item) {
    const { list, makeRow } = this.#options;
    const row = makeRow(item);
    const older = [...list.children].find((other) => timeOf(other) <= timeOf(row)) ?? null;
    if (older === null && this.#next !== null) return;
    list.insertBefore(row, older);
    this.#note.hidden = true;
    this.#insertedCount += 1;
    if (this.#insertedCount % insertedMax === 0) this.#load(null);
  }

  /**
   * @param {string | null} cursor null: the first page
   * @param {number | null} count of rows; null: as many as a page has
   */
  async #load(cursor, count = null) {
    if (this.#source === null) return;
    const number = this.#requestNumber += 1;
    const { list, makeRow, emptyText } = this.#options;
    if (list.children.length === 0) this.#showNote("Loading…");
    try {
      const { path, query } = this.#source;
      const page = await this.#page(path, { ...query, limit: count ?? query.limit, cursor });
      if (number !== this.#requestNumber) return;
      const rows = page.items.map(makeRow);
      if (cursor === null) {
        this.#replaceRows(rows);
        this.#insertedCount = 0;
        if (count === null) this.#pageSize = page.next === null ? pageMax : rows.length;
      } else list.append(...rows);
      this.#next = page.next;
      this.#showNote(list.children.length === 0 ? emptyText : "");
    } catch (error) {
      if (number === this.#requestNumber) this.#showNote(errorMessage(error));
    }
    this.#more.hidden = this.#next === null;
  }

  /**
   * @param {string} path
   * @param {Query} query
   * @returns {Promise<import("../types/api").ListPage<Item>>}
   */
  async #page(path, query) {
    const { client, withoutUnknown } = this.#options;
    try {
      return await client.get(path, query);
    } catch (error) {
      const other = error instanceof ApiError && error.status === 404 ? withoutUnknown?.(query) ?? null : null;
      if (other === null) throw error;
      return client.get(path, other);
    }
  }

  /**
   * Keeps the focus on the link that has it, where the new rows have that link too.
   *
   * @param {HTMLElement[]} rows
   */
  #replaceRows(rows) {
    const { list } = this.#options;
    const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    setChildren(list, rows);
    if (!focused) return;
    /** @type {HTMLElement | null} */
    const link = list.querySelector(`[href="${CSS.escape(focused)}"]`);
    link?.focus({ preventScroll: true });
  }

  /** @param {string} text empty: hidden */
  #showNote(text) {
    setText(this.#note, text);
    this.#note.hidden = text === "";
  }
}

/**
 * The first time that a row shows, as RFC 3339 in UTC.
 *
 * @param {Element} row
 */
const timeOf = (row) => row.querySelector("time")?.dateTime ?? "";
