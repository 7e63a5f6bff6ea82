import Fleet
import Foundation
import Geo
import Messages
import Store
import Wire

/// One visit, by the latest of its messages, which says all that those before it said.
struct StoredVisit {
    private(set) var message: VisitPayload

    init(_ message: VisitPayload) { self.message = message }

    mutating func add(_ other: VisitPayload) {
        if other.sequence > message.sequence { message = other }
    }

    var isOver: Bool { message.phase == .departed }

    /// An arrival that was only presumed, and was none.
    var isWithdrawn: Bool { message.phase == .withdrawn }

    var visit: Visit {
        Visit(
            id: message.id, vehicle: message.vehicle, arrival: message.arrival, departure: message.departure,
            firstSeen: message.firstSeen, lastSeen: message.lastSeen, goneAt: isOver ? message.time : nil,
            position: message.position, accuracy: message.accuracy, isConfirmed: message.isConfirmed)
    }

    /// Whether it may have lasted into `from ..< to`; nil: no bound.
    func isWithin(from: Timestamp?, to: Timestamp?) -> Bool {
        let end = isOver ? message.departure ?? message.time : Timestamp(milliseconds: .max)
        return from.map { end >= $0 } ?? true && to.map { message.firstSeen < $0 } ?? true
    }
}

extension StoredVisit {
    private static let pageSize = 1000

    /// All that are kept and were not withdrawn, of one vehicle or of all, by their first fixes, then by vehicle.
    ///
    /// - Parameter complain: hears of each message that cannot be read; the others are used.
    static func all(
        in store: StoreReader, of vehicle: VehicleID?, complain: (String) -> Void
    ) throws(StoreError) -> [StoredVisit] {
        var visits: [String: StoredVisit] = [:]
        var cursor: HistoryCursor?
        repeat {
            let page = try store.history(type: .visit, vehicle: vehicle, limit: pageSize, after: cursor)
            for entry in page.entries {
                guard let message = VisitPayload(entry) else {
                    complain("the visit message \(entry.id) (\(entry.sequence)) of \(entry.vehicle) cannot be read")
                    continue
                }
                if visits[message.id]?.add(message) == nil { visits[message.id] = StoredVisit(message) }
            }
            cursor = page.next
        } while cursor != nil
        return visits.values.filter { !$0.isWithdrawn }.sorted { $0.order < $1.order }
    }

    private var order: (Timestamp, VehicleID, String) { (message.firstSeen, message.vehicle, message.id) }
}

/// A visit message as it was published.
struct VisitPayload {
    var id: String
    var vehicle: VehicleID
    var sequence: Int
    var phase: VisitMessage.Phase
    var isConfirmed: Bool
    var time: Timestamp
    var arrival: Timestamp?
    var departure: Timestamp?
    var firstSeen: Timestamp
    var lastSeen: Timestamp
    var position: Coordinate
    var accuracy: Metres
    var altitude: Metres?
    var fences: [String]

    private static let decoder = JSONDecoder()

    /// Nil where the payload is none of a visit.
    init?(_ entry: HistoryEntry) {
        guard let message = try? Self.decoder.decode(Self.self, from: Data(entry.payload)) else { return nil }
        self = message
    }
}

extension VisitPayload: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, vehicle, sequence, phase, confirmed, time, arrival, departure, lat, lon, accuracy, altitude, fences
        case firstSeen = "first_seen"
        case lastSeen = "last_seen"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func time(_ key: CodingKeys) throws -> Timestamp {
            let text = try members.decode(String.self, forKey: key)
            guard let time = RFC3339.timestamp(text) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "no time: \(text)")
            }
            return time
        }
        func timeOrNull(_ key: CodingKeys) throws -> Timestamp? {
            try members.decodeNil(forKey: key) ? nil : time(key)
        }
        id = try members.decode(String.self, forKey: .id)
        vehicle = try members.decode(VehicleID.self, forKey: .vehicle)
        sequence = try members.decode(Int.self, forKey: .sequence)
        phase = try members.decode(VisitMessage.Phase.self, forKey: .phase)
        // Earlier versions announced none that was not.
        isConfirmed = try members.decodeIfPresent(Bool.self, forKey: .confirmed) ?? true
        self.time = try time(.time)
        arrival = try timeOrNull(.arrival)
        departure = try timeOrNull(.departure)
        firstSeen = try time(.firstSeen)
        lastSeen = try time(.lastSeen)
        position = Coordinate(
            latitude: try members.decode(Double.self, forKey: .lat),
            longitude: try members.decode(Double.self, forKey: .lon))
        accuracy = try members.decode(Double.self, forKey: .accuracy)
        altitude = try members.decodeIfPresent(Double.self, forKey: .altitude)
        fences = try members.decode([String].self, forKey: .fences)
    }
}
