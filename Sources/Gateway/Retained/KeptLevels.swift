import Hashing
import Messages
import Wire

/// On which topics each input of a vehicle is kept, where `fleet.topic` names levels beside the vehicle's: what was retained on
/// other levels before stays there.
///
/// In memory, since no index of the store leads from a vehicle to its topics. Where no other level is named, it is empty.
struct KeptLevels {
    private struct Subject: Hashable {
        var vehicle: VehicleID
        var topicSuffix: TopicSuffix
    }

    private let pattern: TopicPattern
    private var topics: [Subject: [BytewiseText]] = [:]
    /// Topics that the gateway itself has emptied, and when: an empty message there says nothing for a while. The store keeps an
    /// empty payload of them.
    private(set) var emptied: [BytewiseText: Timestamp] = [:]
    /// Those of them of which that perhaps was under way when the connection or the program ended.
    private var uncertain: Set<BytewiseText> = []
    /// Topics on which something is kept that was sent before the gateway's empty message, which is still to come back; since when.
    /// By their hashes: what the store keeps of them names no vehicle.
    var overwritten: [UInt64: Timestamp] = [:]

    init(_ pattern: TopicPattern) { self.pattern = pattern }

    /// Nil where a topic is of no vehicle, or of nothing that is kept, or where no other level is named.
    func parse(_ topic: String) -> (address: VehicleAddress, topicSuffix: TopicSuffix)? {
        guard pattern.namedLevelCount > 0, let parsed = try? pattern.parse(topic),
            TopicSuffix.retainedInputs.contains(parsed.topicSuffix)
        else { return nil }
        return parsed
    }

    /// The payload of a topic is kept from now on; empty: the gateway empties the topic; nil: nothing is kept.
    mutating func note(_ topic: BytewiseText, _ payload: [UInt8]?, at now: Timestamp) {
        guard let (address, topicSuffix) = parse(topic.wrappedValue) else { return }
        let subject = Subject(vehicle: address.vehicle, topicSuffix: topicSuffix)
        var kept = topics[subject, default: []].filter { $0 != topic }
        if let payload, payload.isEmpty {
            emptied[topic] = now
        } else {
            emptied[topic] = nil
            uncertain.remove(topic)
            if payload != nil { kept.append(topic) }
        }
        topics[subject] = kept.isEmpty ? nil : kept
    }

    func isKept(_ topic: BytewiseText) -> Bool { kept(with: topic).contains(topic) }

    /// Topics of other levels on which the same input of the same vehicle is kept.
    func others(than topic: BytewiseText) -> [BytewiseText] { kept(with: topic).filter { $0 != topic } }

    private func kept(with topic: BytewiseText) -> [BytewiseText] {
        guard let (address, topicSuffix) = parse(topic.wrappedValue) else { return [] }
        return topics[Subject(vehicle: address.vehicle, topicSuffix: topicSuffix)] ?? []
    }

    // MARK: What comes back

    /// Whether a message that empties a topic may be under way of which nothing is known any more.
    func isUncertain(_ topic: BytewiseText) -> Bool { uncertain.contains(topic) }

    /// The connection or the program has ended.
    mutating func noteEnd() { uncertain = Set(emptied.keys) }

    /// A message of the gateway's own has come back.
    mutating func noteReturn(_ topic: BytewiseText) {
        uncertain.remove(topic)
        _ = takeOverwritten(topic)
    }

    mutating func noteOverwritten(_ topic: BytewiseText, at now: Timestamp) { overwritten[Self.hash(topic)] = now }

    /// An empty message has come.
    ///
    /// - Returns: whether it was the gateway's, by which the broker has lost what is kept.
    mutating func takeOverwritten(_ topic: BytewiseText) -> Bool {
        !overwritten.isEmpty && overwritten.removeValue(forKey: Self.hash(topic)) != nil
    }

    private static func hash(_ topic: BytewiseText) -> UInt64 { FNV1a(topic.wrappedValue.utf8).value }

    /// Nothing of an earlier session comes back.
    mutating func sessionIsNew() { (uncertain, overwritten) = ([], [:]) }
}
