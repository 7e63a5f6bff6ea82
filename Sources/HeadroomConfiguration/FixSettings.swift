public import Geo

extension Settings {
    /// Which positions are believed, and how.
    public struct Fixes: Hashable, Sendable {
        public var maxAccuracy: Metres
        public var reorder: Seconds
        public var maxAge: Seconds
        public var gap: Seconds
        public var hysteresisTime: Seconds

        init(_ read: inout SettingsReader) {
            read.section("fixes", "Which positions are believed.")
            maxAccuracy = read(
                "fixes.max_accuracy", .length(1...10_000), default: "100 m", "A less accurate fix is not used.")
            reorder = read(
                "fixes.reorder", .duration(0...600), default: "10 s",
                "How long fence events and visits wait for fixes that arrive late. Alerts never wait.")
            maxAge = read(
                "fixes.max_age", .duration(60...31_536_000), default: "24 h",
                "An older fix is not used; a buffered upload may be this old.")
            gap = read(
                "fixes.gap", .duration(1...86_400), default: "5 min",
                "Between fixes further apart than this no way is assumed to have been driven.")
            hysteresisTime = read(
                "fixes.hysteresis_time", .duration(0...3600), default: "20 s",
                "How long a vehicle must be outside a fence to have left it.")
        }
    }

    /// Stays.
    public struct Visits: Hashable, Sendable {
        public var duration: Seconds
        public var radius: Metres

        init(_ read: inout SettingsReader) {
            read.section("visits", "What counts as a visit.")
            duration = read(
                "visits.duration", .duration(1...86_400), default: "5 min", "A shorter stay is no visit.")
            radius = read(
                "visits.radius", .length(1...10_000), default: "150 m", "A vehicle that moves further has left.")
        }
    }

    /// The regions a device watches itself.
    public struct Regions: Hashable, Sendable {
        public var limit: Int
        public var minRadius: Metres

        init(_ read: inout SettingsReader) {
            read.section("regions", "The nearest regions, for a device to watch itself.")
            limit = read(
                "regions.limit", .integer(1...1000), default: "20",
                "How many a device can watch, the quiet circle among them: iOS 20, Android 100.")
            minRadius = read(
                "regions.min_radius", .length(0...10_000), default: "100 m", "No region is smaller than this.")
        }
    }

    /// Quiet circles.
    public struct Tracking: Hashable, Sendable {
        /// The groups whose vehicles get quiet circles.
        public var groups: [String]
        public var reportInterval: Seconds

        init(_ read: inout SettingsReader) {
            read.section("tracking", "Quiet circles, inside which a device may stay silent.")
            groups = read(
                "tracking.groups", .list(of: .text, example: "[midwest]"), default: "",
                "The groups whose vehicles get one.")
            reportInterval = read(
                "tracking.report_interval", .duration(1...3600), default: "10 s",
                "How often a vehicle reports outside of it, and is expected to where it has none.")
        }
    }
}
