import Messages

/// What became of some alerts.
package struct AlertCounts: Hashable, Sendable {
    /// How many there were.
    package var alerts = 0
    /// Those that were for the eye only.
    package var notices = 0
    /// Those that came as far as telling the driver to stop.
    package var stops = 0
    /// Those whose vehicle passed under the bridge.
    package var passed = 0
    /// Those that ended because there was nothing to tell of any more.
    package var cleared = 0
    /// Those of which the driver acknowledged a message.
    package var acknowledged = 0
    /// Those that a dispatcher took or closed.
    package var taken = 0

    mutating func add(_ alert: ReportedAlert) {
        alerts += 1
        notices += alert.wasAlarm ? 0 : 1
        stops += alert.stages.contains(.stop) ? 1 : 0
        passed += alert.stages.contains(.passed) ? 1 : 0
        cleared += alert.stages.contains(.cleared) ? 1 : 0
        acknowledged += alert.isAcknowledged ? 1 : 0
        taken += alert.isTaken ? 1 : 0
    }

    /// As a table has them, with their headings.
    var columns: [(heading: StaticString, count: Int)] {
        [
            ("alerts", alerts), ("notices", notices), ("stops", stops), ("passed", passed), ("cleared", cleared),
            ("acknowledged", acknowledged), ("taken", taken),
        ]
    }
}
