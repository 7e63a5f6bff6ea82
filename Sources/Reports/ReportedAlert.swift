import Foundation
import Hashing
import Messages
import Store
import Wire

/// An alert from its first message on.
struct ReportedAlert {
    let first: AlertPayload
    var stages: Set<AlertMessage.Stage> = []
    /// The first message that was to be heard.
    var alarm: AlertPayload?
    var isAcknowledged = false
    var isTaken = false

    var wasAlarm: Bool { alarm != nil }
    var hasEnded: Bool { stages.contains(.passed) || stages.contains(.cleared) }

    init(_ first: AlertPayload) { self.first = first }

    mutating func add(_ message: AlertPayload) {
        stages.insert(message.stage)
        if message.attention != .notice, alarm == nil { alarm = message }
    }
}

/// What a report reads of an alert's message, as it was published.
struct AlertPayload: Decodable {
    struct Clearance: Decodable {
        @BytewiseText var id: String
        var name: String
        var posted: String
    }

    var sequence: Int
    var stage: AlertMessage.Stage
    /// Nil: published before there were notices.
    var attention: AlertMessage.Attention?
    /// Metres.
    var distance: Double
    /// Seconds.
    var eta: Double
    /// Metres, without the margin.
    var vehicleHeight: Double?
    var clearance: Clearance

    private enum CodingKeys: String, CodingKey {
        case sequence, stage, attention, distance, eta, clearance
        case vehicleHeight = "vehicle_height"
    }

    private static let decoder = JSONDecoder()

    /// Nil where the payload is none of an alert.
    init?(_ entry: HistoryEntry) {
        guard let message = try? Self.decoder.decode(Self.self, from: Data(entry.payload)) else { return nil }
        self = message
    }
}
