import Fleet
import Foundation
import Geo
import Store
import Wire

/// One visit, as its messages in the history tell it.
struct StoredVisit {
    /// The latest message: a departure says all that its arrival said.
    private(set) var message: VisitPayload
    /// Of the arrival's message, when the vehicle was inside; nil where that message is no longer kept.
    private(set) var seenAt: Timestamp?

    init(_ message: VisitPayload) {
        self.message = message
        seenAt = message.phase == .arrived ? message.time : nil
    }

    mutating func add(_ other: VisitPayload) {
        if other.phase == .arrived { seenAt = other.time } else { message = other }
    }

    var isOver: Bool { message.phase == .departed }

    /// Nil where no moment is known at which the vehicle was there: neither end, and no message of the arrival.
    var visit: Visit? {
        let moments = [message.arrival, seenAt, message.departure].compactMap(\.self)
        guard let first = moments.min(), let last = moments.max() else { return nil }
        return Visit(
            id: message.id, vehicle: message.vehicle, arrival: message.arrival, departure: message.departure,
            firstSeen: first, lastSeen: last, goneAt: isOver ? message.time : nil, position: message.position,
            accuracy: message.accuracy)
    }

    /// What visits are sorted and selected by: the first moment that is known of it.
    var start: Timestamp { visit?.firstSeen ?? message.time }

    /// Whether it may have lasted into `from ..< to`; nil: no bound.
    func isWithin(from: Timestamp?, to: Timestamp?) -> Bool {
        let end = isOver ? message.departure ?? message.time : Timestamp(milliseconds: .max)
        return from.map { end >= $0 } ?? true && to.map { start < $0 } ?? true
    }
}

extension StoredVisit {
    private static let pageSize = 1000

    /// All that are kept, of one vehicle or of all, by `start`, then by vehicle.
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
        return visits.values.sorted { $0.order < $1.order }
    }

    private var order: (Timestamp, VehicleID, String) { (start, message.vehicle, message.id) }
}

/// A visit message as it was published (contract §3.3).
struct VisitPayload {
    var id: String
    var vehicle: VehicleID
    var phase: VisitMessage.Phase
    var time: Timestamp
    var arrival: Timestamp?
    var departure: Timestamp?
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
    private enum CodingKeys: CodingKey {
        case id, vehicle, phase, time, arrival, departure, lat, lon, accuracy, altitude, fences
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func time(_ key: CodingKeys) throws -> Timestamp? {
            guard let text = try members.decodeIfPresent(String.self, forKey: key) else { return nil }
            guard let time = RFC3339.timestamp(text) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "no time: \(text)")
            }
            return time
        }
        id = try members.decode(String.self, forKey: .id)
        vehicle = try members.decode(VehicleID.self, forKey: .vehicle)
        phase = try members.decode(VisitMessage.Phase.self, forKey: .phase)
        arrival = try time(.arrival)
        departure = try time(.departure)
        position = Coordinate(
            latitude: try members.decode(Double.self, forKey: .lat),
            longitude: try members.decode(Double.self, forKey: .lon))
        accuracy = try members.decode(Double.self, forKey: .accuracy)
        altitude = try members.decodeIfPresent(Double.self, forKey: .altitude)
        fences = try members.decode([String].self, forKey: .fences)
        guard let known = try time(.time) else {
            throw DecodingError.dataCorruptedError(forKey: .time, in: members, debugDescription: "no time")
        }
        self.time = known
    }
}
