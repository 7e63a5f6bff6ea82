import Fleet
import Foundation
import Geo
import Messages
import Wire

/// Writes visits for people and for programs.
enum VisitsWriter {
    // MARK: For people

    static func text(_ visits: [StoredVisit]) -> String {
        let vehicles = Set(visits.map(\.message.vehicle)).count
        let head = "\(VisitsTable.count(visits.count, "visit")) of \(VisitsTable.count(vehicles, "vehicle"))"
        guard !visits.isEmpty else { return head }
        return head + "\n\n"
            + VisitsTable.text(
                ["arrived", "departed", "stay", "place", "vehicle", "fences"], visits.map(row))
    }

    private static func row(_ visit: StoredVisit) -> [String] {
        let message = visit.message
        return [
            VisitsTable.time(message.arrival), departure(visit),
            stay(visit), VisitsTable.place(message.position, message.accuracy), message.vehicle.text,
            message.fences.joined(separator: ", "),
        ]
    }

    private static func departure(_ visit: StoredVisit) -> String {
        if visit.isOver { return VisitsTable.time(visit.message.departure) }
        return visit.message.isConfirmed ? "still there" : "silent, unconfirmed"
    }

    /// What is known of it; more where an end is not.
    private static func stay(_ visit: StoredVisit) -> String {
        let message = visit.message
        let isWhole = message.arrival != nil && message.departure != nil
        let text = VisitsTable.duration(message.lastSeen.since(message.firstSeen))
        return isWhole ? text : "over \(text)"
    }

    // MARK: For programs

    /// One object on one line.
    static func json(_ visit: StoredVisit) -> String { VisitsJSON.text(Line(message: visit.message)) }

    static func geoJSON(_ visits: [StoredVisit]) -> String {
        VisitsJSON.collection(visits.map { ([$0.message.position], Line(message: $0.message)) })
    }

    /// The members of a visit message, with both ends as far as they are known now.
    private struct Line: Encodable {
        private enum CodingKeys: String, CodingKey {
            case type, id, vehicle, phase, confirmed, arrival, departure, lat, lon, accuracy, altitude, fences
            case firstSeen = "first_seen"
            case lastSeen = "last_seen"
        }

        let message: VisitPayload

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode("visit", forKey: .type)
            try members.encode(message.id, forKey: .id)
            try members.encode(message.vehicle, forKey: .vehicle)
            try members.encode(message.phase, forKey: .phase)
            try members.encode(message.isConfirmed, forKey: .confirmed)
            try members.encode(message.arrival.map(RFC3339.text), forKey: .arrival)
            try members.encode(message.departure.map(RFC3339.text), forKey: .departure)
            try members.encode(RFC3339.text(message.firstSeen), forKey: .firstSeen)
            try members.encode(RFC3339.text(message.lastSeen), forKey: .lastSeen)
            try members.encode(message.position.latitude, forKey: .lat)
            try members.encode(message.position.longitude, forKey: .lon)
            try members.encode(message.accuracy, forKey: .accuracy)
            try members.encodeIfPresent(message.altitude, forKey: .altitude)
            try members.encode(message.fences, forKey: .fences)
        }
    }
}
