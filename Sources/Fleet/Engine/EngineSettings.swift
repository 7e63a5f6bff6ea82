import Clearances
public import Geo
public import Messages
public import Roads

/// What the operator has decided; the engine reads nothing else from outside.
public struct EngineSettings: Hashable, Sendable {
    public struct Heights: Hashable, Sendable {
        /// For a vehicle without a profile, and the least for one whose profile is stale.
        public var assumed: Centimetres = 412
        public var margin: Metres = 0.0762
        /// How long a profile holds that does not say; nil: until it is replaced.
        public var validFor: Seconds?
        /// Up to which height a road without a lower sign is open to everybody.
        public var legalDefault: Centimetres = 400
        /// A clearance farther than this from every road limits none of them.
        public var snapDistance: Metres = 40
    }

    public struct Alerts: Hashable, Sendable {
        /// Where what vehicles did before makes the alarm at the last decision a notice.
        public struct History: Hashable, Sendable {
            /// How many vehicles must have come by, at least 1.
            public var passes = 30
            /// Less than this share of them drove under; 0: there is an alarm at every last decision.
            public var rate = 0.02

            public init() {}
        }

        /// Which clearances of unknown height drivers are told of.
        public enum Unknown: String, Hashable, Sendable, CaseIterable {
            case none
            /// Those that the data calls lower than the legal default, without a number.
            case belowDefault = "below_default"
            case all
        }

        /// How far before the detour point a driver hears of a hazard on the path…
        public var distance: Metres = Unit.mile
        /// …or how long before, where that is farther.
        public var leadTime: Seconds = 60
        /// How long before a wrong turn a driver hears of a hazard off the path.
        public var notice: Seconds = 10
        public var minProbability = 0.3
        /// How probable it must be that a vehicle comes to a structure for a notice of it; 0: every way there counts.
        public var noticeProbability = 0.0
        public var history = History()
        /// Whether hazards entered from service roads, or from roads to start or to end on, raise alerts off the path too.
        public var serviceRoads = false
        public var unknown = Unknown.belowDefault
    }

    public struct Fixes: Hashable, Sendable {
        public var accuracyMax: Metres = 100
        public var ageMax: Seconds = 24 * 3600
        /// Two fixes farther apart in time are not joined.
        public var gap: Seconds = 300
        /// How late a fix may be against those taken after it.
        public var reorder: Seconds = 10
        /// How long a vehicle must be outside of a fence to have left it.
        public var hysteresisTime: Seconds = 20
        /// Assumed until two fixes have shown it.
        public var reportInterval: Seconds = 10
    }

    /// The fences of which a vehicle is told on which side it is, once it or the fence becomes known.
    public enum Determined: String, Hashable, Sendable, CaseIterable {
        /// Those that it is inside of, and those that name it.
        case inside
        /// All; where more are new at once than `FenceWatch.determinedMax`, the nearest.
        case all
    }

    /// The regions that devices watch themselves.
    public struct Regions: Hashable, Sendable {
        /// How many a device can watch, the quiet circle among them.
        public var limit = 20
        /// No region is smaller than this.
        public var radiusMin: Metres = 100
    }

    public var heights = Heights()
    public var alerts = Alerts()
    public var fixes = Fixes()
    public var detours = DetourRules()
    public var visits = VisitSettings()
    public var regions = Regions()
    public var determined = Determined.inside
    /// The groups whose devices report by quiet circle.
    public var trackingGroups: Set<String> = []
    /// For vehicles that never said anything.
    public var consent = Consent.Status.always
    public var units = UnitSystem.imperial
    /// Of texts for drivers whose profile does not say.
    public var language = Language.english
    /// Whether turns at junctions are counted and sharpen the path ahead.
    public var countsTurns = true
    /// Whether it is counted under which clearances vehicles drive (`HazardHistory`).
    public var countsPassages = true
    /// Whether accepted fixes are among the effects, to be kept as tracks.
    public var keepsPositions = false
    /// Whether the state says where the vehicle is.
    public var showsPosition = false
    public var vehiclesMax = 1_000_000
    /// Where changed fences may matter to more vehicles than these, the vehicles are judged by them over several turns.
    public var judgedAtOnce = 256

    public init() {}
}

/// Times that the rules name and nobody configures.
enum RuleTime {
    /// An alert on an older fix would come too late to mean anything.
    static let alertAgeMax: Seconds = 60
    /// Whoever waits longer for hazards is judged by straight line meanwhile.
    static let hazardsWait: Seconds = 1
    static let clockSkewMax: Seconds = 60
    /// How long neither rule holds before an alert is cleared.
    static let clearedAfter: Seconds = 10
    /// The same of a notice: the next road that leads there often is some streets on.
    static let noticeClearedAfter: Seconds = 180
    /// A vehicle that left the network may come back to the road it was on.
    static let clearedOffNetworkAfter: Seconds = 60
    /// One that stands may be heard of again by the noise of its fixes alone.
    static let clearedStandingAfter: Seconds = 60
    /// One that rests for so long is not on its way any more.
    static let clearedRestingAfter: Seconds = 600
    /// Nor is anything known of one that has been silent for so long; no sooner than its alerts expire.
    static let clearedSilentAfter: Seconds = 600
    /// The detour point is near: leave here.
    static let detourNear: Seconds = 20
    static let requestEvery: Seconds = 3600
    /// A profile that is on its way must not be asked for.
    static let requestAfterFirstFix: Seconds = 30
    static let staleAfterIntervals: Double = 3
    static let staleAfterMin: Seconds = 60
    static let lastFixEvery: Seconds = 60
    /// A device that reports less often than this is treated as one that reports so often: the path that far ahead is
    /// nobody's to know.
    static let reportIntervals: ClosedRange<Seconds> = 1...60
    /// So many gaps between fixes, or uploads, tell how often a device reports.
    static let gapsKept = 4
}

enum RuleDistance {
    static let detourNear: Metres = 300
    /// How much farther a vehicle is at least on another approach than where it was told to turn off, or to stop.
    static let otherApproachMin: Metres = 100
    /// Who is farther from a clearance that was changed hears nothing of it yet, at any speed and interval.
    static let changeNear: Metres = 10_000
}

extension EngineSettings {
    /// Whether a vehicle of an effective height does not fit under a clearance, or nobody knows and it is to be told.
    func warns(of clearance: Clearance, height: Centimetres) -> Bool {
        let verdict = clearance.reading.verdict(height: height, legalDefault: heights.legalDefault)
        return verdict == .tooLow || alerts.tells(of: clearance, verdict)
    }

    /// The clearances of unknown height that drivers of vehicles of an effective height are told of.
    func unknownClearances(on network: RoadNetwork, height: Centimetres) -> Set<ClearanceID> {
        let told = network.unmeasuredClearances.filter { id in
            let verdict = network.reading(id).verdict(height: height, legalDefault: heights.legalDefault)
            return verdict == .unknown && alerts.tells(of: network.clearance(id), verdict)
        }
        return Set(told)
    }
}

extension HazardTable {
    /// What is too low for vehicles of an effective height, with the detours that their drivers are told.
    ///
    /// - Parameter former: as of the initializer that this calls.
    public convenience init(
        _ network: RoadNetwork, height: Centimetres, _ settings: EngineSettings, from former: [HazardTable] = []
    ) {
        let unknown = settings.unknownClearances(on: network, height: height)
        self.init(
            network, height: height, rules: settings.detours,
            avoiding: TooLowEdges(network, unknown: unknown.contains), from: former)
    }
}

extension EngineSettings.Alerts {
    /// Whether drivers are told of a clearance under which they may or may not fit.
    func tells(of clearance: Clearance, _ verdict: Verdict) -> Bool {
        switch unknown {
        case .none: false
        case .belowDefault: verdict == .unknown && clearance.isBelowDefault
        case .all: verdict == .unknown
        }
    }
}

extension EngineSettings {
    func textStyle(of vehicle: Vehicle) -> TextStyle { TextStyle(vehicle.profile, otherwise: textStyle) }

    /// Where nobody says otherwise.
    var textStyle: TextStyle { TextStyle(units: units, language: language) }
}
