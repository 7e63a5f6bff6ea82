import Hashing
import MQTT
import Store

/// Finds the message for which the broker ends connections, among those that were under way when it did so.
///
/// MQTT 3.1.1 gives a broker no other way to refuse a publication (section 3.3.5). The messages are sent again one at a time: the
/// one that is alone under way whenever the connection ends is the one.
struct RefusalSearch {
    /// A message that is under way.
    struct Sent {
        let entry: Int64
        let topic: BytewiseText
        let isRetained: Bool
        let priority: OutboxPriority
        let bytes: Int

        init(_ entry: OutboxEntry) {
            self.entry = entry.id
            topic = entry.message.publication.$topic
            isRetained = entry.message.publication.retain
            priority = entry.message.priority
            bytes = topic.wrappedValue.utf8.count + entry.message.publication.payload.count
        }
    }

    /// How many connections in a row end with a message alone under way, and it is refused. A connection may end then for another
    /// reason, too, and three times in a row within milliseconds it hardly does.
    static let endsMax = 3
    /// So many messages of a length or longer are refused and none is taken, and the length is the reason.
    private static let refusalsMax = 3

    /// Up to this entry one message at a time is sent; nil: there is nothing to find.
    private var suspectMax: Int64?
    /// Retained topics of those up to it: a newer message of such a topic takes the place of the older one.
    private var suspectTopics: Set<BytewiseText> = []
    /// The message that was alone under way, by its topic.
    private var suspect: (topic: BytewiseText, ends: Int)?
    /// The shortest message that was refused, of so many of which none is shorter; nil where one as long was taken since.
    private var limit: (bytes: Int, refusals: Int)?

    var isUnderWay: Bool { suspectMax != nil }

    /// A new connection, which may be one to a broker with other limits.
    mutating func connected() {
        if !isUnderWay { limit?.refusals = 1 }
    }

    mutating func acknowledged(_ sent: Sent) {
        if let limit, sent.bytes >= limit.bytes { self.limit = nil }
        clear(sent)
    }

    private mutating func clear(_ message: Sent) {
        suspectTopics.remove(message.topic)
        if message.topic == suspect?.topic { suspect = nil }
    }

    /// Connections have ended before the broker had acknowledged these messages, and they are not under way any more.
    mutating func gaveUp(_ sent: [Sent]) {
        guard let newest = sent.map(\.entry).max() else { return }
        if isUnderWay, sent.count == 1 {
            let topic = sent[0].topic
            suspect = (topic, topic == suspect?.topic ? (suspect?.ends ?? 0) + 1 : 1)
        }
        suspectMax = max(suspectMax ?? 0, newest)
        suspectTopics.formUnion(sent.filter(\.isRetained).map(\.topic))
    }

    /// Nil: it may be sent.
    func reasonToRefuse(_ message: Sent) -> String? {
        let refusals = refusals(asLongAs: message)
        let ends = suspect?.topic == message.topic ? suspect?.ends ?? 0 : 0
        if ends >= (refusals > 0 ? 1 : Self.endsMax) {
            return "the broker has ended \(ends) connections on which nothing else was under way"
        }
        guard let limit, refusals >= Self.refusalsMax else { return nil }
        return "\(message.bytes) bytes of topic and payload, and the broker ends the connection for \(limit.bytes)"
    }

    /// How many messages of its length or shorter were refused and none taken. That the length may be the reason is no reason to keep
    /// an alert or an event back: those are tried.
    private func refusals(asLongAs message: Sent) -> Int {
        guard let limit, message.priority == .low, message.bytes >= limit.bytes else { return 0 }
        return limit.refusals
    }

    mutating func refused(_ message: Sent) {
        limit = (min(limit?.bytes ?? .max, message.bytes), (limit?.refusals ?? 0) + 1)
        clear(message)
    }

    /// Nothing is under way.
    ///
    /// - Parameter next: the entries of each priority that go out next; nil: none.
    /// - Returns: whether this was the end of it.
    mutating func isOver(before next: [Int64?]) -> Bool {
        guard let suspectMax else { return false }
        let waiting = next.compactMap(\.self)
        let isFound = suspect == nil && suspectTopics.isEmpty && waiting.allSatisfy { $0 > suspectMax }
        guard waiting.isEmpty || isFound else { return false }
        (self.suspectMax, suspectTopics, suspect) = (nil, [], nil)
        return true
    }
}
