import { Listeners } from "../parts/listeners.js";
import { afterwards, oneAtATime } from "../parts/pacing.js";

const ended = new Set(["passed", "cleared"]);
/** How many alerts that have ended are still shown, and for how many seconds. */
const endedMax = 10;
const endedSecondsMax = 600;

/**
 * The open alerts, worst first, with their distances as they count down, and those that have just ended. Tells `change`, and
 * `news` with each message that makes an alert worse or ends it.
 */
export class OpenAlerts extends Listeners {
  #server;
  /** By id: the message, and what has become of it since. */
  #known = new Map();
  #order = [];
  #ended = [];
  #reload;
  problem = null;
  isLoaded = false;

  constructor(server, stream) {
    super();
    this.#server = server;
    this.#reload = oneAtATime(() => this.#load());
    stream.on("alert", (message) => this.#hear(message));
    stream.on("alerts", ({ open }) => this.#count(open));
    // A distance that is a few seconds old is better than none; those too many for the stream get theirs here.
    this.#loadSoon = afterwards(400, this.#reload);
  }

  #loadSoon;

  /** Worst first. */
  get open() { return this.#order.map((id) => this.#known.get(id)).filter((alert) => alert !== undefined); }

  /** The latest first. */
  get ended() { return this.#ended.filter((alert) => Date.now() - alert.heardAt < endedSecondsMax * 1000); }

  load() { return this.#reload(); }

  async #load() {
    try {
      const { items } = await this.#server.all("/alerts", { state: "open" }, 1000);
      this.problem = null;
      this.isLoaded = true;
      // The answer may be a little older than what the stream has told already.
      const open = items.filter(({ id }) => !this.#ended.some(({ message }) => message.id === id));
      this.#known = new Map(open.map((message) => [message.id, fromAnswer(message)]));
      this.#order = open.map((message) => message.id);
    } catch (problem) {
      this.problem = problem.message;
    }
    this.tell("change");
  }

  #hear(message) {
    if (message.type !== "low-clearance") return;
    const earlier = this.#known.get(message.id);
    if (earlier && earlier.message.sequence >= message.sequence) return;
    if (ended.has(message.stage)) this.#end(message);
    else this.#rise(message);
    this.tell("change");
    this.tell("news", message);
  }

  /** Shown at once, on top; the stream's next list has it in its place. */
  #rise(message) {
    if (!this.#known.has(message.id)) this.#order.unshift(message.id);
    const { acknowledged = null } = this.#known.get(message.id) ?? {};
    this.#known.set(message.id, { message, acknowledged, distance: message.distance, detourDistance: message.detour?.distance ?? null });
    this.#loadSoon();
  }

  #end(message) {
    this.#known.delete(message.id);
    this.#order = this.#order.filter((id) => id !== message.id);
    const others = this.#ended.filter((alert) => alert.message.id !== message.id);
    this.#ended = [{ message, heardAt: Date.now() }, ...others].slice(0, endedMax);
    this.#loadSoon();
  }

  /** @param open of the stream, worst first */
  #count(open) {
    const unknown = open.some(({ id, sequence }) => (this.#known.get(id)?.message.sequence ?? 0) < sequence);
    for (const { id, distance, detour_distance: detourDistance, acknowledged } of open) {
      const alert = this.#known.get(id);
      if (alert) Object.assign(alert, { distance, detourDistance, acknowledged });
    }
    const told = new Set(open.map(({ id }) => id));
    // The stream tells of the worst ones only: the rest keeps its place behind them.
    const rest = open.length < streamMax ? [] : this.#order.filter((id) => !told.has(id));
    this.#order = [...open.map(({ id }) => id), ...rest];
    if (unknown) this.#reload();
    this.tell("change");
  }
}

/** As many open alerts the stream tells of at most. */
const streamMax = 200;

const fromAnswer = (message) => ({
  message,
  acknowledged: message.acknowledged ?? null,
  distance: message.now?.distance ?? message.distance,
  detourDistance: message.now?.detour_distance ?? message.detour?.distance ?? null,
});
