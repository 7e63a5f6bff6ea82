// @ts-check
import { playTone } from "../assets/common/sound.js";

/** @typedef {import("../assets/types/api").OpenAlertAnswer} OpenAlertAnswer */

/** Milliseconds: on, off, on. */
const vibration = [400, 150, 400];

/** Sounds, speaks and vibrates once for each stage of each alarm. */
export class Alarm {
  /** Of what was told: alert and stage. @type {Set<string>} */
  #told = new Set();
  /** @type {AudioContext | null} */
  #context = null;

  /** Browsers allow sound and speech only after a touch: called by one. */
  unlock() {
    this.#context ??= new AudioContext();
    this.#context.resume();
    if ("speechSynthesis" in window) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
  }

  /** @param {OpenAlertAnswer[]} alarms all that are open, without notices */
  tell(alarms) {
    const keys = alarms.map(({ id, stage }) => `${id} ${stage}`);
    const untold = alarms.filter((_, index) => !this.#told.has(keys[index]));
    this.#told = new Set(keys);
    if (untold.length === 0) return;
    this.#sound();
    navigator.vibrate?.(vibration);
    if (!("speechSynthesis" in window)) return;
    speechSynthesis.cancel();
    for (const { text_now: text } of untold) speechSynthesis.speak(utterance(text));
  }

  #sound() {
    if (this.#context?.state !== "running") return;
    playTone(this.#context, 880, 0);
    playTone(this.#context, 660, 0.28);
  }
}

/** @param {string} text */
function utterance(text) {
  const spoken = new SpeechSynthesisUtterance(text);
  spoken.lang = document.documentElement.lang;
  return spoken;
}
