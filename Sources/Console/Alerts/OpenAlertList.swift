import Fleet
import Gateway
import Geo
import Messages

/// An open alert and the vehicle it is about.
///
/// Refers to both and copies neither: of a large fleet thousands are put in order for each stream, once a second.
struct OpenAlert {
    private let live: LiveVehicle
    private let index: Int
    /// Higher where it matters more; a notice, less than any alarm.
    private let rank: Int
    private let isBeside: Bool
    private let eta: Seconds

    fileprivate init(_ live: LiveVehicle, _ index: Int) {
        (self.live, self.index) = (live, index)
        let alert = live.snapshot.alerts[index]
        rank = alert.message.attention == .notice ? 0 : alert.message.stage.rank
        (isBeside, eta) = (alert.message.sideRoad, alert.eta)
    }

    var alert: AlertSnapshot { live.snapshot.alerts[index] }
    var vehicle: VehicleSnapshot { live.snapshot }

    /// As `isWorse` sorts.
    var cursor: AlertCursor {
        AlertCursor([Double(-rank), isBeside ? 1 : 0, eta], id: alert.message.id)
    }

    /// The worst first, notices behind all alarms: by stage, then those on the likely path before those beside it, then by the time
    /// that is left.
    fileprivate static func isWorse(_ a: Self, than b: Self) -> Bool {
        if a.rank != b.rank { return a.rank > b.rank }
        if a.isBeside != b.isBeside { return b.isBeside }
        return a.eta != b.eta ? a.eta < b.eta : a.alert.message.id < b.alert.message.id
    }
}

extension LiveSnapshot {
    /// The worst first.
    var openAlerts: [OpenAlert] {
        vehicles.values.flatMap { live in live.snapshot.alerts.indices.map { OpenAlert(live, $0) } }
            .sorted(by: OpenAlert.isWorse(_:than:))
    }
}
