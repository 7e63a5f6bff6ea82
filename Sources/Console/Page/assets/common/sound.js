// @ts-check
import { EventEmitter } from "./event-emitter.js";

/** @typedef {import("./preferences.js").Preferences} Preferences */

/**
 * Plays two short tones for a stop alert. Browsers allow sound only after the user has interacted with the page. Emits `change`.
 *
 * @extends {EventEmitter<{change: []}>}
 */
export class Sound extends EventEmitter {
  /** @type {Preferences} */
  #preferences;
  /** @type {AudioContext | null} */
  #context = null;

  /** @param {Preferences} preferences */
  constructor(preferences) {
    super();
    this.#preferences = preferences;
    addEventListener("pointerdown", () => this.#resume());
    addEventListener("keydown", () => this.#resume());
  }

  get isEnabled() { return this.#preferences.get("sound") === "on"; }

  /** Whether nothing would be heard until the user touches the page. */
  get isBlocked() { return this.isEnabled && this.#context?.state !== "running"; }

  /**
   * Also plays the tones when enabled, so that the user knows them.
   *
   * @param {boolean} isEnabled
   */
  setEnabled(isEnabled) {
    this.#preferences.set("sound", isEnabled ? "on" : "off");
    this.emit("change");
    if (!isEnabled) return;
    this.#resume();
    this.play();
  }

  play() {
    if (!this.isEnabled || this.#context?.state !== "running") return;
    playTone(this.#context, 880, 0);
    playTone(this.#context, 660, 0.28);
  }

  #resume() {
    if (!this.isEnabled) return;
    if (this.#context === null) {
      this.#context = new AudioContext();
      this.#context.onstatechange = () => this.emit("change");
    }
    if (this.#context.state !== "running") this.#context.resume();
  }
}

/**
 * @param {AudioContext} context
 * @param {number} frequency in hertz
 * @param {number} delay in seconds
 */
export function playTone(context, frequency, delay) {
  const start = context.currentTime + delay;
  const oscillator = new OscillatorNode(context, { frequency, type: "triangle" });
  const volume = new GainNode(context, { gain: 0.25 });
  volume.gain.setTargetAtTime(0, start + 0.18, 0.03);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.4);
}
