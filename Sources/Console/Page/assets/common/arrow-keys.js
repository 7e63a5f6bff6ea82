// @ts-check

/**
 * Up and Down, Home and End move the focus among the rows of a list, in addition to Tab.
 *
 * @template {HTMLElement} List
 * @param {List} list
 * @param {string} selector of the element that takes the focus in each row
 * @returns {List} the list
 */
export function addArrowKeys(list, selector) {
  list.addEventListener("keydown", (event) => {
    /** @type {NodeListOf<HTMLElement>} */
    const targets = list.querySelectorAll(selector);
    const current = [...targets].findIndex((target) => target === document.activeElement);
    const next = current < 0 ? null : nextIndex(event.key, current, targets.length);
    if (next === null) return;
    event.preventDefault();
    targets[Math.min(Math.max(next, 0), targets.length - 1)].focus();
  });
  return list;
}

/**
 * @param {string} key
 * @param {number} current
 * @param {number} count
 * @returns {number | null} null: the key does not move the focus
 */
function nextIndex(key, current, count) {
  switch (key) {
    case "ArrowDown": return current + 1;
    case "ArrowUp": return current - 1;
    case "Home": return 0;
    case "End": return count - 1;
    default: return null;
  }
}
