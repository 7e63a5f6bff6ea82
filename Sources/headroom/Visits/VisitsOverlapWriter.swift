import Fleet
import Geo
import Messages
import Wire

/// Writes overlaps for people and for programs.
enum VisitsOverlapWriter {
    // MARK: For people

    static func text(_ overlaps: [VisitOverlap]) -> String {
        let uncertain = overlaps.count { $0.isUncertain }
        let head = "\(VisitsTable.count(overlaps.count, "overlap")), \(uncertain) uncertain"
        guard !overlaps.isEmpty else { return head }
        return head + "\n\n"
            + VisitsTable.text(["from", "to", "together", "vehicles", "apart", "place", ""], overlaps.map(row))
    }

    private static func row(_ overlap: VisitOverlap) -> [String] {
        let place = VisitsTable.place(overlap.first.position, overlap.first.accuracy)
        let doubts = overlap.doubts.map(\.description).joined(separator: ", ")
        return [
            VisitsTable.time(overlap.from), VisitsTable.time(overlap.to), together(overlap),
            "\(overlap.first.vehicle), \(overlap.second.vehicle)", "\(Int(overlap.distance.rounded())) m", place,
            overlap.isUncertain ? "uncertain: \(doubts)" : "",
        ]
    }

    private static func together(_ overlap: VisitOverlap) -> String {
        guard let from = overlap.from, let to = overlap.to else { return "?" }
        return VisitsTable.duration(to.since(from))
    }

    // MARK: For programs

    /// One object on one line.
    static func json(_ overlap: VisitOverlap) -> String { VisitsJSON.text(Line(overlap: overlap)) }

    /// Each as the two places.
    static func geoJSON(_ overlaps: [VisitOverlap]) -> String {
        VisitsJSON.collection(overlaps.map { ([$0.first.position, $0.second.position], Line(overlap: $0)) })
    }

    private struct Line: Encodable {
        private enum CodingKeys: CodingKey {
            case type, from, to, distance, seen, visits, uncertain, reasons
        }

        let overlap: VisitOverlap

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode("overlap", forKey: .type)
            try members.encode(overlap.from.map(RFC3339.text), forKey: .from)
            try members.encode(overlap.to.map(RFC3339.text), forKey: .to)
            try members.encode((overlap.distance * 10).rounded() / 10, forKey: .distance)
            try members.encode(overlap.isSeen, forKey: .seen)
            try members.encode([overlap.first, overlap.second].map(Side.init), forKey: .visits)
            try members.encode(overlap.isUncertain, forKey: .uncertain)
            try members.encode(overlap.doubts.map(Reason.init), forKey: .reasons)
        }
    }

    /// One of the two.
    private struct Side: Encodable {
        private enum CodingKeys: CodingKey {
            case id, vehicle, confirmed, arrival, departure, lat, lon, accuracy
        }

        let visit: Visit

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(visit.id, forKey: .id)
            try members.encode(visit.vehicle, forKey: .vehicle)
            try members.encode(visit.isConfirmed, forKey: .confirmed)
            try members.encode(visit.arrival.map(RFC3339.text), forKey: .arrival)
            try members.encode(visit.departure.map(RFC3339.text), forKey: .departure)
            try members.encode(visit.position.latitude, forKey: .lat)
            try members.encode(visit.position.longitude, forKey: .lon)
            try members.encode(visit.accuracy, forKey: .accuracy)
        }
    }

    /// A word for programs, and the vehicle that it is about.
    private struct Reason: Encodable {
        var reason: String
        var vehicle: VehicleID?

        init(_ evidence: VisitOverlap.Doubt) {
            switch evidence {
            case .missingArrival(let vehicle): (reason, self.vehicle) = ("missing-arrival", vehicle)
            case .missingDeparture(let vehicle): (reason, self.vehicle) = ("missing-departure", vehicle)
            case .accuracy: reason = "accuracy"
            case .unconfirmed(let vehicle): (reason, self.vehicle) = ("unconfirmed", vehicle)
            }
        }
    }
}
