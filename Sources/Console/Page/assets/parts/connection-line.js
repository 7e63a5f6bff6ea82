import { element, fill, say } from "./element.js";
import { timeElement } from "./times.js";

/** Says whether what is shown is what is: live, lost since when, or why the gateway does not do its work. */
export class ConnectionLine {
  #line;
  #trouble;
  #stream;
  #status;
  #lastBeat = null;

  /** @param line always there @param trouble a bar, shown only while something is wrong */
  constructor(line, trouble, { stream, status }) {
    this.#line = line;
    this.#trouble = trouble;
    this.#stream = stream;
    this.#status = status;
    stream.on("pulse", ({ time }) => { this.#lastBeat = time; });
    stream.on("state", () => this.#show());
    status.on("change", () => this.#show());
  }

  #show() {
    const state = this.#stream.state;
    if (state === "lost") return this.#lost();
    if (state === "connecting") return this.#set("connecting", "Connecting…", null);
    const { ready, broker_connected: hasBroker, problems } = this.#status.value ?? { ready: true, broker_connected: true };
    if (!hasBroker) return this.#set("unready", "Live", "The gateway has no connection to its broker: no truck can be heard or told.");
    if (!ready) return this.#set("unready", "Live", `The gateway is not ready. ${problems?.join(" ") ?? ""}`.trim());
    return this.#set("live", `Live${limits(this.#status.value)}`, null, this.#status.value?.degraded);
  }

  #lost() {
    if (this.#line.dataset.state === "lost") return;
    this.#line.dataset.state = "lost";
    say(this.#line, "Connection lost");
    fill(this.#trouble, "No connection to the gateway: what is shown is as it was at ", timeElement(this.#lastBeat, "the start"),
      ". It is tried again by itself.");
    this.#trouble.hidden = false;
  }

  #set(state, text, trouble, limits) {
    this.#line.dataset.state = state;
    this.#line.title = limits?.join("; ") ?? "";
    say(this.#line, text);
    this.#trouble.hidden = trouble === null;
    if (trouble !== null) say(this.#trouble, trouble);
  }
}

/** What does not hold though the gateway does its work, in a few words; the line's title has it in full. */
function limits(status) {
  if (status?.retained_missing > 0) return `; the broker has lost ${status.retained_missing} retained inputs`;
  return status?.degraded?.length > 0 ? "; the broker has limits" : "";
}

/** Where the page could not begin at all. */
export function beginningProblem(problem) {
  return element("div", { class: "stack" },
    element("p", {}, problem.message),
    element("button", { type: "button", class: "main", onclick: () => location.reload() }, "Try again"));
}
