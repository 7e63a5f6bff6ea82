public import Geo

extension Settings {
    /// How high vehicles and the roads' legal limits are.
    public struct Heights: Hashable, Sendable {
        /// Of a vehicle that never said how high it is; without the margin.
        public var assumed: Centimetres
        public var margin: Metres
        /// How long a profile holds that does not say; nil: until replaced.
        public var validFor: Seconds?
        /// What `none` and `default` on a road stand for.
        public var legalDefault: Centimetres
        public var snapDistance: Metres

        init(_ read: inout SettingsReader) {
            read.section("heights", "How high vehicles are, and what roads let through.")
            assumed = read(
                "heights.assumed", .vehicleHeight(0.1...6), default: "13'6\"",
                "The height of a vehicle that never said it, without the margin; rounded up to a centimetre.")
            margin = read(
                "heights.margin", .length(0...1), default: "3 in", "Added to every height that brings no margin.")
            validFor = read(
                "heights.valid_for", .optional(.duration(60...315_360_000)), default: "",
                "How long a height profile holds that does not say it. Empty: until it is replaced.")
            legalDefault = read(
                "heights.legal_default", .clearance(1...10), default: "4.0 m",
                "Vehicles up to this fit wherever no lower limit is signed; rounded down to a centimetre.")
            snapDistance = read(
                "heights.snap_distance", .length(1...1000), default: "40 m",
                "A clearance from a point source that is further than this from every road belongs to none of them.")
        }
    }

    /// What counts as a way round.
    public struct Detours: Hashable, Sendable {
        /// Which edges a way round may pass through.
        public enum Through: String, CaseIterable, Sendable {
            /// No private, customers' or delivery roads, no driveways and parking aisles.
            case strict
            case all
            /// No service road or living street at all.
            case noservice
        }

        public var through: Through
        public var maxLength: Metres

        init(_ read: inout SettingsReader) {
            read.section("detours", "What counts as a way round.")
            through = read(
                "detours.through", .oneOf, default: "strict",
                """
                strict: not through private, customers', permit, destination or delivery roads, nor through parking \
                aisles, driveways, drive-throughs and emergency accesses. all: through these too. noservice: through \
                no service road or living street at all.
                """)
            maxLength = read(
                "detours.max_length", .length(100...500_000), default: "30 km", "A longer way round does not count.")
        }
    }

    /// When to speak.
    public struct Alerts: Hashable, Sendable {
        /// Which of the clearances that nobody can read raise alerts.
        public enum Unknown: String, CaseIterable, Sendable {
            case none
            /// Those that are known to be lower than the legal default, but not by how much.
            case belowDefault = "below_default"
            case all
        }

        /// From the alert point to the detour point.
        public var distance: Metres
        public var leadTime: Seconds
        public var notice: Seconds
        /// `0 ... 1`.
        public var minProbability: Double
        public var unknown: Unknown
        public var serviceRoads: Bool

        init(_ read: inout SettingsReader) {
            read.section("alerts", "When to speak.")
            distance = read(
                "alerts.distance", .length(0...100_000), default: "1 mi",
                "How far before the last way out a driver is told, where the bridge is on the predicted path.")
            leadTime = read(
                "alerts.lead_time", .duration(0...3600), default: "60 s",
                "Driving time to the last way out; on fast roads it is further than the distance.")
            notice = read(
                "alerts.notice", .duration(0...600), default: "10 s",
                "Driving time, beside one report interval, before a turn after which there is no way out any more.")
            minProbability = read(
                "alerts.min_probability", .number(0...1), default: "0.3",
                "How probable the path to a bridge must be to speak at the full distance; 0 speaks on every branch.")
            unknown = read(
                "alerts.unknown", .oneOf, default: "below_default",
                """
                Which clearances of unknown height raise alerts: none; below_default, those that the data calls lower \
                than the legal default without a number; or all.
                """)
            serviceRoads = read(
                "alerts.service_roads", .flag, default: "false",
                "Whether to speak of low clearances on service roads where no route leads there.")
        }
    }
}
