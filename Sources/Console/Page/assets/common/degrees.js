// @ts-check
import { element } from "./dom.js";

/** @typedef {import("../types/geojson").Position} Position */

export const latitudeMax = 90;
export const longitudeMax = 180;

/**
 * @param {string} text such as `42.2807`, or with a comma for the point
 * @param {number} max on either side of zero
 * @returns {number | null} null: it cannot be read, or is beyond `max`
 */
export function parseDegrees(text, max) {
  const number = text.trim().replace(",", ".");
  return number === "" || !(Math.abs(Number(number)) <= max) ? null : Number(number);
}

/**
 * The place of a line with latitude and longitude: `42.2807, -83.7545`, also without the space, with a semicolon or nothing between
 * them, and with commas for the points where it is clear which they are.
 *
 * @param {string} line
 * @returns {Position | null} null: it cannot be read
 */
export function parsePlace(line) {
  const words = line.trim().split(/\s*;\s*|\s*,\s+|\s+,?/);
  // A comma alone is between the two only where the points of the numbers are points.
  const numbers = words.length === 1 && words[0].includes(".") ? words[0].split(",") : words;
  const [latitude, longitude] = [parseDegrees(numbers[0], latitudeMax), parseDegrees(numbers[1] ?? "", longitudeMax)];
  return numbers.length !== 2 || latitude === null || longitude === null ? null : [longitude, latitude];
}

/**
 * An input that refuses what are no degrees.
 *
 * @param {number} max on either side of zero
 * @param {string | null} value
 */
export function degreesInput(max, value = null) {
  const control = element("input", { inputmode: "decimal", autocomplete: "off", required: true, value });
  control.addEventListener("input", () => control.setCustomValidity(
    parseDegrees(control.value, max) === null ? `Enter degrees from -${max} to ${max}, such as 42.2807.` : ""));
  return control;
}
