// @ts-check
// The entry point, to be read first: creates the objects of the page, and gives each what it needs.
import { ApiClient } from "./api/api-client.js";
import { AuthToken } from "./api/auth-token.js";
import { EventStream } from "./api/event-stream.js";
import { announceAlerts } from "./common/announcer.js";
import { ConnectionStatus, startupError } from "./common/connection-status.js";
import { element, elementById, setChildren, setText } from "./common/dom.js";
import { errorMessage } from "./common/errors.js";
import { Preferences } from "./common/preferences.js";
import { Router } from "./common/router.js";
import { showSettings } from "./common/settings-bar.js";
import { Sound } from "./common/sound.js";
import { Theme } from "./common/theme.js";
import { ServerClock } from "./common/time.js";
import { Undo } from "./common/undo.js";
import { Units } from "./common/units.js";
import { AlertSentences } from "./fleet/alert-sentences.js";
import { Handlings } from "./fleet/handlings.js";
import { OpenAlerts } from "./fleet/open-alerts.js";
import { Selection } from "./fleet/selection.js";
import { Status } from "./fleet/status.js";
import { Trucks } from "./fleet/trucks.js";
import { UntakenAlerts } from "./fleet/untaken-alerts.js";
import { UserName } from "./fleet/user-name.js";
import { AlertLayer } from "./map/alert-layer.js";
import { AreaLayer } from "./map/area-layer.js";
import { addClickActions } from "./map/click-actions.js";
import { legendElement } from "./map/legend.js";
import { FleetMap } from "./map/map.js";
import { showAlert } from "./map/show-alert.js";
import { addTruckLayer } from "./map/truck-layer.js";
import { subscribeToView } from "./map/view-subscription.js";
import { AlertsView } from "./views/alerts.js";
import { ClearanceView } from "./views/clearance.js";
import { ClearancesView } from "./views/clearances.js";
import { ExplanationView } from "./views/explanation.js";
import { FenceView } from "./views/fence.js";
import { FencesView } from "./views/fences.js";
import { LogView } from "./views/log.js";
import { ReportView } from "./views/report.js";
import { TrackView } from "./views/track.js";
import { TruckView } from "./views/truck.js";
import { TrucksView } from "./views/trucks.js";
import { UntakenBanner } from "./views/untaken-banner.js";

/** @typedef {import("./types/api").GatewayStatus} GatewayStatus */

const preferences = new Preferences();
const theme = new Theme(preferences);
const units = new Units(preferences);
const sound = new Sound(preferences);
const token = new AuthToken();
const client = new ApiClient(token);
const stream = new EventStream(client);
const clock = new ServerClock();
const status = new Status(client, stream);
const selection = new Selection();
const trucks = new Trucks(stream);
const alerts = new OpenAlerts(client, stream, units);
const sentences = new AlertSentences(alerts, units);
const untaken = new UntakenAlerts(stream);
const userName = new UserName(preferences, status);
const handlings = new Handlings(client, stream, userName);
const undo = new Undo(elementById("undo"));

showSettings(elementById("settings"), { preferences, units, sound, token });
new ConnectionStatus(elementById("connection"), elementById("error-banner"), stream, status);
announceAlerts({ alerts, untaken, sentences, sound });
stream.on("hello", ({ time }) => clock.synchronize(time));
stream.on("pulse", ({ time }) => clock.synchronize(time));
start();

async function start() {
  let loaded;
  try {
    [loaded] = await Promise.all([status.load(), sentences.load()]);
  } catch (error) {
    setChildren(elementById("panel"), startupError(errorMessage(error)));
    return;
  }
  units.defaultSystem = loaded.units;
  const map = await openMap(loaded);
  if (map) addLayers(map);
  const onShow = (/** @type {string} */ id) => { if (map) showAlert(map, id, { client, alerts, selection, trucks }); };
  openRouter(map, onShow);
  new UntakenBanner(elementById("untaken"), { untaken, handlings, status, sentences, units, onShow: ({ id, lat, lon }) => {
    if (alerts.open.some(({ message }) => message.id === id)) onShow(id);
    else map?.show([lon, lat]);
  } });
  const showRoadsNote = () => { elementById("roads-note").hidden = status.value?.roads !== null; };
  status.on("change", showRoadsNote);
  showRoadsNote();
  subscribeToView(stream, map, units);
}

/**
 * @param {GatewayStatus} loaded
 * @returns {Promise<FleetMap | null>} null: there is no map, and the page says why
 */
async function openMap(loaded) {
  try {
    return await FleetMap.open(elementById("map"), { status: loaded, theme, token });
  } catch (error) {
    showMapNote(`The map is not available, but all lists are. ${errorMessage(error)}`);
    return null;
  }
}

/** @param {FleetMap} map */
function addLayers(map) {
  elementById("map").after(legendElement(theme));
  addTruckLayer(map, { trucks, selection, clock });
  new AlertLayer(map, { client, alerts, stream, trucks });
  new AreaLayer(map, { client, stream, selection, units, onNote: showMapNote });
  addClickActions(map, units);
  map.setUnits(units.system);
  units.on("change", () => map.setUnits(units.system));
  const showFleet = async () => {
    const { bounds } = await status.load();
    if (bounds) map.fitBounds(bounds);
  };
  elementById("map").after(element("button", { type: "button", class: "fleet-button", onclick: showFleet }, "Whole fleet"));
  if (status.value?.bounds === null) followFirstTruck(showFleet);
}

/**
 * Without roads and trucks the map has nothing to begin with.
 *
 * @param {() => void} showFleet
 */
function followFirstTruck(showFleet) {
  const remove = status.on("change", () => {
    if ((status.value?.vehicles ?? 0) === 0) return;
    remove();
    showFleet();
  });
}

/**
 * @param {FleetMap | null} map
 * @param {(id: string) => void} onShow shows an alert on the map
 */
function openRouter(map, onShow) {
  const openTrucks = () => new TrucksView({ client, units });
  const router = new Router(elementById("panel"), elementById("views"), {
    alerts: { link: "Alerts", heading: "Open alerts", open: () => new AlertsView({ alerts, sentences, handlings, status, units, onShow }) },
    trucks: { link: "Trucks", heading: "Trucks", open: openTrucks },
    truck: { parent: "trucks", heading: "Truck", open: (vehicle, heading) => (vehicle === null ? openTrucks()
      : new TruckView({ client, stream, clock, units, selection, alerts, undo, canEdit: status.canEdit, map, vehicle, heading })) },
    why: { parent: "trucks", heading: "Why?", open: (moment, heading) => (moment === null ? openTrucks()
      : new ExplanationView({ client, units, selection, map, moment, heading })) },
    track: { parent: "trucks", heading: "Track", open: (vehicle, heading) => (vehicle === null ? openTrucks()
      : new TrackView({ client, clock, units, selection, status, map, vehicle, heading })) },
    fences: { link: "Fences", heading: "Fences", open: () => new FencesView({ client, stream, status }) },
    fence: { parent: "fences", heading: "Fence",
      open: (id, heading) => new FenceView({ client, undo, units, canEdit: status.canEdit, map, id, heading }) },
    clearances: { link: "Clearances", heading: "Clearances",
      open: () => new ClearancesView({ client, stream, selection, units, map, canEdit: status.canEdit }) },
    clearance: { parent: "clearances", heading: "Clearance",
      open: (id, heading) => new ClearanceView({ client, clock, undo, units, userName, canEdit: status.canEdit, map, id, heading }) },
    log: { link: "Log", heading: "Log", open: (vehicle) => new LogView({ client, stream, vehicle }) },
    report: { link: "Report", heading: "Report", open: () => new ReportView({ client, units }) },
  }, "alerts");
  alerts.on("change", () => showAlertCount(router));
  untaken.on("change", () => showAlertCount(router));
  status.on("change", () => router.setCount("trucks", status.value?.vehicles ?? null));
  router.show();
}

/** @param {Router} router */
function showAlertCount(router) {
  const { count } = alerts;
  router.setCount("alerts", count === 0 ? null : count);
  const toTake = untaken.count === 0 ? "" : `(${untaken.count} need you) `;
  document.title = `${toTake}${count === 0 ? "" : `(${count}) `}Headroom`;
}

/** @param {string | null} text null: hidden */
function showMapNote(text) {
  const note = elementById("map-note");
  note.hidden = text === null;
  setText(note, text ?? "");
}
