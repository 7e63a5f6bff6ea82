import Fleet
import HTTPTypes
import Hashing
import Hummingbird
import Messages
import Store

/// Which part of the history is wanted.
struct HistoryFilter: Sendable {
    static let parameters: Set = ["vehicle", "from", "to", "order"]

    enum Order: String, CaseIterable {
        case asc, desc
    }

    var kind: HistoryEntry.Kind
    var vehicle: VehicleID?
    var from: Timestamp?
    var to: Timestamp?
    var order = HistoryOrder.oldestFirst
    /// The id of the fence, for events only; nil: any.
    var fence: String?

    init(kind: HistoryEntry.Kind, vehicle: VehicleID?, order: HistoryOrder) {
        (self.kind, self.vehicle, self.order) = (kind, vehicle, order)
    }

    init(_ kind: HistoryEntry.Kind, _ query: RequestQuery) throws(HTTPError) {
        self.kind = kind
        vehicle = try query.vehicle("vehicle")
        from = try query.time("from")
        to = try query.time("to")
        let order: Order? = try query.choice("order")
        self.order = order == .desc ? .newestFirst : .oldestFirst
        fence = kind == .event ? query.text("fence") : nil
    }

    /// Nil: every entry is.
    var isWanted: ((HistoryEntry) -> Bool)? {
        fence.map { fence in { PublishedFence($0)?.fence.$id == BytewiseText(fence) } }
    }
}
