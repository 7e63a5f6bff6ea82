package import Store
package import Wire

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
