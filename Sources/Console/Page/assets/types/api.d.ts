// What the page reads of the API's answers and of the stream's events; Documents/openapi.json and asyncapi.json describe all of it.

import type { Bounds, Feature, Geometry, LineString, Point, Position } from "./geojson";

/** RFC 3339, UTC. */
export type Time = string;
export type Stage = "ahead" | "detour" | "stop" | "cleared" | "passed";
export type Verdict = "too-low" | "unknown" | "fits";
export type UnitSystem = "imperial" | "metric";
export type QueryValue = string | number | null | undefined;
/** Members that are null, undefined or empty are not sent. */
export type Query = Record<string, QueryValue>;

export interface ListPage<Item> {
  items: Item[];
  /** The cursor of the next page. */
  next: string | null;
}

export interface FeaturePage<Item> {
  features: Item[];
  next: string | null;
}

export interface ErrorAnswer {
  error: { message: string };
}

/** The answer to a change. */
export interface Outcome {
  note: string | null;
}

export interface GatewayStatus {
  ready: boolean;
  problems: string[];
  degraded: string[];
  retained_missing: number;
  broker_connected: boolean;
  role: "viewer" | "editor";
  /** Of the token's bearer. */
  name: string | null;
  units: UnitSystem;
  /** Seconds; 0: positions are not kept. */
  keep_positions: number;
  vehicles: number;
  roads: { bounds: Bounds | null; base_map: boolean } | null;
  bounds: Bounds | null;
  map: MapSettings & { library: boolean };
}

export interface MapSettings {
  style: string | null;
  tiles: string | null;
  attribution: string | null;
}

export interface Circle {
  lat: number;
  lon: number;
  /** Metres. */
  radius: number;
}

export interface FenceReference {
  id: string;
  name: string | null;
}

export interface HeightSummary {
  /** Metres. */
  value: number;
  source: string | null;
  status: "ok" | "stale" | "assumed";
}

export interface Height extends HeightSummary {
  /** With the margin, metres. */
  effective: number;
  /** As the profile says, metres, also once that has ceased to hold; null: no profile says it. */
  reported: number | null;
  measured_at: Time | null;
  since: Time | null;
  valid_until: Time | null;
  /** Metres. */
  margin: number;
  units: UnitSystem;
  /** Of texts for the driver; null: the profile does not say. */
  language: string | null;
  groups: string[];
}

/** What summaries and details of vehicles share. */
interface VehicleBase {
  vehicle: string;
  lat: number | null;
  lon: number | null;
  time: Time | null;
  /** Seconds. */
  age: number | null;
  accuracy: number | null;
  /** Metres a second. */
  speed: number | null;
  /** Degrees clockwise from true north. */
  course: number | null;
  consent: string | null;
  presence: "online" | "offline" | null;
  blind: string[];
  stage: Stage | null;
}

export interface VehicleSummary extends VehicleBase {
  height: HeightSummary | null;
}

export interface VehicleDetail extends VehicleBase {
  height: Height | null;
  alerts: OpenAlertAnswer[];
  fences: FenceReference[];
  fences_as_of: Time | null;
  regions: RegionSet;
  quiet: Circle | null;
  last_visit: Visit | null;
}

/** One clearance, as it can be changed and put back. */
export type ClearanceInForce = ClearanceFeature & {
  properties: { clearance: string; approach: number[]; detours: Position[]; passage: "under" | "over" | null; origin: "map" | "file" | "topic" };
};

/** What would follow if a clearance were entered. */
export interface ClearancePreview {
  usable: boolean;
  note: string | null;
  /** Metres. */
  was: number | null;
  road: string | null;
  /** Effective, of the vehicles that the verdict is for. */
  height: number;
  verdict: Verdict;
  approaches: { detour: { turn_onto: string | null; distance_to_entry: number; length: number } | null }[];
  map: { features: Feature<Geometry, { kind: string }>[] };
  /** Those nearby that would be too high. */
  vehicles: { vehicle: string; distance: number }[];
  vehicles_left_out: number;
}

/** What the fleet's alerts of the last 30 days say of a clearance. */
export interface ClearanceEvidence {
  alerts: number;
  passes: number;
  last_pass: ClearancePass | null;
  tallest_pass: ClearancePass | null;
}

export interface ClearancePass {
  vehicle: string;
  time: Time;
  /** Metres. */
  height: number;
}

/** Why a vehicle is alerted at a time, or why it is not. */
export interface Explanation {
  time: Time;
  basis: "present" | "track";
  /** All of it in sentences. */
  text: string;
  fix: { lat: number; lon: number; course?: number };
  path?: { line: LineString };
  clearances: ExplainedClearance[];
}

export interface ExplainedClearance {
  id: string;
  name: string;
  lat: number;
  lon: number;
  /** Metres. */
  limit?: number;
  /** In a straight line, metres. */
  distance: number;
  verdict: Verdict;
  /** One for each way into it. */
  hazards: { rule?: string }[];
  /** Where no road is known that it limits. */
  straight_line?: { is_due: boolean };
  /** The rule that speaks of it, or the reason for silence. */
  text: string;
}

/** Where a vehicle was; each list has one element for each position. */
export interface TrackFeature {
  geometry: Point | LineString | { type: "MultiLineString"; coordinates: Position[][] } | null;
  properties: { times: Time[]; speeds: (number | null)[]; courses: (number | null)[] };
}

export interface RegionSet {
  version: number | null;
  acknowledged: number | null;
  limit: number;
  items: (Circle & { id: string; kind: string; failed: string | null })[];
}

export interface FenceSummary extends FenceReference {
  kind: string;
  groups: string[];
  vehicles: string[];
  inside: number;
  origin: FenceOrigin;
}

export type FenceOrigin = "file" | "topic";

export interface FenceProperties {
  name?: string | null;
  groups?: string[];
  vehicles?: string[];
  /** Metres, or a text with a unit. */
  radius?: number | string;
  width?: number | string;
  /** Seconds, or a text with a unit. */
  dwell?: number | string | null;
  hysteresis?: number | string;
  hours?: { zone: string; week: string } | null;
  /** Set by the gateway. */
  origin?: FenceOrigin;
  kind?: string;
  inside?: number;
}

export type FenceFeature = Feature<Geometry, FenceProperties>;

export interface ClearanceProperties {
  name: string;
  /** Metres; null: not known. */
  height: number | null;
  posted: string;
  source: string;
  date: string | null;
  author: string | null;
  valid_until: string | null;
  verdict: Verdict | null;
  standing: "in-force" | "unsnapped" | "merged";
  road: string | null;
}

export interface ClearanceSummary extends ClearanceProperties {
  id: string;
  lat: number;
  lon: number;
}

export type ClearanceFeature = Feature<Point, ClearanceProperties> & { id: string };

export interface Alert {
  id: string;
  sequence: number;
  type: "low-clearance";
  stage: Stage;
  /** A notice is for the eye only. */
  attention: "alarm" | "notice";
  vehicle: string;
  time: Time;
  published_at: Time;
  clearance: { name: string; height: number | null; posted: string; verdict: Verdict; lat: number; lon: number };
  /** To the low edge, along the road, metres. */
  distance: number;
  /** Seconds to the low edge. */
  eta: number;
  /** The way straight on is fine: the bridge lies round a corner. */
  side_road: boolean;
  detour: { lat: number; lon: number; distance: number; turn_onto?: string | null; line: LineString } | null;
  /** "Possible": of a notice, of a bridge of unknown height, or where no road is known and a straight line counts. */
  certainty: string;
  /** Why it was cleared. */
  reason?: string;
  /** In the driver's language and units. */
  text: string;
}

export interface OpenAlertAnswer extends Alert {
  /** The sequence that the driver has acknowledged. */
  acknowledged: number | null;
  /** What the driver was told, with the distances of now. */
  text_now: string;
  handling: Handling | null;
  now: { time: Time; distance: number; detour_distance: number | null } | null;
}

/** An alert that a dispatcher has to take. */
export interface UntakenAlert {
  id: string;
  sequence: number;
  vehicle: string;
  stage: Stage;
  time: Time;
  text: string;
  lat: number;
  lon: number;
  /** When nobody had answered it for too long. */
  escalated_at: Time | null;
}

/** Who of dispatch sees to an alert, as of one change of that. */
export interface Handling {
  /** Of the alert. */
  id: string;
  /** Another one for each change. */
  sequence: number;
  type: "handling";
  vehicle: string;
  time: Time;
  status: "taken" | "closed" | "ended";
  by: string;
  note: string | null;
  taken_at: Time;
  alert_open: boolean;
}

/** One of the features that a map shows of an alert. */
export type AlertPartFeature = Feature<Geometry, {
  kind: "clearance" | "detour" | "detour-line" | "told" | "vehicle";
  vehicle: string;
  height?: number | null;
  turn_onto?: string | null;
}>;

export interface FenceEvent {
  id: string;
  type: "fence";
  event: "determined" | "enter" | "exit" | "dwell";
  state: "inside" | "outside";
  vehicle: string;
  time: Time;
  crossed_at: Time;
  fence: FenceReference;
  through?: boolean;
}

export interface Visit {
  id: string;
  type: "visit";
  phase: "arrived" | "departed" | "withdrawn";
  confirmed: boolean;
  vehicle: string;
  time: Time;
  arrival: Time | null;
  departure: Time | null;
  fences: string[];
}

export interface RouteCheck {
  id: string;
  type: "route-check";
  vehicle: string;
  time: Time;
  clearances: { name: string; height: number | null; lat: number; lon: number; distance: number }[];
  /** The expected way; null: none is found. */
  line: LineString | null;
  /** A way without what is too low. */
  safe_line: LineString | null;
  text: string;
}

/** A route as it is published, with the answer to it: waypoints, or a Feature. */
export interface VehicleRoute {
  waypoints?: Position[];
  geometry?: LineString;
  check: RouteCheck | null;
}

export type LogMessage = Alert | RouteCheck | FenceEvent | Visit | Handling;

/** What became of some alerts. */
export interface AlertCounts {
  alerts: number;
  notices: number;
  stops: number;
  passed: number;
  cleared: number;
  acknowledged: number;
  taken: number;
}

/** The least value, the one that nine of ten exceed, and the median. */
export interface Spread {
  minimum: number;
  tenth: number;
  median: number;
}

export interface ReportedBridge {
  id: string;
  name: string;
  posted: string;
}

export interface Report {
  from: Time;
  to: Time;
  total: AlertCounts;
  messages: Record<Stage, number>;
  /** Metres, and seconds. */
  lead: { distance: Spread; time: Spread } | null;
  days: (AlertCounts & { day: string })[];
  hours: (AlertCounts & { hour: number })[];
  bridges: (AlertCounts & ReportedBridge)[];
  vehicles: (AlertCounts & { vehicle: string })[];
  passes: { time: Time; vehicle: string; alert: string; bridge: ReportedBridge }[];
  blind_time: { vehicle: string; seconds: number; spots: { spot: string; seconds: number }[] }[];
}

/** How an open alert stands now. */
export interface AlertProgress {
  id: string;
  sequence: number;
  distance: number;
  detour_distance: number | null;
  eta: number;
  acknowledged: number | null;
  text: string;
}

export type VehicleRow = [
  id: string, lat: number, lon: number, course: number | null, speed: number, time: number, stage: Stage | null, flags: number,
];
export type ClusterRow = [lat: number, lon: number, count: number, stage: Stage | null];

/** The events of `GET /stream` by name, each with its data. */
export type ServerEvents = {
  hello: [{ time: Time }];
  pulse: [{ time: Time; ready: boolean; broker_connected: boolean; vehicles: number }];
  reset: [object];
  map: [object];
  alert: [Alert];
  "route-check": [RouteCheck];
  event: [FenceEvent];
  visit: [Visit];
  alerts: [{ count: number; open: AlertProgress[] }];
  untaken: [{ count: number; alerts: UntakenAlert[] }];
  taken: [{ alerts: Handling[] }];
  handling: [Handling];
  vehicles: [{ full: boolean; vehicles: VehicleRow[]; gone: string[] }];
  clusters: [{ cells: ClusterRow[] }];
};

/** What a paired phone reads of its vehicle. */
export interface CabAnswer {
  vehicle: string;
  /** Null: nothing was published about the vehicle yet. */
  state: { consent: string; blind: string[]; last_fix: Time | null } | null;
  height: Height | null;
  /** Of the alerts' texts. */
  language: string;
  alerts: OpenAlertAnswer[];
  /** Circles round low clearances nearby, nearest first. */
  clearances: { id: string; lat: number; lon: number; radius: number }[];
  /** Null: the phone reports each second. */
  tracking: Tracking | null;
}

/** The roads round a phone's vehicle, the largest class first. */
export interface CabRoads {
  features: { properties: { class: string }; geometry: { coordinates: [number, number][][] } }[];
}

/** Inside of `quiet` nothing need be reported until `valid_until`; outside of it every `report_interval` seconds. */
export interface Tracking {
  quiet: { lat: number; lon: number; radius: number } | null;
  report_interval: number;
  valid_until: Time;
}

/** A fix as a device publishes it; what the device does not know is null. */
export interface DeviceFix {
  lat: number;
  lon: number;
  time: Time;
  /** Metres. */
  accuracy: number;
  /** Metres a second. */
  speed: number | null;
  course: number | null;
  altitude: number | null;
}

export interface CabLinkAnswer {
  path: string;
  link: string | null;
  /** An SVG document. */
  qr: string | null;
  expires_at: Time;
}

/** A phone that is paired with a vehicle. */
export interface CabPhone {
  id: number;
  created_at: Time;
  expires_at: Time;
}

/** What a search on the map has found. */
export interface FoundPlace {
  kind: "city" | "town" | "village" | "suburb" | "hamlet" | "street" | "bridge";
  name: string;
  near: string | null;
  lat: number;
  lon: number;
}
