// @ts-check

/**
 * Keeps what is entered into a control in the address, behind the name of the view (`#/trucks?search=T4`), so that Back, a reload
 * and a bookmark bring it again.
 *
 * @template {HTMLInputElement | HTMLSelectElement} Control
 * @param {Control} control what it holds now needs no place in the address
 * @param {string} name among the controls of its view
 * @returns {Control}
 */
export function remembered(control, name) {
  const standard = control.value;
  const value = addressQuery().get(name);
  if (value !== null) control.value = value;
  // An address that somebody has typed may hold what a list of choices has not.
  if (value && control.value === "") control.value = standard;
  for (const event of ["input", "change"]) control.addEventListener(event, () => remember(name, control.value, standard));
  return control;
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} standard
 */
function remember(name, value, standard) {
  const query = addressQuery();
  if (value === standard) query.delete(name);
  else query.set(name, value);
  const [path] = location.hash.split("?");
  const text = query.toString();
  history.replaceState(history.state, "", (path || "#/") + (text && `?${text}`));
}

const addressQuery = () => new URLSearchParams(location.hash.split("?")[1] ?? "");
