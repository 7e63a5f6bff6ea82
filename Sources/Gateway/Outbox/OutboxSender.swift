import Broker
import Fleet
import Hashing
import Logging
import Messages
import MQTT
import Store

/// Sends what the outbox holds, by priority and then in its order, and remembers what is under way.
struct OutboxSender {
    /// How many publications may be under way for one more of a priority to follow them.
    ///
    /// What is under way cannot be overtaken, so that an alert waits for it. A broker takes some 20,000 messages a second at
    /// least: 500 states, or 800 of these and events, are less than 50 ms, and leave room in the window of `Broker/Limits`,
    /// which holds 1,000. One that takes few at a time takes them once in a journey there and back; then no more than for
    /// two or three journeys are under way.
    ///
    /// - Parameter inFlightMax: how many the broker takes at a time.
    static func underWayMax(_ priority: OutboxPriority, inFlightMax: Int) -> Int {
        switch priority {
        case .high: .max
        case .normal: min(800, 3 * inFlightMax)
        case .low: min(500, 2 * inFlightMax)
        }
    }

    /// The highest priority first.
    private var queues = OutboxPriority.allCases.map { OutboxQueue($0) }
    /// Publications that the broker has not answered for, and how they are delivered.
    private var underWay: [Int32: (message: RefusalSearch.Sent, qos: QoS)] = [:]
    private var search = RefusalSearch()
    /// Entries among those under way that queues which went back come to again.
    private var notAgain: Set<Int64> = []
    private let logger: Logger

    /// How many publications the broker has not answered for.
    var underWayCount: Int { underWay.count }
    var publicationsUnderWay: some Sequence<Int32> { underWay.keys }
    /// Whether nothing else may be under way beside a message: the broker refuses one, and does not say which.
    var sendsOneAtATime: Bool { search.isUnderWay }

    init(logger: Logger) { self.logger = logger }

    /// A batch is committed: what it takes out of the outbox is not sent any more, and what it adds follows.
    ///
    /// - Parameter ids: of its messages, in their order.
    mutating func noteCommit(_ batch: StoreBatch, ids: [Int64]) {
        leaveOut(batch.removedTopics)
        add(zip(ids, batch.outbox).map { OutboxEntry(id: $0, message: $1, createdAt: batch.time) })
    }

    private mutating func add(_ entries: [OutboxEntry]) {
        for index in queues.indices {
            let priority = queues[index].priority
            queues[index].add(entries.filter { $0.message.priority == priority })
        }
    }

    private mutating func leaveOut(_ topics: [String]) {
        guard !topics.isEmpty else { return }
        let topics = Set(topics.map(BytewiseText.init(_:)))
        for index in queues.indices { queues[index].leaveOut(topics) }
    }

    /// - Returns: the entry that is done with, to be deleted from the store.
    mutating func settle(_ answer: BrokerAnswer) -> Int64? {
        switch answer {
        case .published(let id, let reason):
            guard let (message, _) = underWay.removeValue(forKey: id) else { return nil }
            search.acknowledged(message)
            if reason.isRefusal {
                logger.error("The broker refused a message: \(reason)", metadata: ["outbox": "\(message.entry)"])
            }
            return message.entry
        case .reconnected:
            search.connected()
            sendLostAgain()
            return nil
        case .discarded(let mayBeRefused):
            sendAllAgain(mayBeRefused: mayBeRefused)
            return nil
        }
    }

    /// The connection does not send again what was under way.
    private mutating func sendAllAgain(mayBeRefused: Bool) {
        let messages = underWay.values.map(\.message)
        if mayBeRefused { search.gaveUp(messages) }
        (underWay, notAgain) = ([:], [])
        guard let first = messages.map(\.entry).min() else { return }
        for index in queues.indices { queues[index].readAgain(after: first - 1) }
    }

    /// Over a new connection libmosquitto sends again what was under way, under the same ids; but of QoS 0 it drops what was not
    /// written when the old one ended, and answers for none of it.
    private mutating func sendLostAgain() {
        guard let first = underWay.values.filter({ $0.qos == .atMostOnce }).map(\.message.entry).min() else { return }
        underWay = underWay.filter { $0.value.qos != .atMostOnce }
        notAgain = Set(underWay.values.map(\.message.entry).filter { $0 >= first })
        for index in queues.indices { queues[index].readAgain(after: first - 1) }
    }

    /// Reads the entries of a priority that the store holds behind an id, so many at most.
    typealias Page = (OutboxPriority, _ after: Int64, _ limit: Int) throws -> PendingOutbox

    /// - Parameters:
    ///   - others: how many other publications are under way.
    ///   - refuse: called with a message that can never be sent, and why; it leaves the store.
    mutating func send(
        over link: BrokerLink, besides others: Int = 0, at now: Timestamp, from page: Page,
        refuse: (OutboxEntry, String) throws -> Void
    ) throws {
        if search.isUnderWay, underWay.isEmpty {
            let waiting = try queues.indices.map { try next(in: $0, from: page)?.id }
            if search.isOver(before: waiting) { logger.info("Many messages are under way at once again") }
        }
        for index in queues.indices {
            while link.isConnected, let entry = try next(in: index, from: page), hasRoom(for: entry, others, link) {
                if notAgain.remove(entry.id) != nil {
                    queues[index].removeFirst()
                    continue
                }
                if let end = entry.message.expiresAt, end <= now {
                    // The store removes it, and all others that have expired meanwhile, as after an outage.
                    queues[index].readAgain(after: entry.id - 1)
                    continue
                }
                let sent = RefusalSearch.Sent(entry)
                if let reason = search.reasonToRefuse(sent) {
                    queues[index].removeFirst()
                    search.refused(sent)
                    try refuse(entry, reason)
                    continue
                }
                do {
                    let publication = entry.message.publication(at: now)
                    underWay[try link.publish(publication)] = (sent, publication.qos)
                    queues[index].removeFirst()
                } catch {
                    switch error.code {
                    case .windowFull, .notConnected, .connectionLost: return
                    default:
                        queues[index].removeFirst()
                        try refuse(entry, "\(error)")
                    }
                }
            }
        }
    }

    /// A message of QoS 0 is answered for by nobody: it leaves at once.
    private func hasRoom(for entry: OutboxEntry, _ others: Int, _ link: BrokerLink) -> Bool {
        if link.sendsOneAtATime { return underWay.isEmpty && others == 0 }
        let inFlightMax = entry.message.publication.qos == .atMostOnce ? 1_000 : link.inFlightMax
        return underWay.count + others < Self.underWayMax(entry.message.priority, inFlightMax: inFlightMax)
    }

    private mutating func next(in index: Int, from page: Page) throws -> OutboxEntry? {
        let (priority, logger) = (queues[index].priority, logger)
        return try queues[index].next { id, limit in
            let page = try page(priority, id, limit)
            if page.expired > 0 { logger.warning("\(page.expired) messages expired before they could be sent") }
            return page.entries
        }
    }
}
