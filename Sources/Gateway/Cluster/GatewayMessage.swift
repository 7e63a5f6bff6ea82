import Foundation
import Messages
import Store

/// What the gateways of a cluster tell each other, so that the console of each shows the whole fleet and takes what is meant
/// for vehicles of any.
enum GatewayMessage: Codable, Sendable {
    /// Somebody looks at the sender's console: it wants to be told what there is to see of the receivers' vehicles.
    ///
    /// - isNew: all, from the first message on; else what has changed since the last.
    case watch(isNew: Bool)
    /// What there is to see of some vehicles of a shard.
    ///
    /// - number: counts up with those from one gateway to another, so that a gap is seen.
    case part(ShardPart, number: UInt64)
    /// What has just been said.
    case news([News])
    /// The sender is about to publish this: who is given it by the broker says what became of it.
    case expectation(id: UInt64, topic: String, payload: Data)
    case outcome(id: UInt64, DispatchOutcome)
    /// A dispatcher sees to an alert of a vehicle of the receiver's.
    case handling(id: UInt64, ForwardedHandling)
    case handlingOutcome(id: UInt64, HandlingOutcome)
    /// Phones were paired, or no longer are.
    case cabsChanged

    struct News: Codable, Sendable {
        var kind: String
        var vehicle: VehicleID
        var payload: Data
    }
}

/// A part of what there is to see of a shard's vehicles.
struct ShardPart: Codable, Sendable {
    struct Entry: Codable, Sendable {
        var vehicle: VehicleID
        /// As it is stored; nil: it is no longer kept.
        var state: Data?
        /// Which the state does not hold.
        var route: Route?
    }

    var shard: Int
    /// How many owners the shard has had: what one before says no longer counts.
    var epoch: Int64
    /// Whether it begins again with what follows.
    var isFirst: Bool
    /// Whether all of the shard has been told with it; nothing new where it was before.
    var isLast: Bool
    var entries: [Entry]
    /// All of the shard's; nil: as before.
    var untaken: [UntakenAlert]?
    var handlings: [Handling]?
}

/// `HandlingRequest` without what cannot be sent.
struct ForwardedHandling: Codable, Sendable {
    var alert: String
    var vehicle: VehicleID
    var status: Handling.Status
    var by: String
    var note: String?
    /// The revision that the dispatcher's console shows; nil: the alert is not taken.
    var seen: Int?

    init(_ request: HandlingRequest, seen: Int?) {
        (alert, vehicle, status) = (request.alert, request.vehicle, request.status)
        (by, note, self.seen) = (request.by, request.note, seen)
    }

    var request: HandlingRequest {
        HandlingRequest(
            alert: alert, vehicle: vehicle, status: status, by: by, note: note, isExpected: { [seen] in $0 == seen })
    }
}

extension GatewayMessage {
    /// With the queue that takes answers.
    private struct Envelope: Codable {
        var from: String
        var message: GatewayMessage
    }

    func encoded(from sender: String) throws -> [UInt8] {
        let encoder = PropertyListEncoder()
        // Bytes stay bytes, and names are written once.
        encoder.outputFormat = .binary
        return Array(try encoder.encode(Envelope(from: sender, message: self)))
    }

    /// - Throws: where another version wrote it.
    static func decode(_ payload: [UInt8]) throws -> (from: String, message: GatewayMessage) {
        let envelope = try PropertyListDecoder().decode(Envelope.self, from: Data(payload))
        return (envelope.from, envelope.message)
    }
}
