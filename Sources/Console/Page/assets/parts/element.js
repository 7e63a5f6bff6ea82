/**
 * Makes an element: `element("button", {type: "button", onclick: save}, "Save")`. Attributes that are null, undefined or
 * false are left out, and so are such children.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...present(children));
  return made;
}

/** Puts children in the place of those that an element has. */
export function fill(parent, ...children) {
  parent.replaceChildren(...present(children));
  return parent;
}

/** Sets a text where it is another: a screen reader reads a live region again when the same text is set. */
export function say(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

const present = (children) => children.flat().filter((child) => child !== null && child !== undefined && child !== false);
