package import Store
package import Wire

/// The topics of the last start with a store, as far as a configuration has others.
package struct FormerTopics: Hashable, Sendable {
    /// Of vehicles; nil: the same, or not known.
    package var pattern: String?
    /// What the gateway's own begin with; nil: the same, or not known.
    package var prefix: String?
}

extension GatewayConfiguration {
    /// - Parameter reader: of the store, or of a part of it: each has had the same.
    package func formerTopics(in reader: StoreReader) throws(StoreError) -> FormerTopics {
        let pattern = try reader.meta(TopicPatterns.storeKey)?.split(separator: "\n").first.map(String.init)
        let prefix = try reader.meta(Decider.prefixKey)
        return FormerTopics(
            pattern: pattern == self.pattern.description ? nil : pattern,
            prefix: prefix == topics.prefixLevels ? nil : prefix)
    }

    /// Has the queues of a cluster divide the vehicles as they did when its store was begun: by other keys RabbitMQ would take a
    /// vehicle to another queue than the one whose part of the store has its consent and its height.
    package mutating func takeUpKeyPattern() throws(StoreError) {
        guard cluster != nil, case .postgreSQL(let address) = location else { return }
        let facts = try Store.facts([Decider.keyPatternKey, TopicPatterns.storeKey], at: address)
        // A version that did not keep it had the keys of the topics in use.
        let kept =
            facts[Decider.keyPatternKey] ?? facts[TopicPatterns.storeKey].map { String($0.prefix { $0 != "\n" }) }
        keyPattern = kept.flatMap { try? TopicPattern($0) } ?? pattern
    }
}

extension TopicPatterns {
    /// Where each part of a store keeps them.
    static let storeKey = "topics.patterns"

    /// The pattern in use, and those that gateways with this store have had before.
    ///
    /// - Parameter stores: parts of one store.
    init(_ current: TopicPattern, in stores: [Store]) throws(StoreError) {
        var stored: [String] = []
        for store in stores { stored.append(try store.meta(Self.storeKey) ?? "") }
        self.init(current, stored: stored)
    }

    /// The same, for who only reads.
    package init(_ current: TopicPattern, in reader: StoreReader) throws(StoreError) {
        var stored: [String] = []
        for part in try reader.parts() { stored.append(try part.meta(Self.storeKey) ?? "") }
        self.init(current, stored: stored)
    }
}
