import Fleet
import Geo
import Messages

/// A device that follows the gateway's `tracking` messages.
///
/// Inside of its quiet circle it says nothing, and its receiver is off for as long as it cannot have left even at its largest
/// possible speed. A device that gets no fix when it has to look may have left: it reports the next one, wherever that is.
struct QuietCircleDevice: TrackingDevice {
    /// A worse fix is none.
    static let accuracyMax: Metres = 100
    /// It lives by the second.
    private static let lookEvery: Seconds = 1

    /// Between reports, until the gateway says otherwise.
    private var interval: Seconds
    private var orders: TrackingMessage?
    /// When it looks next.
    private var due: Timestamp?
    /// Whether it was to look and got no fix.
    private var isUnsure = false
    private var lastFix: Fix?

    init(interval: Seconds) { self.interval = interval }

    mutating func receive(_ tracking: TrackingMessage) {
        orders = tracking
        interval = tracking.reportInterval
        if let lastFix { due = nextLook(after: lastFix) }
    }

    mutating func advance(to second: DeviceSecond) -> DeviceAct {
        if let due, second.time < due { return .none }
        guard let fix = second.fix, fix.accuracy ?? 0 <= Self.accuracyMax else {
            isUnsure = true
            return .looking
        }
        let isSilent = !isUnsure && slack(at: fix) != nil
        isUnsure = false
        lastFix = fix
        due = nextLook(after: fix)
        return isSilent ? .looking : .reporting(fix)
    }

    /// How far the circle's border is; nil where there is no circle that holds, or the fix is not inside.
    private func slack(at fix: Fix) -> Metres? {
        guard let orders, let quiet = orders.quiet, fix.time < orders.validUntil else { return nil }
        let slack = quiet.radius - quiet.center.distance(to: fix.position)
        return slack > 0 ? slack : nil
    }

    private func nextLook(after fix: Fix) -> Timestamp {
        guard let orders, let slack = slack(at: fix) else { return fix.time.adding(interval) }
        let safe = max(Self.lookEvery, (slack / QuietRule.speedMax).rounded(.down))
        return min(fix.time.adding(safe), orders.validUntil)
    }
}
