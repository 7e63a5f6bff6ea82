import Fleet
import Geo
import Messages

/// One thing that was said of a vehicle, in terms of what happened to it.
struct GroundTruthEvent: Hashable {
    enum Kind: CaseIterable {
        case alert, fence
    }

    var kind: Kind
    /// `ahead osm:way:4711`, `enter depot-7`
    var what: String
    /// When the stage was reached, or the border crossed.
    var at: Timestamp

    /// Nil for a message about anything else. Where a vehicle is at first (`determined`) is nothing that happens to it.
    init?(_ message: Message) {
        switch message {
        case .alert(let alert) where alert.attention == .alarm:
            self.init(.alert, "\(alert.stage.rawValue) \(alert.clearance.id)", at: alert.time)
        case .event(let event) where event.event != .determined:
            self.init(.fence, "\(event.event.rawValue) \(event.fence)", at: event.crossedAt)
        default:
            return nil
        }
    }

    init(_ kind: Kind, _ what: String, at: Timestamp) {
        (self.kind, self.what, self.at) = (kind, what, at)
    }
}
