// @ts-check
import { element } from "../common/dom.js";
import { field } from "../common/form.js";
import { remembered } from "../common/remembered-input.js";
import { routeURL } from "../common/router.js";
import { debounce } from "../common/scheduling.js";
import { fenceLink, originText } from "./badges.js";
import { PagedList } from "./paged-list.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../api/event-stream.js").EventStream} EventStream */
/** @typedef {import("../fleet/status.js").Status} Status */
/** @typedef {import("../types/api").FenceSummary} FenceSummary */

const inputDelay = 250;

/** All fences by id, and a link to create one. */
export class FencesView {
  /** @type {HTMLElement} */
  element;
  #removeListeners;

  /** @param {{client: ApiClient, stream: EventStream, status: Status}} options */
  constructor({ client, stream, status }) {
    const search = remembered(element("input", { type: "search", autocomplete: "off" }), "search");
    const list = new PagedList({
      client,
      list: element("ul", { class: "rows", "aria-label": "Fences" }),
      makeRow: fenceRow,
      emptyText: "No fences. Create one with the link above, or publish a GeoJSON Feature on headroom/fences/NAME.",
    });
    const show = () => list.show("/fences", { q: search.value });
    search.addEventListener("input", debounce(show, inputDelay));
    const refresh = () => list.refresh();
    this.#removeListeners = [stream.on("map", refresh), stream.onGap(refresh)];
    this.element = element("div", { class: "stack" },
      status.canEdit && element("p", {}, element("a", { href: routeURL("fence") }, "New fence")),
      field("Name", search), list.element);
    show();
  }

  close() { for (const remove of this.#removeListeners) remove(); }
}

/** @param {FenceSummary} fence */
function fenceRow({ id, name, kind, groups, vehicles, inside, origin }) {
  const scope = groups.length + vehicles.length === 0 ? "for all trucks" : `for ${[...groups, ...vehicles].join(", ")}`;
  const count = inside === 1 ? "1 truck inside" : `${inside} trucks inside`;
  return element("li", {}, fenceLink({ id, name }),
    element("p", { class: "small muted" }, [kind, scope, count, originText(origin)].join(" · ")));
}
