import Broker
import DequeModule
import Fleet
import Logging
import Store

/// Sends what the outbox holds, in its order, and remembers what is under way.
///
/// The store is the queue; here is only the stretch of it that goes out next.
struct OutboxSender {
    /// Kept in memory ahead of sending; the rest is read from the store when its turn comes.
    private static let aheadMax = 2_000

    private var ahead: Deque<OutboxEntry> = []
    /// Whether the store holds more behind `ahead`.
    private var isMoreStored = true
    /// The youngest entry that was taken up, sent or not.
    private var lastTaken: Int64 = 0
    /// Publications that the broker has not answered for.
    private var underWay: [Int32: Int64] = [:]
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// New entries, just committed.
    mutating func add(_ entries: [OutboxEntry]) {
        guard !isMoreStored, ahead.count + entries.count <= Self.aheadMax else {
            isMoreStored = isMoreStored || !entries.isEmpty
            return
        }
        ahead += entries
        lastTaken = entries.last?.id ?? lastTaken
    }

    /// What the store has let go of is not sent any more.
    mutating func leaveOut(_ topics: [String]) {
        guard !topics.isEmpty else { return }
        let topics = Set(topics)
        ahead.removeAll { topics.contains($0.message.topic) }
    }

    /// - Returns: the entry that is done with, to be deleted from the store.
    mutating func settle(_ answer: BrokerAnswer) -> Int64? {
        // After a new connection libmosquitto sends again what was under way, under the same ids.
        guard case .published(let id, let reason) = answer, let entry = underWay.removeValue(forKey: id) else {
            return nil
        }
        if reason.isRefusal {
            logger.error("The broker refused a message: \(reason)", metadata: ["outbox": "\(entry)"])
        }
        return entry
    }

    mutating func send(over link: BrokerLink, from store: Store, at now: Timestamp) throws {
        guard link.isConnected else { return }
        while let entry = try next(from: store, at: now) {
            do {
                underWay[try link.publish(Publication(entry.message, at: now))] = entry.id
                ahead.removeFirst()
            } catch {
                switch error.code {
                case .windowFull, .notConnected, .connectionLost: return
                default:
                    logger.error(
                        "A message cannot be sent and is dropped: \(error)", metadata: ["outbox": "\(entry.id)"])
                    ahead.removeFirst()
                    _ = try store.commit(StoreBatch(time: now, delivered: [entry.id]))
                }
            }
        }
    }

    private mutating func next(from store: Store, at now: Timestamp) throws -> OutboxEntry? {
        if ahead.isEmpty && isMoreStored {
            let page = try store.pendingOutbox(after: lastTaken, limit: Self.aheadMax, at: now)
            ahead = Deque(page.entries)
            isMoreStored = page.entries.count == Self.aheadMax
            lastTaken = page.entries.last?.id ?? lastTaken
            if page.expired > 0 { logger.warning("\(page.expired) messages expired before they could be sent") }
        }
        return ahead.first
    }
}

extension Publication {
    fileprivate init(_ message: OutboxMessage, at now: Timestamp) {
        self.init(
            topic: message.topic, payload: message.payload, qos: QoS(rawValue: UInt8(message.qos)) ?? .atLeastOnce,
            retain: message.retain,
            expirySeconds: message.expiresAt.map { UInt32(max(1, $0.since(now).rounded(.up))) },
            contentType: message.contentType,
            userProperties: message.userProperties.map { UserProperty($0.name, $0.value) })
    }
}
