// @ts-check

/** @typedef {import("../types/api").ClearancePreview} ClearancePreview */
/** @typedef {import("../types/geojson").Feature} Feature */

/** @type {Record<string, string>} */
const icons = { clearance: "clearance-too-low", detour: "detour", alert: "alert-point" };

/**
 * What a clearance would lead to: last turn-offs, detours, and where alerts begin.
 *
 * @param {ClearancePreview} preview
 * @returns {Feature[]}
 */
export const previewFeatures = ({ map: { features } }) => features.map(({ geometry, properties: { kind } }) =>
  ({ type: "Feature", geometry, properties: { icon: icons[kind] ?? "", course: 0, label: "" } }));
