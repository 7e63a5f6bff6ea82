import Fleet

extension Settings {
    mutating func readFixes(_ read: inout SettingsReader) {
        read.section("fixes", "Which positions are believed.")
        read(
            "fixes.max_accuracy", .length(1...10_000), into: &engine.fixes.accuracyMax, default: "100 m",
            "A less accurate fix is not used.")
        read(
            "fixes.reorder", .duration(0...600), into: &engine.fixes.reorder, default: "10 s",
            "How long fence events and visits wait for fixes that arrive late. Alerts never wait.")
        read(
            "fixes.max_age", .duration(60...31_536_000), into: &engine.fixes.ageMax, default: "24 h",
            "An older fix is not used; a buffered upload may be this old.")
        read(
            "fixes.gap", .duration(1...86_400), into: &engine.fixes.gap, default: "5 min",
            "Between fixes further apart than this no way is assumed to have been driven.")
        read(
            "fixes.hysteresis_time", .duration(0...3600), into: &engine.fixes.hysteresisTime, default: "20 s",
            "How long a vehicle must be outside a fence to have left it.")
        engine.visits.gap = engine.fixes.gap
    }

    mutating func readVisits(_ read: inout SettingsReader) {
        read.section("visits", "What counts as a visit.")
        read(
            "visits.duration", .duration(1...86_400), into: &engine.visits.duration, default: "5 min",
            "A shorter stay is no visit.")
        read(
            "visits.radius", .length(1...10_000), into: &engine.visits.radius, default: "150 m",
            "A vehicle that moves further has left.")
    }

    mutating func readRegions(_ read: inout SettingsReader) {
        read.section("regions", "The nearest regions, for a device to watch itself.")
        read(
            "regions.limit", .integer(1...1000), into: &engine.regions.limit, default: "20",
            "How many a device can watch, the quiet circle among them: iOS 20, Android 100.")
        read(
            "regions.min_radius", .length(0...10_000), into: &engine.regions.radiusMin, default: "100 m",
            "No region is smaller than this.")
    }

    mutating func readTracking(_ read: inout SettingsReader) {
        read.section("tracking", "Quiet circles, inside which a device may stay silent.")
        read(
            "tracking.groups", .set(of: .text, example: "[midwest]"), into: &engine.trackingGroups, default: "",
            "The groups whose vehicles get one.")
        read(
            "tracking.report_interval", .duration(1...3600), into: &engine.fixes.reportInterval, default: "10 s",
            "How often a vehicle reports outside of it, and is expected to where it has none.")
    }
}
