import Fleet
import Foundation
import Geo
import Hashing
import Messages
import Store

/// Where a published message is on the map: the place itself, or that of its clearance.
struct PublishedPlace {
    private struct Message: Decodable {
        struct Clearance: Decodable {
            var lat: Degrees
            var lon: Degrees
        }

        var lat: Degrees?
        var lon: Degrees?
        var clearance: Clearance?
    }

    let position: Coordinate

    /// Nil where it has no place.
    init?(_ entry: HistoryEntry) {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(entry.payload)),
            let latitude = message.lat ?? message.clearance?.lat, let longitude = message.lon ?? message.clearance?.lon
        else { return nil }
        position = Coordinate(latitude: latitude, longitude: longitude)
    }
}

/// The fence that a published event is of.
struct PublishedFence: Decodable {
    struct Fence: Decodable {
        @BytewiseText var id: String
    }

    let fence: Fence

    init?(_ entry: HistoryEntry) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(entry.payload)) else { return nil }
        self = message
    }
}

/// How far a visit was when a message was published.
struct PublishedVisit: Decodable {
    let phase: VisitMessage.Phase

    init?(_ entry: HistoryEntry) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(entry.payload)) else { return nil }
        self = message
    }
}
