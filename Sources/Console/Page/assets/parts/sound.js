/** Two short tones when a truck must stop. Browsers let a page sound only after its viewer has touched it. */
export class Sound {
  #preferences;
  #context = null;

  constructor(preferences) {
    this.#preferences = preferences;
    addEventListener("pointerdown", () => this.#wake());
    addEventListener("keydown", () => this.#wake());
  }

  get isOn() { return this.#preferences.get("sound") === "on"; }

  /** Also plays, so that the viewer hears what to expect. */
  turn(on) {
    this.#preferences.set("sound", on ? "on" : "off");
    if (!on) return;
    this.#wake();
    this.play();
  }

  play() {
    if (!this.isOn || this.#context?.state !== "running") return;
    this.#tone(880, 0);
    this.#tone(660, 0.28);
  }

  #wake() {
    if (!this.isOn) return;
    this.#context ??= new AudioContext();
    if (this.#context.state === "suspended") this.#context.resume();
  }

  #tone(hertz, delay) {
    const start = this.#context.currentTime + delay;
    const oscillator = new OscillatorNode(this.#context, { frequency: hertz, type: "triangle" });
    const volume = new GainNode(this.#context, { gain: 0.25 });
    volume.gain.setTargetAtTime(0, start + 0.18, 0.03);
    oscillator.connect(volume).connect(this.#context.destination);
    oscillator.start(start);
    oscillator.stop(start + 0.4);
  }
}
