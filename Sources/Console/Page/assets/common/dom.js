// @ts-check

/** @typedef {string | number | boolean | null | undefined | ((event: Event) => void)} AttributeValue */
/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Creates an element: `element("button", {type: "button", onclick: save}, "Save")`. Attributes and children that are null,
 * undefined or false are left out; a function is a listener of the event after `on`.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, AttributeValue>} attributes
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") created.addEventListener(key.slice(2), value);
    else created.setAttribute(key, value === true ? "" : String(value));
  }
  created.append(...present(children));
  return created;
}

/**
 * Replaces all children of an element.
 *
 * @template {Element} Parent
 * @param {Parent} parent
 * @param {(Child | Child[])[]} children
 * @returns {Parent} the element
 */
export function setChildren(parent, ...children) {
  parent.replaceChildren(...present(children));
  return parent;
}

/**
 * Sets a text only where it differs: a screen reader reads a live region again when the same text is set.
 *
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * An element of index.html.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function elementById(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`expected an element with id ${id} in index.html, got none`);
  return found;
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function present(children) {
  return children.flat().flatMap((child) => (child === null || child === undefined || child === false ? [] : [child]));
}
