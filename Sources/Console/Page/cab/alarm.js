// @ts-check
import { playTone } from "../assets/common/sound.js";

/** Milliseconds: on, off, on. */
const vibration = [400, 150, 400];

/** Sounds, speaks and vibrates once for each stage of each alarm. */
export class Alarm {
  /** The stages that were told, by alert. @type {Map<string, Set<string>>} */
  #told = new Map();
  /** @type {AudioContext | null} */
  #context = null;

  /** Browsers allow sound and speech only after a touch: called by one. */
  unlock() {
    this.#context ??= new AudioContext();
    this.#context.resume();
    if ("speechSynthesis" in window) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
  }

  /** @param {{id: string, stage: string, text: string, language: string}[]} alarms all that are open, without notices */
  tell(alarms) {
    const untold = alarms.filter(({ id, stage }) => !this.#told.get(id)?.has(stage));
    // What the page has said by itself is not said again once the gateway says the same.
    this.#told = new Map(alarms.map(({ id, stage }) => [id, new Set([...(this.#told.get(id) ?? []), stage])]));
    if (untold.length === 0) return;
    this.#sound();
    navigator.vibrate?.(vibration);
    if (!("speechSynthesis" in window)) return;
    speechSynthesis.cancel();
    for (const { text, language } of untold) speechSynthesis.speak(utterance(text, language));
  }

  #sound() {
    if (this.#context?.state !== "running") return;
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
