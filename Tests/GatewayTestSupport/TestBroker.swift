import Broker
package import Hashing
package import MQTT
package import Wire

/// A broker in memory with one client: it keeps the client's session and what is retained, and delivers again what a
/// connection that has ended did not acknowledge.
package final class TestBroker {
    /// All that has reached it from the client but probes, in the order in which it came.
    package private(set) var published: [Publication] = []
    package private(set) var retained: [BytewiseText: Publication] = [:]
    /// What the client has not acknowledged, the oldest first.
    private(set) var session: [ReceivedMessage] = []
    private(set) var filters: [String]? {
        didSet { isSubscribed = [:] }
    }
    /// Whether a filter holds for a topic, as it was found.
    private var isSubscribed: [String: Bool] = [:]
    /// Whether nothing comes from it or reaches it, though nobody has closed a connection.
    package var isAway = false
    /// So often it delivers each message that comes from somebody else.
    package var copies = 1
    /// Whether it refuses a publication by ending the connection.
    package var endsConnection: (Publication) -> Bool = { _ in false }
    /// Whether it takes a publication and does nothing with it, as brokers of MQTT 3.1.1 do with what their rules deny.
    package var denies: (Publication) -> Bool = { _ in false }
    private let probePrefix: String

    /// What a broker that was killed starts again with.
    package struct Snapshot {
        fileprivate var retained: [BytewiseText: Publication]
        fileprivate var filters: [String]?
    }

    package init(_ topics: GatewayTopics) { probePrefix = topics.probe }

    /// Whether the client has acknowledged everything.
    package var isDone: Bool { session.isEmpty }

    package func connection() -> TestConnection { TestConnection(self) }

    /// A message from somebody else.
    package func publish(_ topic: String, _ payload: String, retain: Bool = false) {
        take(Publication(topic: topic, payload: Array(payload.utf8), retain: retain), copies: copies)
    }

    /// Topics of what the client has not acknowledged, but of its own probes.
    package var unacknowledged: [String] { session.map(\.topic).filter { !$0.hasPrefix(probePrefix) } }
    /// Whether it keeps messages for the client, connected or not.
    package var hasSession: Bool { filters != nil }
    package var isDoneWithInputs: Bool { unacknowledged.isEmpty }

    /// Nil while the client has not acknowledged everything, since what is not in the session would be lost, and before its first
    /// session.
    package var snapshot: Snapshot? {
        isDoneWithInputs && filters != nil ? Snapshot(retained: retained, filters: filters) : nil
    }

    /// It was killed, and has what it had written down before.
    ///
    /// - Parameter snapshot: nil: nothing.
    /// - Precondition: `isDoneWithInputs`
    package func restore(_ snapshot: Snapshot?) {
        precondition(isDoneWithInputs, "what is not acknowledged would be lost")
        (retained, filters, session) = (snapshot?.retained ?? [:], snapshot?.filters, [])
    }

    /// It has forgotten the client, and keeps what is retained.
    ///
    /// - Precondition: `isDoneWithInputs`
    package func endSession() {
        precondition(isDoneWithInputs, "what is not acknowledged would be lost")
        (filters, session) = (nil, [])
    }

    private func take(_ publication: Publication, copies: Int) {
        if publication.retain {
            retained[publication.$topic] = publication.payload.isEmpty ? nil : publication
        }
        if isWanted(publication.topic) {
            for _ in 0..<copies { session.append(message(publication, retained: false)) }
        }
    }

    private func isWanted(_ topic: String) -> Bool {
        if let known = isSubscribed[topic] { return known }
        let isWanted = filters?.contains { TopicFilter.overlap($0, topic) } ?? false
        isSubscribed[topic] = isWanted
        return isWanted
    }

    func takeFromClient(_ publication: Publication) {
        if denies(publication) { return }
        if !publication.topic.hasPrefix(probePrefix) { published.append(publication) }
        take(publication, copies: 1)
    }

    func subscribe(_ filters: [String]) {
        let new = filters.filter { self.filters?.contains($0) != true }
        self.filters = filters
        session += messages(retainedOn: new)
    }

    func messages(retainedOn filters: [String]) -> [ReceivedMessage] {
        retained.values.filter { entry in filters.contains { TopicFilter.overlap($0, entry.topic) } }
            .sorted { $0.$topic < $1.$topic }.map { message($0, retained: true) }
    }

    func acknowledge(_ count: Int) { session.removeFirst(count) }

    func insert(_ messages: [ReceivedMessage]) { session += messages }

    private func message(_ publication: Publication, retained: Bool) -> ReceivedMessage {
        ReceivedMessage(topic: publication.topic, payload: publication.payload, qos: .atLeastOnce, retained: retained)
    }
}
