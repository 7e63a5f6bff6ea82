import Fleet
import Gateway
import Geo
import Messages

/// An open alert and the vehicle it is about.
struct OpenAlert {
    var alert: AlertSnapshot
    var vehicle: VehicleSnapshot
}

extension LiveSnapshot {
    /// The worst first, notices behind all alarms: by stage, then those on the likely path before those beside it, then by the time
    /// that is left.
    var openAlerts: [OpenAlert] {
        vehicles.values.flatMap { vehicle in
            vehicle.snapshot.alerts.map { OpenAlert(alert: $0, vehicle: vehicle.snapshot) }
        }.sorted { one, other in
            let (a, b) = (one.alert, other.alert)
            return (b.rank, a.sideRank, a.eta, a.message.id) < (a.rank, b.sideRank, b.eta, b.message.id)
        }
    }
}

extension AlertSnapshot {
    /// Higher where it matters more; a notice, less than any alarm.
    fileprivate var rank: Int { message.attention == .notice ? 0 : message.stage.rank }

    /// 1: the way straight on is fine.
    fileprivate var sideRank: Int { message.sideRoad ? 1 : 0 }
}
