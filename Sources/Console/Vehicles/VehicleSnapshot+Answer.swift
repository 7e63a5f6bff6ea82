import Fleet
import Geo
import Messages
import Wire

extension VehicleSnapshot {
    /// The worst stage of the open alarms; nil where there is none. Near a city's low bridges every truck has notices.
    var worstStage: AlertMessage.Stage? {
        alerts.filter { $0.message.attention == .alarm }.map(\.message.stage).max { $0.rank < $1.rank }
    }

    /// What a list shows of it.
    func writeSummary(_ writer: inout JSONWriter, at now: Timestamp) {
        writer.member("vehicle", vehicle.text)
        writer.name("lat")
        if let fix { writer.degrees(fix.position.latitude) } else { writer.null() }
        writer.name("lon")
        if let fix { writer.degrees(fix.position.longitude) } else { writer.null() }
        writeMotion(&writer, at: now)
        writer.member("consent", state?.consent.rawValue)
        writer.member("presence", state?.presence?.rawValue)
        writer.member("blind", each: state?.blind ?? []) { $0.string($1.rawValue) }
        writer.member("stage", worstStage?.rawValue)
    }

    private func writeMotion(_ writer: inout JSONWriter, at now: Timestamp) {
        writer.member("time", fix?.time)
        writer.member("age", fix.map { max(0, now.since($0.time)) }, decimals: 1)
        writer.member("accuracy", fix?.accuracy, decimals: 1)
        writer.member("speed", fix == nil ? nil : speed, decimals: 1)
        writer.member("course", course, decimals: 1)
        writer.member("altitude", fix?.altitude, decimals: 1)
    }

    /// `height`, `fences` and `alerts` as a list has them.
    func writeBrief(_ writer: inout JSONWriter) {
        writer.name("height")
        writeHeight(&writer) { _ in }
        writer.member("fences", each: state?.fences ?? []) { $0.string($1.fence) }
        writer.member("alerts", each: alerts) { writer, alert in
            writer.object { writer in
                writer.member("id", alert.message.id)
                writer.member("stage", alert.message.stage.rawValue)
                writer.member("attention", alert.message.attention.rawValue)
                writer.member("distance", alert.distance, decimals: 1)
            }
        }
    }

    /// - Parameter more: further members. Null where nothing was published about the vehicle yet.
    func writeHeight(_ writer: inout JSONWriter, _ more: (inout JSONWriter) -> Void) {
        guard let state else { return writer.null() }
        writer.object { writer in
            writer.height("value", state.height)
            writer.member("source", state.heightSource)
            writer.member("status", state.heightStatus.rawValue)
            more(&writer)
        }
    }

    /// What one vehicle's height has beyond a list's: all that a new profile must say again to keep it.
    func writeProfile(_ writer: inout JSONWriter) {
        writer.name("margin")
        writer.margin(margin)
        writer.height("effective", effectiveHeight)
        writer.height("reported", profile?.height)
        writer.member("measured_at", profile?.measuredAt)
        writer.member("since", profileSince)
        writer.member("valid_until", profileEnds)
        writer.member("units", units.rawValue)
        writer.member("language", language?.rawValue)
        writer.member("groups", each: profile?.groups ?? []) { $0.string($1) }
    }
}

extension AlertSnapshot {
    /// How long it takes to get there as fast as it was thought to be when the driver was told.
    var eta: Seconds { message.distance > 0 ? message.eta * distance / message.distance : message.eta }
}
