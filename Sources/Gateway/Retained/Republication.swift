import Broker
import DequeModule
import Hashing
import Messages

/// What the broker has lost and is given back: published again as retained, as it came, unless somebody else has published
/// there meanwhile.
///
/// MQTT cannot publish on a condition. Where another message overtakes the republication on its way to the broker, the
/// order in which both come back tells what the broker retains now, and the newer one is published once more.
struct Republication {
    private struct UnderWay {
        var payload: [UInt8]
        var sentAt: Timestamp
        /// Another message on the topic has come since it left.
        var isOvertaken = false
    }

    /// In one pass: the window is the outbox's, too.
    private static let atOnceMax = 200

    /// Topics that the broker has nothing retained on, as far as is known.
    private(set) var missing: Set<BytewiseText> = []
    private var queue: Deque<BytewiseText> = []
    /// Topics in `queue` that are to be set right: what is kept is published, or nothing where nothing is.
    private var repairs: Set<BytewiseText> = []
    private var underWay: [BytewiseText: UnderWay] = [:]
    /// How often the broker has ended connections while a topic's message was under way, until it comes back; one at a time is
    /// sent then.
    private var ends: [BytewiseText: Int] = [:]
    /// So often, and it is not published any more.
    private static let endsMax = 3

    /// How many have been published and have not come back.
    var underWayCount: Int { underWay.count }

    /// - Parameter topics: all that the broker has lost; what was begun before a new session is begun anew by it.
    mutating func begin(_ topics: [String]) {
        let topics = topics.map(BytewiseText.init(_:))
        (missing, queue, repairs, underWay, ends) = (Set(topics), Deque(topics), [], [:], [:])
    }

    /// What is kept of a topic is to stand there, or nothing where nothing is; where something is under way there, after that.
    mutating func setRight(_ topic: BytewiseText) {
        removeMissing(topic)
        if underWay[topic] != nil {
            underWay[topic]?.isOvertaken = true
        } else {
            repair(topic)
        }
    }

    private mutating func repair(_ topic: BytewiseText) {
        if repairs.insert(topic).inserted { queue.append(topic) }
    }

    /// Something newer has come where these were under way: whether the broker had it before or behind what is awaited no longer, nobody
    /// knows.
    private mutating func repairOvertaken(_ lost: [BytewiseText: UnderWay]) {
        let overtaken = lost.filter { $0.value.isOvertaken && !missing.contains($0.key) }
        for topic in overtaken.keys.sorted() { repair(topic) }
    }

    func isUnderWay(_ topic: BytewiseText) -> Bool { underWay[topic] != nil }
    /// Whether something is still to be published there, or to come back.
    func isPending(_ topic: BytewiseText) -> Bool { isUnderWay(topic) || repairs.contains(topic) }

    /// The connection has ended, perhaps for one of those under way, and does not send them again.
    ///
    /// - Returns: topics that stay missing: their messages were under way too often then.
    mutating func discarded() -> [String] {
        let lost = underWay.keys.filter(missing.contains).sorted()
        for topic in lost { ends[topic, default: 0] += 1 }
        let refused = lost.filter { ends[$0, default: 0] >= Self.endsMax }
        for topic in refused { ends[topic] = nil }
        queue += lost.filter { ends[$0] != nil }
        repairOvertaken(underWay)
        underWay = [:]
        return refused.map(\.wrappedValue)
    }

    /// All has come that was sent before `time`: what has not has been refused, of which under MQTT 3.1.1 a broker says nothing, or was
    /// lost on its way back. What the broker does not have then stays missing.
    mutating func expire(sentBefore time: Timestamp) {
        let expired = underWay.filter { $0.value.sentAt < time }
        for topic in expired.keys { (underWay[topic], ends[topic]) = (nil, nil) }
        repairOvertaken(expired)
    }

    /// Something has come on a topic, or nothing is to be retained there.
    private mutating func removeMissing(_ topic: BytewiseText) {
        missing.remove(topic)
        ends[topic] = nil
    }

    /// A message has come on a topic.
    ///
    /// - Returns: whether it is what was published again, which changes nothing.
    mutating func isOwn(_ message: ReceivedMessage) -> Bool {
        guard !missing.isEmpty || !underWay.isEmpty else { return false }
        removeMissing(message.$topic)
        guard let sent = underWay[message.$topic] else { return false }
        guard sent.payload == message.payload else {
            underWay[message.$topic]?.isOvertaken = true
            return false
        }
        underWay[message.$topic] = nil
        if sent.isOvertaken { repair(message.$topic) }
        return true
    }

    /// Nothing is kept on these topics any more, nor is it to be retained.
    mutating func leaveOut(_ topics: some Sequence<String>) {
        guard !missing.isEmpty || !underWay.isEmpty else { return }
        for topic in topics.lazy.map(BytewiseText.init(_:)) {
            removeMissing(topic)
            underWay[topic]?.isOvertaken = true
        }
    }

    /// Publishes what can be published now.
    ///
    /// - Parameters:
    ///   - kept: the payload that is kept on a topic.
    ///   - publish: throws where there is no room.
    /// - Returns: how many were published.
    mutating func send(
        at now: Timestamp, kept: (_ topic: String) throws -> [UInt8]?,
        by publish: (_ topic: String, _ payload: [UInt8]) throws(BrokerError) -> Void
    ) throws -> Int {
        var count = 0
        while count < Self.atOnceMax, ends.isEmpty || underWay.isEmpty, let topic = queue.first {
            guard let payload = try payload(topic, kept) else {
                removeMissing(topic)
                queue.removeFirst()
                continue
            }
            do throws(BrokerError) {
                try publish(topic.wrappedValue, payload)
                underWay[topic] = UnderWay(payload: payload, sentAt: now)
                count += 1
            } catch {
                // What the broker would never take stays missing.
                if [.windowFull, .notConnected, .connectionLost].contains(error.code) { break }
            }
            queue.removeFirst()
            repairs.remove(topic)
        }
        return count
    }

    /// Nil where there is nothing to publish.
    private func payload(_ topic: BytewiseText, _ kept: (String) throws -> [UInt8]?) throws -> [UInt8]? {
        if repairs.contains(topic) { return try kept(topic.wrappedValue) ?? [] }
        return missing.contains(topic) ? try kept(topic.wrappedValue) : nil
    }
}
