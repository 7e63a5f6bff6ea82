import { element } from "./element.js";

const day = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** A moment in the viewer's zone, with UTC on hover; `fallback` where there is none. */
export function timeElement(moment, fallback = "unknown") {
  if (moment === null || moment === undefined) return element("span", {}, fallback);
  const date = new Date(moment);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = isToday ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`;
  const utc = date.toISOString();
  return element("time", { datetime: utc, title: `${utc.slice(0, 10)} ${utc.slice(11, 19)} UTC` }, text);
}

/** `3 s`, `4 min`, `2 h`, `5 d`: how old something is, in its largest whole unit. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "unknown";
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 100) return `${whole} s`;
  if (whole < 5400) return `${Math.round(whole / 60)} min`;
  if (whole < 129_600) return `${Math.round(whole / 3600)} h`;
  return `${Math.round(whole / 86_400)} d`;
}

/** What a `datetime-local` field holds, which is in the viewer's zone, as RFC 3339; null where it is empty. */
export function momentOf(field) {
  return field.value === "" ? null : new Date(field.value).toISOString();
}

/** The server's clock, as far as its messages tell: a viewer's may be minutes off, and ages must not be. */
export class ServerClock {
  #ahead = 0;

  hear(time) { this.#ahead = Date.parse(time) - Date.now(); }
  get now() { return Date.now() + this.#ahead; }
  /** Seconds since a moment, RFC 3339 or milliseconds since 1970. */
  since(moment) { return (this.now - (typeof moment === "number" ? moment : Date.parse(moment))) / 1000; }
}
