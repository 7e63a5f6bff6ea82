package import Fleet
package import Foundation
package import Messages
package import Store

/// What the gateways of a cluster tell each other, so that the console of each shows the whole fleet and takes what is meant
/// for vehicles of any.
package enum GatewayMessage: Codable, Sendable {
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

    package struct News: Codable, Sendable {
        var kind: String
        var vehicle: VehicleID
        var payload: Data

        package init(kind: String, vehicle: VehicleID, payload: Data) {
            (self.kind, self.vehicle, self.payload) = (kind, vehicle, payload)
        }
    }
}

/// A part of what there is to see of a shard's vehicles.
package struct ShardPart: Codable, Sendable {
    package struct Entry: Codable, Sendable {
        package var vehicle: VehicleID
        /// As it is stored; nil: it is no longer kept.
        var state: Data?
        /// Which the state does not hold.
        var route: Route?
        /// The same, by open alert; nil: of a version that does not tell it.
        var progress: [String: AlertProgress]?

        package init(vehicle: VehicleID, state: Data?, route: Route?, progress: [String: AlertProgress]? = nil) {
            (self.vehicle, self.state, self.route, self.progress) = (vehicle, state, route, progress)
        }
    }

    var shard: Int
    /// How many owners the shard has had: what one before says no longer counts.
    var epoch: Int64
    /// Whether it begins again with what follows.
    var isFirst: Bool
    /// Whether all of the shard has been told with it; nothing new where it was before.
    var isLast: Bool
    package var entries: [Entry]
    /// All of the shard's; nil: as before.
    var untaken: [UntakenAlert]?
    var handlings: [Handling]?

    package init(
        shard: Int, epoch: Int64, isFirst: Bool, isLast: Bool, entries: [Entry], untaken: [UntakenAlert]? = nil,
        handlings: [Handling]? = nil
    ) {
        (self.shard, self.epoch, self.isFirst, self.isLast) = (shard, epoch, isFirst, isLast)
        (self.entries, self.untaken, self.handlings) = (entries, untaken, handlings)
    }
}

/// `HandlingRequest` without what cannot be sent.
package struct ForwardedHandling: Codable, Sendable {
    var alert: String
    var vehicle: VehicleID
    var status: Handling.Status
    var by: String
    var note: String?
    /// The revision that the dispatcher's console shows; nil: the alert is not taken.
    var seen: Int?

    package init(_ request: HandlingRequest, seen: Int?) {
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

    package func encoded(from sender: String) throws -> [UInt8] {
        let encoder = PropertyListEncoder()
        // Bytes stay bytes, and names are written once.
        encoder.outputFormat = .binary
        return Array(try encoder.encode(Envelope(from: sender, message: self)))
    }

    /// - Throws: where another version wrote it.
    package static func decode(_ payload: [UInt8]) throws -> (from: String, message: GatewayMessage) {
        let envelope = try PropertyListDecoder().decode(Envelope.self, from: Data(payload))
        return (envelope.from, envelope.message)
    }
}
