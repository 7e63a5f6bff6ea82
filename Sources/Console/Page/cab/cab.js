// @ts-check
import { element, elementById, setChildren, setText } from "../assets/common/dom.js";
import { errorMessage } from "../assets/common/errors.js";
import { withoutOverlap } from "../assets/common/scheduling.js";
import { Texts } from "../assets/common/texts.js";
import { Units } from "../assets/common/units.js";
import { Acknowledgements } from "./acknowledgements.js";
import { Alarm } from "./alarm.js";
import { CabError } from "./cab-client.js";
import { Connection } from "./connection.js";
import { Database } from "./database.js";
import { DriveScreen } from "./drive-screen.js";
import { FixQueue } from "./fix-queue.js";
import { FixSender } from "./fix-sender.js";
import { HazardWatch } from "./hazard-watch.js";
import { Heading } from "./heading.js";
import { isShared } from "./limits.js";
import { forgetPairing, onOtherPairing, pairing, removeCode, storedPairing } from "./pairing.js";
import { Positions } from "./positions.js";
import { isToBeReported } from "./report-plan.js";
import { ScreenLock } from "./screen-lock.js";
import { StartScreen } from "./start-screen.js";
import { SurroundingRoads } from "./surrounding-roads.js";

/** @typedef {import("../assets/types/api").DeviceFix} DeviceFix */
/** @typedef {import("./pairing.js").Pairing} Pairing */

const tickMilliseconds = 1000;

/** What the phone does for its vehicle, from the pairing to the end of sharing. */
class Cab {
  #main = elementById("main");
  #positions;
  #screenLock = new ScreenLock();
  #alarm = new Alarm();
  #heading = new Heading();
  #units = new Units(null);
  #connection;
  #hazards;
  #queue;
  #roads;
  #sender;
  #texts;
  #timer = setInterval(() => this.#tick(), tickMilliseconds);
  /** Until the driver's first touch: only the start may be drawn anew. */
  #isAtStart = true;
  /** Whether the driver has started, and the gateway has not said yet that it may use the position. */
  #isConsentDue = false;
  #consent = withoutOverlap(() => this.#sendConsent());
  /**
   * The last consent that was sent, which may still be on its way.
   *
   * @type {Promise<unknown>}
   */
  #grant = Promise.resolve();
  /** @type {DriveScreen | null} null: not driving */
  #screen = null;

  /**
   * @param {Pairing} pairing
   * @param {FixQueue} queue
   * @param {Acknowledgements} acknowledgements
   * @param {Texts} texts
   */
  constructor({ vehicle, token }, queue, acknowledgements, texts) {
    this.#queue = queue;
    this.#texts = texts;
    this.#connection = new Connection(token, acknowledgements);
    this.#positions = new Positions(this.#connection.clock);
    this.#sender = new FixSender(queue, token, this.#connection.clock);
    this.#hazards = new HazardWatch(this.#connection);
    this.#roads = new SurroundingRoads(token);
    setText(elementById("vehicle"), vehicle);
    this.#positions.on("fix", (fix) => this.#take(fix));
    this.#connection.on("connected", () => this.#sender.endPause());
    this.#connection.on("answer", ({ height }) => {
      if (height) this.#units.defaultSystem = height.units;
      this.#texts.use(height?.language ?? null);
      this.#update();
    });
    this.#connection.on("unpaired", (text) => {
      this.#stop();
      forgetPairing(token);
      showMessage(text);
    });
    this.#units.language = texts.language;
    this.showStart();
    texts.on("change", () => (this.#units.language = texts.language));
    texts.on("change", () => (this.#isAtStart ? this.showStart() : this.#update()));
  }

  showStart() {
    setChildren(this.#main, new StartScreen({
      connection: this.#connection, units: this.#units, texts: this.#texts,
      onTouch: () => {
        this.#isAtStart = false;
        this.#alarm.unlock();
        this.#positions.start();
        this.#screenLock.start();
      },
      onStart: () => this.#start(),
    }).element);
  }

  #start() {
    this.#screen = new DriveScreen({
      connection: this.#connection, hazards: this.#hazards, positions: this.#positions, roads: this.#roads,
      screenLock: this.#screenLock, sender: this.#sender, units: this.#units, texts: this.#texts,
      onStopSharing: () => this.#stopSharing(),
    });
    setChildren(this.#main, this.#screen.element);
    this.#isConsentDue = true;
    this.#consent();
  }

  async #sendConsent() {
    if (!this.#isConsentDue || !this.#connection.isConnected) return;
    try {
      const isKnown = isShared(this.#connection.last?.state ?? null);
      if (!isKnown) {
        this.#grant = this.#connection.put("consent", { status: "when-in-use", in_use: true });
        await this.#grant;
      }
      this.#isConsentDue = false;
    } catch {
      // Sent again in the next second. The screen says that the position is not shared, as long as that is so.
    }
  }

  /** @param {DeviceFix} fix */
  async #take(fix) {
    const moving = this.#heading.completed(fix);
    this.#hazards.move(moving);
    this.#screen?.move(moving);
    this.#update();
    if (!isToBeReported(fix, this.#connection.last)) return;
    try {
      await this.#queue.add(fix);
      this.#sender.send();
    } catch {
      this.#sender.sendUnkept(fix);
    }
  }

  #tick() {
    this.#connection.tick();
    this.#consent();
    this.#sender.send();
    this.#update();
  }

  #update() {
    if (this.#screen === null) return;
    this.#screen.update();
    this.#alarm.tell(this.#screen.alarms, this.#hazards.openAlerts);
  }

  #stop() {
    clearInterval(this.#timer);
    this.#isAtStart = false;
    this.#isConsentDue = false;
    this.#connection.stop();
    this.#screen = null;
    this.#positions.stop();
    this.#screenLock.stop();
    this.#sender.stop();
  }

  async #stopSharing() {
    const message = element("p", { role: "status" }, this.#texts.text("pageSending"));
    const again = element("button", { type: "button", onclick: () => location.reload() }, this.#texts.text("pageBackToStart"));
    this.#stop();
    setChildren(this.#main, message);
    // Where the phone can keep nothing, the gateway is told all the same.
    await this.#queue.clear().catch(() => {});
    // One that is still on its way could come after the denial, and share the position again.
    await this.#grant.catch(() => {});
    try {
      await this.#connection.put("consent", { status: "denied" });
      setText(message, this.#texts.text("pageStopped"));
      this.#main.append(again);
    } catch (error) {
      setText(message, this.#texts.text("pageNotTold", { problem: errorMessage(error) }));
      this.#main.append(again, element("button", { type: "button", onclick: () => this.#stopSharing() }, this.#texts.text("pageTryAgain")));
    }
  }
}

/** @param {string} text */
function showMessage(text) { setChildren(elementById("main"), element("p", { id: "message", role: "alert" }, text)); }

async function start() {
  navigator.serviceWorker?.register("/cab/worker.js", { type: "module", scope: "/cab" }).catch(() => {});
  const texts = await Texts.loaded();
  try {
    const paired = await pairing();
    removeCode();
    if (paired === null) showMessage(texts.text("pageUnpaired"));
    else await open(paired, texts);
  } catch (error) {
    showPairingError(error, texts);
  }
}

/**
 * @param {Pairing} paired
 * @param {Texts} texts
 */
async function open(paired, texts) {
  const database = await Database.opened();
  // The phone speaks for one vehicle with one token, in whichever tab.
  onOtherPairing(paired.token, () => location.reload());
  const queue = await FixQueue.opened(database, paired.vehicle);
  new Cab(paired, queue, await Acknowledgements.opened(database, paired.vehicle), texts);
}

/**
 * @param {unknown} error
 * @param {Texts} texts
 */
function showPairingError(error, texts) {
  // A code that could not be sent is still good: it stays in the address, for a reload.
  const isRefused = error instanceof CabError && error.status === 410;
  if (isRefused) removeCode();
  const vehicle = isRefused ? storedPairing()?.vehicle : undefined;
  const advice = vehicle === undefined ? "" : ` ${texts.text("pageStillPaired", { vehicle })}`;
  showMessage(`${errorMessage(error)}${advice}`);
}

// A link that is opened in this tab changes the address only.
addEventListener("hashchange", () => location.reload());
start();
