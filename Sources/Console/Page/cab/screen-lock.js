// @ts-check

/** Keeps the screen on while the page is seen. The browser ends that whenever it is not, so that it is asked for again then. */
export class ScreenLock {
  /** @type {WakeLockSentinel | null} */
  #lock = null;
  #isWanted = false;

  constructor() { document.addEventListener("visibilitychange", () => this.#request()); }

  get isHeld() { return this.#lock !== null && !this.#lock.released; }

  async start() {
    this.#isWanted = true;
    await this.#request();
  }

  async stop() {
    this.#isWanted = false;
    await this.#lock?.release();
  }

  async #request() {
    if (!this.#isWanted || this.isHeld || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      this.#lock = await navigator.wakeLock.request("screen");
    } catch {
      this.#lock = null; // refused, as where the battery is low; the page says that the screen may turn off
    }
  }
}
