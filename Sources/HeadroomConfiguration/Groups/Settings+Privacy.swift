import Fleet

extension Settings {
    mutating func readConsent(_ read: inout SettingsReader) {
        read.section("consent", "Whether positions may be used.")
        read(
            "consent.default", .oneOf, into: &engine.consent, default: "always",
            """
            For a vehicle that never said anything: always, when-in-use, not-determined (it is asked), denied or \
            restricted.
            """)
    }

    mutating func readPrivacy(_ read: inout SettingsReader) {
        read.section("privacy", "What is kept, and for how long.")
        read(
            "privacy.keep_positions", .duration(0...315_360_000), into: &keepPositions, default: "0 s",
            "How long positions are kept; 0: no track is stored.")
        read(
            "privacy.keep_events", .duration(0...315_360_000), into: &keepEvents, default: "90 d",
            "How long alerts, fence events and visits are kept.")
        read(
            "privacy.state_position", .flag, into: &engine.showsPosition, default: "false",
            "Whether the retained state message holds the vehicle's position.")
        engine.keepsPositions = keepPositions > 0
    }
}
