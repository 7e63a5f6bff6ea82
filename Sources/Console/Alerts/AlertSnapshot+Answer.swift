import Fleet
import Geo
import Messages
import Wire

extension AlertSnapshot {
    /// The members of the message, as published (its time stands for that of its publication), and how it stands now.
    ///
    /// - Parameters:
    ///   - units: of the text of now; nil: the vehicle's.
    ///   - handling: who sees to it.
    func write(_ writer: inout JSONWriter, units: UnitSystem? = nil, handling: Handling?) {
        writer.members(of: message, publishedAt: message.time)
        writer.member("acknowledged", acknowledged)
        writer.name("told_at")
        if let toldAt { writer.object { $0.position(toldAt) } } else { writer.null() }
        writer.member("text_now", text(in: units))
        writer.name("handling")
        if let handling { writer.object { $0.members(of: handling) } } else { writer.null() }
        writer.name("now")
        guard let progress else { return writer.null() }
        writer.object { writer in
            writer.member("time", progress.time)
            writer.member("distance", progress.distance, decimals: 1)
            writer.member("detour_distance", progress.detourDistance, decimals: 1)
        }
    }
}

extension OpenAlert {
    /// What a map shows of an alert; each Feature says its part and the alert.
    enum Part: String {
        case clearance, detour, told, vehicle
        case detourLine = "detour-line"
    }

    /// Whether a part of it lies within; a detour that only crosses them, without a corner there, does not count.
    func isSeen(in bounds: Bounds) -> Bool {
        let message = alert.message
        let places = [message.clearance.position, message.detour?.position, alert.toldAt, vehicle.fix?.position]
        return places.contains { $0.map(bounds.contains) ?? false }
            || message.detour?.line.contains(where: bounds.contains) ?? false
    }

    /// As Features: the low place, the last turn-off, the detour, where the driver was told, where the vehicle is now.
    func writeFeatures(_ writer: inout JSONWriter) {
        let message = alert.message
        write(.clearance, &writer) { $0.point(message.clearance.position) }
        if let detour = message.detour {
            write(.detour, &writer) { $0.point(detour.position) }
            if !detour.line.isEmpty {
                write(.detourLine, &writer) { writer in writer.object { $0.members(ofLine: detour.line) } }
            }
        }
        if let toldAt = alert.toldAt { write(.told, &writer) { $0.point(toldAt) } }
        if let fix = vehicle.fix { write(.vehicle, &writer) { $0.point(fix.position) } }
    }

    private func write(_ part: Part, _ writer: inout JSONWriter, _ geometry: (inout JSONWriter) -> Void) {
        let message = alert.message
        writer.feature(geometry: geometry) { writer in
            writer.member("kind", part.rawValue)
            writer.member("alert", message.id)
            writer.member("vehicle", message.vehicle.text)
            writer.member("stage", message.stage.rawValue)
            writer.member("attention", message.attention.rawValue)
            switch part {
            case .clearance:
                writer.member("clearance", message.clearance.id)
                writer.member("name", message.clearance.name)
                writer.member("posted", message.clearance.posted)
                writer.height("height", message.clearance.height)
            case .detour: writer.member("turn_onto", message.detour?.turnOnto)
            case .vehicle: writer.member("course", vehicle.course, decimals: 1)
            case .told, .detourLine: break
            }
        }
    }
}
