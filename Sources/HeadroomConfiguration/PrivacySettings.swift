public import Geo

extension Settings {
    /// Whether positions may be used.
    public struct Consent: Hashable, Sendable {
        /// What a device's user has allowed.
        public enum Status: String, CaseIterable, Sendable {
            case notDetermined = "not-determined"
            case whenInUse = "when-in-use"
            case always, denied, restricted
        }

        /// Of a vehicle that never said anything.
        public var standard: Status

        init(_ read: inout SettingsReader) {
            read.section("consent", "Whether positions may be used.")
            standard = read(
                "consent.default", .oneOf, default: "always",
                """
                For a vehicle that never said anything: always, when-in-use, not-determined (it is asked), denied or \
                restricted.
                """)
        }
    }

    /// What is kept, and shown.
    public struct Privacy: Hashable, Sendable {
        /// 0: no track is kept.
        public var keepPositions: Seconds
        public var keepEvents: Seconds
        public var statePosition: Bool

        init(_ read: inout SettingsReader) {
            read.section("privacy", "What is kept, and for how long.")
            keepPositions = read(
                "privacy.keep_positions", .duration(0...315_360_000), default: "0 s",
                "How long positions are kept; 0: no track is stored.")
            keepEvents = read(
                "privacy.keep_events", .duration(0...315_360_000), default: "90 d",
                "How long alerts, fence events and visits are kept.")
            statePosition = read(
                "privacy.state_position", .flag, default: "false",
                "Whether the retained state message holds the vehicle's position.")
        }
    }
}
