/**
 * Up and Down, Home and End move the focus among the rows of a list, beside Tab: a list of a hundred is long to tab.
 *
 * @param selector of what takes the focus in each row
 */
export function arrowKeys(list, selector) {
  list.addEventListener("keydown", (event) => {
    const stops = [...list.querySelectorAll(selector)];
    const at = stops.indexOf(document.activeElement);
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    stops[Math.min(Math.max(to, 0), stops.length - 1)].focus();
  });
  return list;
}
