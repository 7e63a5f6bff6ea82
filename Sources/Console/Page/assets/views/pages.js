import { arrowKeys } from "../parts/arrow-keys.js";
import { element, fill, say } from "../parts/element.js";

/**
 * A list that comes page by page: what there is, a button for more, and a sentence where there is nothing or something went
 * wrong.
 */
export class Pages {
  element;
  #server;
  #row;
  #empty;
  #list;
  #note = element("p", { class: "empty", role: "status" });
  #more = element("button", { type: "button", hidden: true, onclick: () => this.#load(this.#next) }, "Show more");
  #source = null;
  #next = null;
  #round = 0;

  /**
   * @param list where the rows go @param row makes one of an item
   * @param empty what is said where there is nothing @param focus what takes the focus in each row, for arrow keys
   */
  constructor(server, { list, row, empty, focus = "a" }) {
    this.#server = server;
    this.#list = list;
    this.#row = row;
    this.#empty = empty;
    arrowKeys(list, focus);
    this.element = element("div", { class: "stack" }, list.closest("table") ?? list, this.#note, this.#more);
  }

  /** Loads another list, from its beginning. The one before stays until it has come. */
  async show(path, query) {
    this.#source = { path, query };
    await this.#load(null);
  }

  /** Loads the first page again. */
  async refresh() { if (this.#source) await this.#load(null); }

  /** A row that has just come about. */
  prepend(item) {
    this.#list.prepend(this.#row(item));
    this.#note.hidden = true;
  }

  async #load(cursor) {
    const round = this.#round += 1;
    if (this.#list.children.length === 0) this.#say("Loading…");
    try {
      const { path, query } = this.#source;
      const page = await this.#server.get(path, { ...query, cursor });
      if (round !== this.#round) return;
      const rows = page.items.map(this.#row);
      if (cursor === null) this.#replace(rows);
      else this.#list.append(...rows);
      this.#next = page.next;
      this.#say(this.#list.children.length === 0 ? this.#empty : "");
    } catch (problem) {
      if (round === this.#round) this.#say(problem.message);
    }
    this.#more.hidden = this.#next === null;
  }

  /** The focus stays in its place where a list comes again while it is read. */
  #replace(rows) {
    const focused = document.activeElement?.getAttribute("href");
    const hadFocus = this.#list.contains(document.activeElement);
    fill(this.#list, rows);
    if (hadFocus && focused) this.#list.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #say(text) {
    say(this.#note, text);
    this.#note.hidden = text === "";
  }
}
