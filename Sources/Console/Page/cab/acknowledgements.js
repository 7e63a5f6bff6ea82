// @ts-check
import { finished } from "./database.js";

/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */
/** @typedef {import("./database.js").Database} Database */
/** @typedef {{alert: string, sequence: number, vehicle: string, isSent: boolean}} Acknowledgement */

/** What the driver has acknowledged; each stays in the browser's database until its alert has ended. */
export class Acknowledgements {
  #database;
  #vehicle;
  /** By alert. @type {Map<string, Acknowledgement>} */
  #all = new Map();

  /**
   * @param {Database} database
   * @param {string} vehicle
   */
  constructor(database, vehicle) {
    this.#database = database;
    this.#vehicle = vehicle;
  }

  /**
   * @param {Database} database
   * @param {string} vehicle those of another, which this phone was paired with before, are removed
   */
  static async opened(database, vehicle) {
    const acknowledgements = new Acknowledgements(database, vehicle);
    /** @type {Acknowledgement[]} */
    const stored = await finished(database.reading("acknowledgements").getAll());
    for (const entry of stored) {
      if (entry.vehicle === vehicle) acknowledgements.#all.set(entry.alert, entry);
      else database.writing("acknowledgements").delete(entry.alert);
    }
    return acknowledgements;
  }

  get unsent() { return [...this.#all.values()].filter(({ isSent }) => !isSent); }

  /** @param {OpenAlertAnswer} alert */
  covers({ id, sequence, acknowledged }) {
    return Math.max(acknowledged ?? 0, this.#all.get(id)?.sequence ?? 0) >= sequence;
  }

  /** @param {OpenAlertAnswer} alert */
  add({ id, sequence }) { return this.#put({ alert: id, sequence, vehicle: this.#vehicle, isSent: false }); }

  /** @param {Acknowledgement} entry a later one of its alert stays unsent */
  async noteSent(entry) {
    if (this.#all.get(entry.alert) === entry) await this.#put({ ...entry, isSent: true });
  }

  /** @param {OpenAlertAnswer[]} open */
  async removeEnded(open) {
    const ids = new Set(open.map(({ id }) => id));
    for (const alert of [...this.#all.keys()].filter((id) => !ids.has(id))) {
      this.#all.delete(alert);
      await finished(this.#database.writing("acknowledgements").delete(alert));
    }
  }

  /** @param {Acknowledgement} entry */
  async #put(entry) {
    this.#all.set(entry.alert, entry);
    const store = this.#database.writing("acknowledgements");
    const isStored = finished(store.put(entry));
    // Not by itself, once the answer has come: the driver may close the page before.
    store.transaction.commit();
    await isStored;
  }
}
