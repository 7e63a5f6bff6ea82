import Clearances
import Hashing
import Messages

/// The clearances of files and topics, by id; entries of topics go before those of files.
struct MapEntries: Sendable {
    var files: [BytewiseText: PointClearance] = [:]
    private(set) var topics: [BytewiseText: PointClearance] = [:]
    /// No entry of a topic ends before; nil: none has an end.
    private(set) var nextExpiry: Timestamp?

    /// - Parameter clearance: nil: the entry is taken back.
    mutating func setTopic(_ id: BytewiseText, _ clearance: PointClearance?) {
        topics[id] = clearance
        nextExpiry = .earlier(nextExpiry, clearance?.expiry)
    }

    /// Ids of the entries of topics that hold no longer; each is told once.
    mutating func takeEnded(at time: Timestamp) -> [String] {
        guard let first = nextExpiry, first <= time else { return [] }
        let ends = topics.compactMapValues(\.expiry)
        nextExpiry = ends.values.filter { $0 > time }.min()
        return ends.filter { $0.value <= time }.keys.sorted().map(\.wrappedValue)
    }

    var count: Int { files.count + topics.count }

    func clearance(_ id: BytewiseText) -> PointClearance? { topics[id] ?? files[id] }

    /// By id, with where each comes from.
    var origins: [BytewiseText: (clearance: PointClearance, origin: EntryOrigin)] {
        files.mapValues { ($0, .file) }.merging(topics.mapValues { ($0, .topic) }) { _, topic in topic }
    }

    /// In the order of their ids.
    var inForce: [PointClearance] {
        files.merging(topics) { _, topic in topic }.values.sorted { $0.$id < $1.$id }
    }
}
