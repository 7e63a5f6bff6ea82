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
