import { element, fill, say } from "../parts/element.js";
import { oneAtATime } from "../parts/pacing.js";
import { duration, timeElement } from "../parts/times.js";
import { level } from "../link/server.js";
import { watchedFeatures } from "../map/watched.js";
import { blindWords, facts, fenceLink, stageBadge } from "./badges.js";
import { HeightForm } from "./height-form.js";

/** One truck: where it is, how high, what its device watches and what is not known of it. */
export class TruckView {
  element;
  #vehicle;
  #parts;
  #note = element("p", { class: "empty", role: "status" }, "Loading…");
  #facts = element("div");
  #height = element("div");
  #alerts = element("div");
  #watched = element("div");
  #form;
  #off;
  #hasPlace = false;
  #isClosed = false;

  constructor(parts, vehicle, heading) {
    this.#parts = parts;
    this.#vehicle = vehicle;
    say(heading, vehicle);
    parts.selection.choose(vehicle);
    const load = oneAtATime(() => this.#load());
    this.#form = new HeightForm(parts, vehicle, load);
    this.element = element("div", { class: "stack" }, this.#note, this.#buttons(), this.#alerts,
      element("section", {}, element("h3", {}, "Now"), this.#facts),
      element("section", {}, element("h3", {}, "Height"), this.#height, this.#form.element),
      element("section", {}, element("h3", {}, "What its device watches"), this.#watched));
    const timer = setInterval(() => { if (!document.hidden) load(); }, 3000);
    this.#off = [() => clearInterval(timer), parts.units.on("change", load),
      parts.alerts.on("news", (message) => { if (message.vehicle === vehicle) load(); })];
    load();
  }

  close() {
    for (const off of this.#off) off();
    this.#isClosed = true;
    this.#parts.map?.show("watched", []);
  }

  #buttons() {
    const { selection } = this.#parts;
    const follow = element("button", { type: "button", "aria-pressed": "false" }, "Follow on the map");
    follow.addEventListener("click", () => {
      selection.follow(!selection.follows);
      follow.setAttribute("aria-pressed", String(selection.follows));
    });
    return element("div", { class: "row" },
      follow,
      element("a", { href: `#/log/${level(this.#vehicle)}` }, "Its log"),
      element("button", { type: "button", onclick: () => { selection.choose(null); location.hash = "#/trucks"; } }, "Choose no truck"));
  }

  async #load() {
    try {
      const truck = await this.#parts.server.get(`/vehicles/${level(this.#vehicle)}`);
      if (this.#isClosed) return;
      this.#note.hidden = true;
      this.#show(truck);
    } catch (problem) {
      this.#note.hidden = false;
      say(this.#note, problem.status === 404
        ? `Nothing is known of ${this.#vehicle} yet. Its height can be told before it sets off.` : problem.message);
    }
  }

  #show(truck) {
    const { units, map } = this.#parts;
    if (truck.lat !== null && !this.#hasPlace) {
      this.#hasPlace = true;
      map?.goTo([truck.lon, truck.lat]);
    }
    fill(this.#facts, facts([
      ["Position", truck.lat === null ? "none yet" : `${truck.lat.toFixed(5)}, ${truck.lon.toFixed(5)}`],
      ["Heard", truck.time === null ? "never" : element("span", {}, timeElement(truck.time), `, ${duration(truck.age)} ago`)],
      ["Accuracy", truck.accuracy === null ? null : units.distance(truck.accuracy)],
      ["Speed", truck.speed === null ? null : units.speed(truck.speed)],
      ["Course", truck.course === null ? null : `${Math.round(truck.course)}°`],
      ["Consent", truck.consent],
      ["Presence", truck.presence],
      ["Fences", truck.fences.length > 0 ? commas(truck.fences.map(fenceLink)) : truck.fences_as_of === null ? "not known yet" : "in none"],
      ["Last visit", truck.last_visit ? visitText(truck.last_visit) : null],
      ["Blind spots", truck.blind.length === 0 ? "none" : truck.blind.map((kind) => blindWords[kind] ?? kind).join(" ")],
    ]));
    this.#showHeight(truck.height);
    this.#form.show(truck.height);
    fill(this.#alerts, truck.alerts.map((alert) => element("p", {}, stageBadge(alert.stage), ` ${alert.text ?? ""}`)));
    this.#showWatched(truck);
    map?.show("watched", watchedFeatures(truck, units));
  }

  #showHeight(height) {
    const { units } = this.#parts;
    if (height === null) return fill(this.#height, element("p", { class: "empty" }, "No height is known."));
    return fill(this.#height, facts([
      ["Height", element("strong", {}, units.height(height.value))],
      ["With margin", height.effective ? units.height(height.effective) : null],
      ["Source", height.source || "none"],
      ["Standing", standings[height.status] ?? height.status],
      ["Measured", height.measured_at ? timeElement(height.measured_at) : null],
      ["In force for", height.since ? this.#sinceText(height.since) : null],
      ["Valid until", height.valid_until ? timeElement(height.valid_until) : null],
      ["Groups", height.groups?.length ? height.groups.join(", ") : null],
    ]));
  }

  #sinceText(moment) {
    return element("span", {}, duration(this.#parts.clock.since(moment)), ", since ", timeElement(moment));
  }

  #showWatched({ regions, quiet }) {
    const { units } = this.#parts;
    const answer = regions.version === null ? "nothing yet" : regions.acknowledged === regions.version
      ? `version ${regions.version}, acknowledged` : `version ${regions.version}, not acknowledged`;
    fill(this.#watched,
      facts([
        ["Regions", `${regions.items.length} of at most ${regions.limit}; ${answer}`],
        ["Quiet circle", quiet ? `${units.distance(quiet.radius)} round ${quiet.lat.toFixed(4)}, ${quiet.lon.toFixed(4)}` : "none"],
      ]),
      regions.items.length > 0 && element("ul", { class: "lines small" }, regions.items.map((region) => element("li", {},
        `${region.kind}: ${region.id}, ${units.distance(region.radius)}`,
        region.failed && element("strong", {}, ` – the device could not watch it: ${region.failed}`)))));
  }
}

const standings = {
  ok: "in force", stale: "run out: the larger of it and the assumed height counts", assumed: "assumed: nobody has told it",
};

const commas = (parts) => parts.flatMap((part, place) => (place === 0 ? [part] : [", ", part]));

const visitText = ({ phase, confirmed, arrival, departure }) => element("span", {},
  timeElement(arrival, "unknown"), " to ", timeElement(departure, phase === "arrived" ? "now" : "unknown"),
  phase === "arrived" && confirmed === false && ", unconfirmed: it has been silent since");
