package import Messages

/// Something that was published and is to be looked up later.
package struct HistoryEntry: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case alert, event, visit
        /// A driver has acknowledged a message of an alert.
        case acknowledgement
        /// A dispatcher has taken an alert, changed what is noted about it, or closed it, or it has ended meanwhile.
        case handling

        var table: String {
            switch self {
            case .alert, .event, .visit: "history"
            case .acknowledgement, .handling: "response"
            }
        }
    }

    /// The id of the message, or of the alert that a response is to; no other of its kind has the same id and `sequence`.
    package var id: String
    package var sequence: Int
    package var vehicle: VehicleID
    package var type: Kind
    /// The time of the fix or deadline that caused the message, not of its publication.
    package var time: Timestamp
    /// As published.
    package var payload: [UInt8]

    package init(
        id: String, sequence: Int, vehicle: VehicleID, type: Kind, time: Timestamp, payload: [UInt8]
    ) {
        self.id = id
        self.sequence = sequence
        self.vehicle = vehicle
        self.type = type
        self.time = time
        self.payload = payload
    }
}

/// A part of the history, in the order of its times; what has one time, in the order in which it was written.
package struct HistoryPage: Hashable, Sendable {
    package var entries: [HistoryEntry]
    /// Where the next page begins; nil: there is nothing more yet.
    package var next: HistoryCursor?

    package init(entries: [HistoryEntry] = [], next: HistoryCursor? = nil) {
        self.entries = entries
        self.next = next
    }
}

/// Which end of the history a page begins at.
package enum HistoryOrder: Sendable {
    case oldestFirst, newestFirst
}

/// A place in the history, which stays one when entries come or go.
package struct HistoryCursor: Hashable, Sendable, LosslessStringConvertible {
    let time: Timestamp
    /// The number of the row; rows are numbered in the order in which they were written.
    let number: Int64

    init(time: Timestamp, number: Int64) {
        self.time = time
        self.number = number
    }

    /// Nil where `text` is no cursor's description.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let time = parts[0], let number = parts[1] else { return nil }
        self.init(time: Timestamp(milliseconds: time), number: number)
    }

    /// For a URL or a link; its parts mean nothing to anyone else.
    package var description: String { "\(time.milliseconds).\(number)" }
}
