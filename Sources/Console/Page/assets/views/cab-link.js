// @ts-check
import { pathSegment } from "../api/api-client.js";
import { element, setChildren } from "../common/dom.js";
import { FormMessage } from "../common/form.js";
import { timeElement } from "../common/time.js";

/** @typedef {import("../api/api-client.js").ApiClient} ApiClient */
/** @typedef {import("../types/api").CabLinkAnswer} CabLinkAnswer */
/** @typedef {import("../types/api").CabPhone} CabPhone */

/** Makes a link that pairs a driver's phone with a truck, and lists the phones that are paired. */
export class CabLink {
  /** @type {HTMLElement} */
  element;
  /** @type {ApiClient} */
  #client;
  #path;
  /** @type {boolean} */
  #canEdit;
  #message = new FormMessage();
  #link = element("div");
  #phones = element("ul", { class: "rows small" });

  /** @param {{client: ApiClient, vehicle: string, canEdit: boolean}} options */
  constructor({ client, vehicle, canEdit }) {
    this.#client = client;
    this.#path = `/vehicles/${pathSegment(vehicle)}`;
    this.#canEdit = canEdit;
    this.element = element("section", { id: "cab-link" }, element("h3", {}, "Phones in the cab"),
      canEdit && element("button", { type: "button", onclick: () => this.#make() }, "Cab link"),
      this.#message.element, this.#link, this.#phones);
    this.#message.run(() => this.#list(), "Loading…");
  }

  #make() {
    return this.#message.run(async () => {
      /** @type {CabLinkAnswer} */
      const { path, link, qr, expires_at: end } = await this.#client.post(`${this.#path}/cab-links`);
      const address = link ?? location.origin + path;
      setChildren(this.#link,
        element("p", {}, "For one phone, until ", timeElement(end), ": scan this code, or open the link on the phone."),
        qr && element("img", {
          class: "qr", alt: "QR code of the link", src: `data:image/svg+xml,${encodeURIComponent(qr)}`, width: 240, height: 240,
        }),
        element("p", {}, element("a", { href: address, class: "address" }, address)));
      await this.#list();
    });
  }

  async #list() {
    /** @type {{items: CabPhone[]}} */
    const { items } = await this.#client.get(`${this.#path}/cab-tokens`);
    this.#message.clear();
    setChildren(this.#phones, items.length === 0 && element("li", {}, "No phone is paired."),
      items.map((phone) => this.#row(phone)));
  }

  /** @param {CabPhone} phone */
  #row({ id, created_at: start, expires_at: end }) {
    const revoke = () => this.#message.run(async () => {
      await this.#client.delete(`/cab-tokens/${id}`);
      await this.#list();
    });
    return element("li", {}, "Paired ", timeElement(start), ", until ", timeElement(end), " ",
      this.#canEdit && element("button", { type: "button", class: "danger", onclick: revoke, "aria-label": `Revoke phone ${id}` },
        "Revoke"));
  }
}
