import { Listeners } from "../parts/listeners.js";
import { oneAtATime, seldom } from "../parts/pacing.js";

const endings = new Set(["passed", "cleared"]);
/** How many alerts that have ended are still shown, and for how many seconds. */
const endedMax = 10;
const endedSecondsMax = 600;
/** The stream tells of as many open alerts at most. */
const streamMax = 200;
/** What was said before the page listened is asked for no oftener than this. */
const askingPause = 3000;

/**
 * The open alerts, worst first, with their distances as they count down, and those that have just ended. Tells `change`, and
 * `news` with each message that begins an alert, makes it worse or ends it.
 */
export class OpenAlerts extends Listeners {
  #server;
  /** By id: `{message, acknowledged, distance, detourDistance}`. */
  #known = new Map();
  #order = [];
  #ended = [];
  #loadAll = oneAtATime(() => this.#load(1000));
  #loadWorst = seldom(askingPause, oneAtATime(() => this.#load(streamMax)));
  problem = null;
  isLoaded = false;

  constructor(server, stream) {
    super();
    this.#server = server;
    stream.on("alert", (message) => this.#hear(message));
    stream.on("alerts", ({ open }) => this.#count(open));
    stream.on("reset", this.#loadAll);
    stream.on("state", (state) => { if (state === "live") this.#loadAll(); });
  }

  /** Worst first. */
  get open() { return this.#order.map((id) => this.#known.get(id)).filter((alert) => alert !== undefined); }

  /** The latest first. */
  get ended() { return this.#ended.filter((alert) => Date.now() - alert.heardAt < endedSecondsMax * 1000); }

  /** @param most of the worst; where they are not all, others stay as they are known */
  async #load(most) {
    try {
      const { items, isWhole } = await this.#server.all("/alerts", { state: "open" }, most);
      // The answer may be a little older than what the stream has told already.
      const open = items.filter(({ id }) => !this.#ended.some(({ message }) => message.id === id));
      if (isWhole) this.#known.clear();
      for (const message of open) this.#known.set(message.id, fromAnswer(message));
      this.#reorder(open.map(({ id }) => id), isWhole);
      this.problem = null;
      this.isLoaded = true;
    } catch (problem) {
      this.problem = problem.message;
    }
    this.tell("change");
  }

  #hear(message) {
    if (message.type !== "low-clearance") return;
    const earlier = this.#known.get(message.id);
    if (earlier && earlier.message.sequence >= message.sequence) return;
    if (endings.has(message.stage)) this.#end(message);
    else this.#rise(message, earlier);
    this.tell("change");
    this.tell("news", message);
  }

  /** Shown at once, on top; the stream's next list has it in its place. */
  #rise(message, earlier) {
    if (!earlier) this.#order.unshift(message.id);
    this.#known.set(message.id, {
      message, acknowledged: earlier?.acknowledged ?? null, distance: message.distance,
      detourDistance: message.detour?.distance ?? null,
    });
  }

  #end(message) {
    this.#known.delete(message.id);
    const others = this.#ended.filter((alert) => alert.message.id !== message.id);
    this.#ended = [{ message, heardAt: Date.now() }, ...others].slice(0, endedMax);
  }

  /** @param open of the stream, worst first */
  #count(open) {
    const isUnknown = ({ id, sequence }) => (this.#known.get(id)?.message.sequence ?? 0) < sequence;
    for (const { id, distance, detour_distance: detourDistance, acknowledged } of open) {
      const alert = this.#known.get(id);
      if (alert) Object.assign(alert, { distance, detourDistance, acknowledged });
    }
    this.#reorder(open.map(({ id }) => id), open.length < streamMax);
    if (open.some(isUnknown)) this.#loadWorst();
    this.tell("change");
  }

  /** The rest keeps its place behind the worst. */
  #reorder(worst, isWhole) {
    const named = new Set(worst);
    const rest = isWhole ? [] : this.#order.filter((id) => !named.has(id) && this.#known.has(id));
    this.#order = [...worst, ...rest];
  }
}

const fromAnswer = (message) => ({
  message,
  acknowledged: message.acknowledged ?? null,
  distance: message.now?.distance ?? message.distance,
  detourDistance: message.now?.detour_distance ?? message.detour?.distance ?? null,
});
