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
    /// The worst first: by stage, then by distance.
    var openAlerts: [OpenAlert] {
        vehicles.values.flatMap { vehicle in
            vehicle.snapshot.alerts.map { OpenAlert(alert: $0, vehicle: vehicle.snapshot) }
        }.sorted { one, other in
            let (a, b) = (one.alert, other.alert)
            return (b.message.stage.rank, a.distance, a.message.id) < (a.message.stage.rank, b.distance, b.message.id)
        }
    }
}
