// @ts-check
import { playTone } from "../assets/common/sound.js";
import { stages } from "./hazard-watch.js";

/** Milliseconds: on, off, on. */
const vibration = [400, 150, 400];

/** Sounds, speaks and vibrates once for each stage of each alarm. */
export class Alarm {
  /** What was told, by alert. @type {Map<string, Set<string>>} */
  #told = new Map();
  /** @type {AudioContext | null} */
  #context = null;
  /** What is spoken now, or was last: an index of `stages`. */
  #spokenRank = stages.length;

  /** A call interrupts the sound, and not every browser goes on with it by itself. */
  constructor() { addEventListener("pointerdown", () => this.#context?.resume()); }

  /** Browsers allow sound and speech only after a touch: called by one. */
  unlock() {
    this.#context ??= new AudioContext();
    this.#context.resume();
    if ("speechSynthesis" in window) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
  }

  /**
   * @param {{id: string, told: string, stage: string, text: string, language: string}[]} alarms all that are shown, without notices;
   *   what has the same `told` is told once
   * @param {string[]} open the alerts that are open, also where the way to the bridge was left
   */
  tell(alarms, open) {
    const untold = alarms.filter(({ id, told }) => !this.#told.get(id)?.has(told));
    // What the page has said by itself is not said again once the gateway says the same.
    this.#told = new Map(open.map((id) => [id, this.#told.get(id) ?? new Set()]));
    for (const { id, told } of untold) this.#told.get(id)?.add(told);
    if (untold.length === 0) return;
    this.#sound();
    navigator.vibrate?.(vibration);
    if ("speechSynthesis" in window) this.#speak(untold);
  }

  /** @param {{stage: string, text: string, language: string}[]} alarms the worst first; only a worse one cuts off what is spoken */
  #speak(alarms) {
    const rank = stages.indexOf(alarms[0].stage);
    if (rank < this.#spokenRank || !speechSynthesis.speaking) {
      speechSynthesis.cancel();
      this.#spokenRank = rank;
    }
    for (const { stage, text, language } of alarms) {
      const spoken = utterance(text, language);
      spoken.onstart = () => { this.#spokenRank = stages.indexOf(stage); };
      speechSynthesis.speak(spoken);
    }
  }

  #sound() {
    if (this.#context === null) return;
    this.#context.resume();
    playTone(this.#context, 880, 0);
    playTone(this.#context, 660, 0.28);
  }
}

/**
 * @param {string} text
 * @param {string} language
 */
function utterance(text, language) {
  const spoken = new SpeechSynthesisUtterance(text);
  spoken.lang = language;
  return spoken;
}
