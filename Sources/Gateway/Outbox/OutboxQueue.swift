import DequeModule
import Fleet
import Hashing
import Messages
import MQTT
import Store

/// What the outbox holds of one priority, in its order: the stretch of it that goes out next. The store is the queue.
struct OutboxQueue {
    /// Kept in memory ahead of sending; the rest is read from the store when its turn comes.
    static let aheadMax = 2_000

    let priority: OutboxPriority
    private var ahead: Deque<OutboxEntry> = []
    /// Whether the store holds more behind `ahead`.
    private var isMoreStored = true
    /// The youngest entry that was taken up, sent or not.
    private var lastTaken: Int64 = 0
    /// The youngest entry of each retained topic in `ahead`: it says all that holds there, so that older ones need not
    /// be sent.
    private var newest: [BytewiseText: Int64] = [:]

    init(_ priority: OutboxPriority) { self.priority = priority }

    /// New entries of this priority, just committed.
    mutating func add(_ entries: [OutboxEntry]) {
        guard !entries.isEmpty else { return }
        guard !isMoreStored, ahead.count + entries.count <= Self.aheadMax else {
            isMoreStored = true
            return
        }
        take(entries)
    }

    /// What the store holds behind an entry that was taken up goes out, whether it did before or not.
    mutating func readAgain(after id: Int64) {
        guard id < lastTaken else { return }
        (ahead, newest, isMoreStored, lastTaken) = ([], [:], true, id)
    }

    /// What the store has let go of is not sent any more.
    mutating func leaveOut(_ topics: Set<BytewiseText>) {
        ahead.removeAll { topics.contains($0.message.publication.$topic) }
        for topic in topics { newest[topic] = nil }
    }

    /// The entry that goes out next; nil where there is none.
    ///
    /// - Parameter page: reads the entries in the store behind an id, so many at most.
    mutating func next(
        from page: (_ after: Int64, _ limit: Int) throws -> [OutboxEntry]
    ) rethrows -> OutboxEntry? {
        while true {
            if ahead.isEmpty && isMoreStored {
                let entries = try page(lastTaken, Self.aheadMax)
                isMoreStored = entries.count == Self.aheadMax
                take(entries)
            }
            guard let first = ahead.first, first.message.publication.retain,
                newest[first.message.publication.$topic] != first.id
            else {
                return ahead.first
            }
            ahead.removeFirst()
        }
    }

    /// The entry that `next` gave is under way, or cannot be sent.
    mutating func removeFirst() {
        let entry = ahead.removeFirst()
        if newest[entry.message.publication.$topic] == entry.id { newest[entry.message.publication.$topic] = nil }
    }

    private mutating func take(_ entries: [OutboxEntry]) {
        ahead += entries
        lastTaken = entries.last?.id ?? lastTaken
        for entry in entries where entry.message.publication.retain {
            newest[entry.message.publication.$topic] = entry.id
        }
    }
}
