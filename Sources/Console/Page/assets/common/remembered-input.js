// @ts-check

/**
 * Keeps what is typed into a control with the entry of the browser's history, so that Back and a reload bring it again.
 *
 * @template {HTMLInputElement | HTMLSelectElement} Control
 * @param {Control} control
 * @param {string} name among the controls of its view
 * @returns {Control}
 */
export function remembered(control, name) {
  const value = history.state?.[name];
  if (typeof value === "string") control.value = value;
  for (const event of ["input", "change"]) {
    control.addEventListener(event, () => history.replaceState({ ...history.state, [name]: control.value }, ""));
  }
  return control;
}
