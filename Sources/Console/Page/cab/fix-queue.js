// @ts-check
import { finished } from "./database.js";

/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("./database.js").Database} Database */
/** @typedef {{key: number, vehicle: string, fix: DeviceFix}} StoredFix */

/** The fixes that are not sent yet, in the browser's database, so that they outlive the page; the oldest first. */
export class FixQueue {
  /** Of a day's driving with a fix each second; the oldest are dropped beyond it. */
  static #countMax = 86_400;
  #database;
  /** Keys only grow, and are used up from the lowest: their difference is the count. */
  #first = 0;
  #next = 0;
  /** The one that new fixes are of. */
  vehicle;

  /**
   * @param {Database} database
   * @param {string} vehicle
   */
  constructor(database, vehicle) {
    this.#database = database;
    this.vehicle = vehicle;
  }

  /**
   * @param {Database} database
   * @param {string} vehicle fixes of another, which this phone was paired with before, are removed
   * @returns {Promise<FixQueue>}
   */
  static async opened(database, vehicle) {
    const queue = new FixQueue(database, vehicle);
    const [oldest] = await queue.oldest(1);
    if (oldest !== undefined && oldest.vehicle !== vehicle) await queue.clear();
    const keys = await finished(queue.#read().getAllKeys());
    if (keys.length > 0) [queue.#first, queue.#next] = [Number(keys[0]), Number(keys[keys.length - 1]) + 1];
    return queue;
  }

  get count() { return this.#next - this.#first; }

  /** @param {DeviceFix} fix */
  async add(fix) {
    const key = this.#next;
    this.#next += 1;
    const target = this.#write();
    if (this.count > FixQueue.#countMax) {
      target.delete(this.#first);
      this.#first += 1;
    }
    await finished(target.add({ key, vehicle: this.vehicle, fix }));
  }

  /**
   * @param {number} count at most
   * @returns {Promise<StoredFix[]>}
   */
  oldest(count) { return finished(this.#read().getAll(null, count)); }

  /** @param {number} key the last of those that are to be removed */
  async removeThrough(key) {
    await finished(this.#write().delete(IDBKeyRange.upperBound(key)));
    this.#first = Math.max(this.#first, key + 1);
  }

  async clear() {
    await finished(this.#write().clear());
    this.#first = this.#next;
  }

  #read() { return this.#database.reading("fixes"); }

  #write() { return this.#database.writing("fixes"); }
}
