import Fleet
import Roads

extension Settings {
    mutating func readHeights(_ read: inout SettingsReader) {
        read.section("heights", "How high vehicles are, and what roads let through.")
        read(
            "heights.assumed", .vehicleHeight(0.1...6), into: &engine.heights.assumed, default: "13'6\"",
            "The height of a vehicle that never said it, without the margin; rounded up to a centimetre.")
        read(
            "heights.margin", .length(0...1), into: &engine.heights.margin, default: "3 in",
            "Added to every height that brings no margin.")
        read(
            "heights.valid_for", .optional(.duration(60...315_360_000)), into: &engine.heights.validFor, default: "",
            "How long a height profile holds that does not say it. Empty: until it is replaced.")
        read(
            "heights.legal_default", .clearance(1...10), into: &engine.heights.legalDefault, default: "4.0 m",
            "Vehicles up to this fit wherever no lower limit is signed; rounded down to a centimetre.")
        read(
            "heights.snap_distance", .length(1...1000), into: &engine.heights.snapDistance, default: "40 m",
            "A clearance from a point source that is further than this from every road belongs to none of them.")
    }

    mutating func readDetours(_ read: inout SettingsReader) {
        read.section("detours", "What counts as a detour.")
        read(
            "detours.through", .oneOf, into: &engine.detours.through, default: "strict",
            """
            strict: not through private, customers', permit, destination or delivery roads, nor through parking \
            aisles, driveways, drive-throughs and emergency accesses. all: through these too. noservice: through \
            no service road or living street at all.
            """)
        read(
            "detours.max_length", .length(100...500_000), into: &engine.detours.lengthMax, default: "30 km",
            "A longer detour does not count.")
    }

    mutating func readAlerts(_ read: inout SettingsReader) {
        read.section("alerts", "When to speak.")
        read(
            "alerts.distance", .length(0...100_000), into: &engine.alerts.distance, default: "1 mi",
            """
            How far before the last turn-off, the last junction from which a detour leads round the bridge, a driver is \
            told, where the bridge is on the predicted path.
            """)
        read(
            "alerts.lead_time", .duration(0...3600), into: &engine.alerts.leadTime, default: "60 s",
            "Driving time to the last turn-off; on fast roads it is further than the distance.")
        read(
            "alerts.notice", .duration(0...600), into: &engine.alerts.notice, default: "10 s",
            "Driving time before the last turn-off at which an alarm comes at the latest, beside one report interval.")
        read(
            "alerts.min_probability", .number(0...1), into: &engine.alerts.minProbability, default: "0.3",
            "How probable the path to a bridge must be to speak at the full distance; 0 speaks on every branch.")
        read(
            "alerts.notice_probability", .number(0...1), into: &engine.alerts.noticeProbability, default: "0",
            """
            How probable it must be that a vehicle comes to a bridge for a notice, which is seen and not heard, at the full \
            distance; 0: a notice on every legal way there.
            """)
        read(
            "alerts.history", .history, into: &engine.alerts.history, default: "{passes: 30, rate: 0.02}",
            """
            Where at least so many vehicles came by and less than this share of them drove under the bridge, a notice does \
            instead of the alarm at the last turn-off; with a rate of 0 there always is an alarm. See headroom learn.
            """)
        read(
            "alerts.unknown", .oneOf, into: &engine.alerts.unknown, default: "below_default",
            """
            Which clearances of unknown height raise alerts: none; below_default, those that the data calls lower \
            than the legal default without a number; or all.
            """)
        read(
            "alerts.service_roads", .flag, into: &engine.alerts.serviceRoads, default: "false",
            "Whether to speak of low clearances on service and destination roads where no route leads there.")
        read(
            "alerts.ack_timeout", .duration(0...3600), into: &ackTimeout, default: "60 s",
            """
            A stop escalates to dispatch that neither its driver has acknowledged nor a dispatcher has taken within this \
            time; 0: never.
            """)
    }
}
