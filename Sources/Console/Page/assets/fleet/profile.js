// @ts-check

/** @typedef {import("../types/api").Height} Height */

/**
 * The profile that leads to a height; members that are undefined are not sent.
 *
 * @param {Height} height
 */
export function profileOf({ reported, value, margin, source, measured_at: measuredAt, since, valid_until: validUntil, units, language, groups }) {
  const start = measuredAt ?? since;
  return {
    height: reported ?? value, margin, source: source ?? "dispatch", measured_at: start ?? undefined, units, language, groups,
    valid_for: validUntil === null || start === null ? undefined : (Date.parse(validUntil) - Date.parse(start)) / 1000,
  };
}
