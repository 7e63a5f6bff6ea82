import Fleet
import Logging
import Messages
import Store
import Wire

/// The start after the topics of the gateway or of vehicles were changed.
extension Decider {
    /// Where the store keeps what the gateway's own topics begin with.
    static let prefixKey = "topics.prefix"
    /// Where each part of a cluster's store keeps by which topics the queues divide the vehicles.
    static let keyPatternKey = "topics.keys"

    /// Takes up which topics were in use before. Where they have changed since the last start, says what is kept of those, and has
    /// what the gateway retained there about vehicles taken back, and published again on the topics in use.
    mutating func takeUpTopics(at now: Timestamp, logger: Logger) throws {
        let configuration = composer.configuration
        composer.patterns = try TopicPatterns(configuration.pattern, in: [store])
        composer.emptiesFormerTopics = try store.meta(TurnComposer.emptyingKey).map { !$0.isEmpty } ?? false
        var topics = [
            TopicPatterns.storeKey: composer.patterns.text, Self.prefixKey: configuration.topics.prefixLevels,
        ]
        if configuration.place.isQueue { topics[Self.keyPatternKey] = configuration.keyPattern.description }
        let changed = try topics.filter { try store.meta($0.key) != $0.value }
        guard !changed.isEmpty else { return }
        if changed.keys.contains(where: { $0 != Self.keyPatternKey }) { try warnOfFormerInputs(logger) }
        var batch = StoreBatch(time: now, meta: changed)
        if changed[TopicPatterns.storeKey] != nil, !composer.patterns.former.isEmpty, !engine.addresses.isEmpty {
            composer.emptiesFormerTopics = true
            batch.meta[TurnComposer.emptyingKey] = "1"
            // A comparison with the broker that is not done, or not begun, ends with that, too; what queues bring is not compared.
            let review = try store.meta(RetainedInputs.reviewKey).flatMap(RetainedInputs.Review.init)
            if review == .finished || configuration.place.isQueue {
                batch.meta[RetainedInputs.reviewKey] = RetainedInputs.Review.outputs.rawValue
            }
        }
        // Marks stand under the prefix: that the broker has none there says nothing of an earlier state.
        if changed[Self.prefixKey] != nil, try store.meta(Self.prefixKey) != nil {
            batch.meta[RetainedInputs.markKey] = ""
        }
        _ = try store.commit(batch)
    }

    /// What vehicles and dispatch have retained on topics that are not in use any more stays in the store: where the change is
    /// undone, it is in force again.
    private func warnOfFormerInputs(_ logger: Logger) throws {
        let configuration = composer.configuration
        let inbound = InboundTopics(configuration.topics, pattern: configuration.pattern, inputs: [])
        var kinds: [String] = []
        try store.loadRetained { topic, payload in
            // Of a topic that the gateway itself has emptied.
            guard !payload.isEmpty, !inbound.parse(topic).isRetainedInput else { return }
            let kind = RetainedInputs.kind(topic)
            // What concerns all vehicles, each shard keeps; one tells of it.
            if configuration.place.speaksForFleet || TopicSuffix(rawValue: kind) != nil { kinds.append(kind) }
        }
        guard !kinds.isEmpty else { return }
        let counts = Dictionary(grouping: kinds, by: \.self).map { "\($0.value.count) of \($0.key)" }.sorted()
        logger.warning(
            """
            \(kinds.count) retained inputs are kept of topics that are no longer in use (\(counts.joined(separator: ", "))). \
            Fences, clearances and routes among them are not in force: have them published, retained, under \
            \(configuration.topics.fence("{id}")), \(configuration.topics.clearance("{id}")) and \
            \(configuration.pattern)/route
            """)
    }
}
