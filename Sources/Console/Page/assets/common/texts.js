// @ts-check
import { EventEmitter } from "./event-emitter.js";

/** @typedef {Record<string, string>} Values by the names that stand in braces */

const languages = ["en", "de", "es", "fr"];

/**
 * The page's texts in the reader's language: from the gateway's table, which alerts are made of, too. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class Texts extends EventEmitter {
  language = languages[0];
  /** @type {Record<string, string>} */
  #table = {};

  /** In the phone's language. */
  static async loaded() {
    const texts = new Texts();
    await texts.use(null);
    return texts;
  }

  /** @param {string | null} language null: the phone's, where there are texts in it */
  async use(language) {
    const wanted = language ?? languages.find((code) => navigator.language.startsWith(code)) ?? languages[0];
    if (wanted === this.language && this.text("pageStart") !== "") return;
    const response = await fetch(`/cab/texts/${wanted}.json`);
    if (!response.ok) return;
    this.#table = await response.json();
    this.language = wanted;
    document.documentElement.lang = wanted;
    this.emit("change");
  }

  /**
   * @param {string} key empty where there is none
   * @param {Values} values
   */
  text(key, values = {}) { return (this.#table[key] ?? "").replace(/\{(\w+)\}/g, (_, name) => values[name] ?? ""); }
}
