import Fleet
import Gateway
import Messages
import Wire

/// The open alerts as a stream tells them: how many there are, and the worst, whenever one is no longer as it was told.
struct AlertLayer {
    /// The worst; more are told of by their own messages and by `GET /alerts`.
    static let alertsMax = 200

    private let units: UnitSystem
    private var told: [UInt8] = []

    /// - Parameter units: of distances in texts.
    init(_ units: UnitSystem = .metric) { self.units = units }

    /// Nil where nothing has changed.
    mutating func event(_ snapshot: LiveSnapshot) -> ServerSentEvent? {
        let alerts = snapshot.openAlerts
        let data = JSONWriter.object { writer in
            writer.member("count", alerts.count)
            writer.member("open", each: alerts.prefix(Self.alertsMax)) { $1.alert.writeRow(&$0, units) }
        }
        guard data != told else { return nil }
        told = data
        return ServerSentEvent("alerts", data)
    }
}

extension AlertSnapshot {
    fileprivate func writeRow(_ writer: inout JSONWriter, _ units: UnitSystem) {
        writer.object { writer in
            writer.member("id", message.id)
            writer.member("vehicle", message.vehicle.text)
            writer.member("stage", message.stage.rawValue)
            writer.member("attention", message.attention.rawValue)
            let detour = progress.map(\.detourDistance) ?? message.detour?.distance
            writer.member("distance", distance.whole)
            writer.member("detour_distance", detour?.whole)
            writer.member("eta", eta.whole)
            writer.member("acknowledged", acknowledged)
            writer.member("sequence", message.sequence)
            writer.member("text", text(in: units))
        }
    }
}
