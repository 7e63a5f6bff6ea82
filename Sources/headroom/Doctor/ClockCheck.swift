import CTimex
import Fleet
import Foundation
import Messages

/// Whether the system's clock can be trusted: fixes are compared with it, and those from the future are refused.
enum ClockCheck {
    /// Seconds by which fixes of most vehicles may differ from the clock: an alert is said for none that is older.
    private static let lagMax: Double = 60
    /// Seconds; receivers round their times.
    private static let leadMax: Double = 5

    /// What the kernel knows (adjtimex(2)); it is told by the program that sets the clock.
    static func run() -> CheckResult {
        var state = timex()
        guard adjtimex(&state) >= 0 else {
            return CheckResult("clock", .warning, "the system does not say whether its clock is synchronized")
        }
        guard state.status & STA_UNSYNC == 0 else {
            return CheckResult(
                "clock", .warning, "the system says that its clock is not synchronized",
                advice: "run an NTP client, such as chrony or systemd-timesyncd")
        }
        return CheckResult("clock", .ok, "synchronized, to \(state.maxerror / 1_000) ms at worst")
    }

    /// - Parameter lags: by how many seconds each fix that was heard is older than its arrival.
    static func compare(_ lags: [Double], within listened: Duration) -> CheckResult {
        let name = "vehicles' clocks"
        guard !lags.isEmpty else {
            return CheckResult(name, .ok, "no vehicle reported within \(listened): nothing to compare the clock with")
        }
        let median = lags.sorted()[lags.count / 2]
        let finding = "\(lags.count) fixes, half of them older than \(String(format: "%.1f", median)) s when they came"
        if median < -leadMax {
            return CheckResult(
                name, .failed,
                "\(lags.count) fixes, half of them from the future, by \(String(format: "%.1f", -median)) s and more",
                advice: "set this machine's clock; it is slow, or the vehicles' are fast")
        }
        if median > lagMax {
            return CheckResult(
                name, .warning, finding + ": no alert is said for a fix that is older than \(Int(lagMax)) s",
                advice: "compare this machine's clock with the vehicles', and look for a backlog at the broker")
        }
        return CheckResult(name, .ok, finding)
    }
}
