// @ts-check
import { element } from "./dom.js";

const dateFormat = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
const timeFormat = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/**
 * A time in the user's time zone, with UTC as its tooltip.
 *
 * @param {string | null | undefined} time RFC 3339
 * @param {string} fallback the text where there is no time
 * @returns {HTMLElement}
 */
export function timeElement(time, fallback = "unknown") {
  if (time === null || time === undefined) return element("span", {}, fallback);
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  return isToday ? shownTime(time, timeFormat.format(new Date(time))) : dateTimeElement(time);
}

/**
 * The same with its date, also where that is today's.
 *
 * @param {string} time RFC 3339
 */
export function dateTimeElement(time) {
  const date = new Date(time);
  return shownTime(time, `${dateFormat.format(date)}, ${timeFormat.format(date)}`);
}

/**
 * @param {string} time RFC 3339
 * @param {string} text
 */
function shownTime(time, text) {
  const date = new Date(time);
  const utc = date.toISOString();
  return element("time", { datetime: utc, title: `${utc.slice(0, 10)} ${utc.slice(11, 19)} UTC` }, text);
}

/**
 * A duration in its largest whole unit: `3 s`, `4 min`, `2 h`, `5 d`.
 *
 * @param {number | null | undefined} seconds
 */
export function formatDuration(seconds) {
  if (seconds === null || seconds === undefined) return "unknown";
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 100) return `${whole} s`;
  if (whole < 5400) return `${Math.round(whole / 60)} min`;
  if (whole < 129_600) return `${Math.round(whole / 3600)} h`;
  return `${Math.round(whole / 86_400)} d`;
}

/**
 * The value of a `datetime-local` input, which is in the user's time zone, as RFC 3339.
 *
 * @param {HTMLInputElement} input
 * @returns {string | null} null: empty
 */
export function inputTime(input) {
  return input.value === "" ? null : new Date(input.value).toISOString();
}

/**
 * The value with which a `datetime-local` input shows a time, to the minute.
 *
 * @param {string | null} time RFC 3339
 */
export function timeForInput(time) {
  if (time === null) return "";
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Estimates the server's clock from the times of its messages: the browser's may be minutes off. */
export class ServerClock {
  /**
   * The server's time when `performance.now` was 0: by that it runs on, whatever becomes of the browser's clock.
   *
   * @type {number | null} null: the server was never heard
   */
  #origin = null;

  /** @param {string | number} time of a message that has just arrived: RFC 3339, or milliseconds since 1970 */
  synchronize(time) { this.#origin = milliseconds(time) - performance.now(); }

  get isSynchronized() { return this.#origin !== null; }

  /** Milliseconds since 1970; the browser's until the server is heard. */
  get now() { return this.#origin === null ? Date.now() : this.#origin + performance.now(); }

  /**
   * Seconds since a time.
   *
   * @param {string | number} time RFC 3339, or milliseconds since 1970
   */
  secondsSince(time) { return (this.now - milliseconds(time)) / 1000; }
}

/** @param {string | number} time */
function milliseconds(time) { return typeof time === "number" ? time : Date.parse(time); }
