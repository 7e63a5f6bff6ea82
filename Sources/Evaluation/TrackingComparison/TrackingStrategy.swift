import Fleet
package import Geo
import Messages

/// A way in which a device reports where it is.
package enum TrackingStrategy: Hashable, Sendable {
    /// A fix each interval.
    case continuous(interval: Seconds)
    /// A fix each time it has moved 500 m.
    case significantChange
    /// By one circular fence round its last fix, of which the gateway knows nothing.
    case fenceOnly
    /// By the gateway's quiet circles; outside of them a fix each interval.
    case quietCircle(interval: Seconds)

    /// `continuous`, `significant-change`, `fence-only`, `quiet-circle`
    package var name: String {
        switch self {
        case .continuous: "continuous"
        case .significantChange: "significant-change"
        case .fenceOnly: "fence-only"
        case .quietCircle: "quiet-circle"
        }
    }

    /// Nil where it has none.
    package var interval: Seconds? {
        switch self {
        case .continuous(let interval), .quietCircle(let interval): interval
        case .significantChange, .fenceOnly: nil
        }
    }

    /// - Parameter background: what the phone's system grants an application in the background.
    func device(_ background: BackgroundGrants) -> any TrackingDevice {
        switch self {
        case .continuous(let interval): ContinuousDevice(interval: interval)
        case .significantChange: SignificantChangeDevice()
        case .fenceOnly: FenceOnlyDevice(background)
        case .quietCircle(let interval): QuietCircleDevice(interval: interval)
        }
    }
}

/// A device that decides, second by second, whether to look for a fix and whether to report it.
protocol TrackingDevice {
    mutating func advance(to second: DeviceSecond) -> DeviceAct
    /// What the gateway tells it: how to report.
    mutating func receive(_ tracking: TrackingMessage)
}

extension TrackingDevice {
    mutating func receive(_ tracking: TrackingMessage) {}
}

/// What the world offers to a device at one moment.
struct DeviceSecond {
    var time: Timestamp
    /// Where it truly is: what cells and the system's own fences tell it for nothing.
    var place: Coordinate
    /// What its receiver gets, if it is on; nil: nothing can be received.
    var fix: Fix?
}

/// What a device does at one moment.
struct DeviceAct: Equatable {
    /// Whether its receiver is on.
    var looks: Bool
    /// What it sends; nil: nothing.
    var report: Fix?

    static let none = DeviceAct(looks: false)
    /// It wants a fix and gets none, or none that is worth to be sent.
    static let looking = DeviceAct(looks: true)
    static func reporting(_ fix: Fix) -> DeviceAct { DeviceAct(looks: true, report: fix) }
}

extension Drive {
    /// Every second of the drive, with those in which nothing was received.
    ///
    /// - Precondition: the drive's interval is a second.
    var seconds: [DeviceSecond] {
        precondition(settings.interval == 1, "a device lives by the second")
        var fixes = self
        var next = fixes.next()
        return stride(from: 0, through: (duration + settings.standing).rounded(.up), by: 1).map { elapsed in
            let time = start.adding(elapsed)
            guard let fix = next, fix.time == time else {
                return DeviceSecond(time: time, place: place(at: time).position, fix: nil)
            }
            next = fixes.next()
            return DeviceSecond(time: time, place: place(at: time).position, fix: fix)
        }
    }
}
