import { OpenAlerts } from "./fleet/open-alerts.js";
import { Selection } from "./fleet/selection.js";
import { Status } from "./fleet/status.js";
import { Trucks } from "./fleet/trucks.js";
import { level, Server } from "./link/server.js";
import { Stream } from "./link/stream.js";
import { Tokens } from "./link/tokens.js";
import { legendElement } from "./map/legend.js";
import { FleetMap } from "./map/map.js";
import { Perils } from "./map/perils.js";
import { hearPicks } from "./map/picks.js";
import { bboxText, boundsOf } from "./map/shapes.js";
import { Surroundings } from "./map/surroundings.js";
import { Traffic } from "./map/traffic.js";
import { announce } from "./parts/announcer.js";
import { showChoices } from "./parts/choices.js";
import { beginningProblem, ConnectionLine } from "./parts/connection-line.js";
import { fill, say } from "./parts/element.js";
import { afterwards } from "./parts/pacing.js";
import { Preferences } from "./parts/preferences.js";
import { Router } from "./parts/router.js";
import { Sound } from "./parts/sound.js";
import { Theme } from "./parts/theme.js";
import { ServerClock } from "./parts/times.js";
import { Units } from "./parts/units.js";
import { AlertsView } from "./views/alerts.js";
import { ClearancesView } from "./views/clearances.js";
import { FenceView } from "./views/fence.js";
import { FencesView } from "./views/fences.js";
import { LogView } from "./views/log.js";
import { TruckView } from "./views/truck.js";
import { TrucksView } from "./views/trucks.js";

/** The file to read first: the parts of the page, and who hears whom. */
const at = (id) => document.getElementById(id);

const preferences = new Preferences();
const theme = new Theme(preferences);
const units = new Units(preferences);
const tokens = new Tokens();
const server = new Server(tokens);
const stream = new Stream(server);
const status = new Status(server, stream);
const clock = new ServerClock();
const sound = new Sound(preferences);
const selection = new Selection();
const trucks = new Trucks(stream);
const alerts = new OpenAlerts(server, stream);
/** What views are given; `map` is null where there is none. */
const parts = { preferences, units, tokens, server, stream, status, clock, sound, selection, trucks, alerts, map: null, showAlert };

showChoices(at("choices"), parts);
new ConnectionLine(at("connection"), at("trouble"), parts);
announce(parts);
stream.on("hello", ({ time }) => clock.hear(time));
stream.on("pulse", ({ time }) => clock.hear(time));
begin();

async function begin() {
  try {
    const { units: usual } = await status.load();
    units.usual = usual;
  } catch (problem) {
    fill(at("panel"), beginningProblem(problem));
    return;
  }
  await openMap();
  openViews();
  stream.watch(streamView());
}

async function openMap() {
  try {
    parts.map = await FleetMap.open(at("map"), status.value, theme, tokens);
  } catch (problem) {
    noteOnMap(`There is no map, but all lists work. ${problem.message}`);
    return;
  }
  at("map").after(legendElement(theme));
  new Traffic(parts.map, parts);
  new Perils(parts.map, parts);
  new Surroundings(parts.map, parts, noteOnMap);
  hearPicks(parts.map, parts);
  const showUnits = () => { parts.map.units = units.system; };
  units.on("change", showUnits);
  showUnits();
  parts.map.on("moved", afterwards(400, watchWhatIsSeen));
}

function openViews() {
  const router = new Router(at("panel"), at("views"), {
    alerts: { link: "Alerts", heading: "Open alerts", open: () => new AlertsView(parts) },
    trucks: { link: "Trucks", heading: "Trucks", open: () => new TrucksView(parts) },
    truck: { under: "trucks", heading: "Truck", open: (id, heading) => new TruckView(parts, id, heading) },
    fences: { link: "Fences", heading: "Fences", open: () => new FencesView(parts) },
    fence: { under: "fences", heading: "Fence", open: (id, heading) => new FenceView(parts, id, heading) },
    clearances: { link: "Clearances", heading: "Clearances", open: () => new ClearancesView(parts) },
    log: { link: "Log", heading: "Log", open: (vehicle) => new LogView(parts, vehicle) },
  });
  alerts.on("change", () => {
    const count = alerts.open.length;
    router.count("alerts", count === 0 ? "" : String(count));
    document.title = count === 0 ? "Headroom" : `(${count}) Headroom`;
  });
  status.on("change", () => router.count("trucks", String(status.value.vehicles)));
  router.show();
}

/** What the stream brings: `{area, zoom}`. */
let watched = null;

/** Small steps stay within what the stream brings already; another zoom may want other clusters. */
function watchWhatIsSeen() {
  const [west, south, east, north] = parts.map.seen;
  const { area, zoom } = watched;
  const isInside = area[0] <= west && area[1] <= south && area[2] >= east && area[3] >= north;
  if (!isInside || Math.floor(zoom) !== Math.floor(parts.map.zoom)) stream.watch(streamView());
}

/** Without a map the stream brings all but positions. */
function streamView() {
  if (parts.map === null) return { bbox: "0,0,0,0", zoom: 0 };
  watched = { area: parts.map.area, zoom: parts.map.zoom };
  return { bbox: bboxText(watched.area), zoom: Math.max(0, Math.floor(watched.zoom)) };
}

function noteOnMap(text) {
  at("map-note").hidden = text === null;
  say(at("map-note"), text ?? "");
}

/** An alert's bridge, its way round and its truck, as large as they fit. */
async function showAlert(id) {
  const alert = alerts.open.find(({ message }) => message.id === id);
  if (!alert || parts.map === null) return;
  const { clearance, detour, vehicle } = alert.message;
  selection.choose(vehicle);
  const places = [clearance, ...(detour ? [detour] : []), ...await placeOf(vehicle)].map(({ lon, lat }) => [lon, lat]);
  parts.map.fit(boundsOf({ coordinates: [...places, ...(detour?.line?.coordinates ?? [])] }));
}

/** The truck may be far from what the map shows; without it the rest is shown all the same. */
async function placeOf(vehicle) {
  try {
    const place = trucks.get(vehicle) ?? await server.get(`/vehicles/${level(vehicle)}`);
    return place.lat === null ? [] : [place];
  } catch {
    return [];
  }
}
