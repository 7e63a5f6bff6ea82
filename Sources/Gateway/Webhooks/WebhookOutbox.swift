import Logging
import Messages
import Store

/// The gateway thread's side of `WebhookQueue`: what is to be posted is stored with the turn that led to it, and removed from
/// the store once it is delivered or too old.
struct WebhookOutbox {
    private let queue: WebhookQueue
    private let place: ShardPlace
    private let urls: [String]
    /// By URL: the last message that was handed to the queue.
    private var handedOver: [String: Int64] = [:]

    /// - Parameter place: of the shard whose messages these are.
    init(_ queue: WebhookQueue, _ hooks: [Webhook], of place: ShardPlace, wake: @escaping @Sendable () -> Void) {
        (self.queue, self.place) = (queue, place)
        urls = hooks.map(\.url)
        queue.begin(urls, wake: wake)
    }

    /// Takes up what the store holds; what waits for a webhook that is no longer configured is removed.
    mutating func restore(from store: Store, at now: Timestamp, logger: Logger) throws {
        let removed = try store.removeWebhookDeliveries(besides: urls, at: now)
        if removed > 0 { logger.notice("\(removed) messages waited for webhooks that are no longer configured") }
        try count(in: store)
        try handOver(from: store)
    }

    /// The shard is another gateway's.
    func leave() { queue.remove(place) }

    /// Completes a batch that is to be committed.
    func prepare(_ batch: inout StoreBatch) {
        guard !urls.isEmpty else { return }
        let settled = queue.takeSettled(droppingBefore: batch.time.adding(-WebhookLimits.triedFor), of: place)
        batch.webhooksSettled = settled.map(place.storeID)
        guard !batch.webhooks.isEmpty else { return }
        var room = Dictionary(
            uniqueKeysWithValues: urls.map { ($0, WebhookLimits.storedMax - queue.storedCount(for: $0)) })
        batch.webhooks.removeAll { delivery in
            guard let left = room[delivery.url], left > 0 else {
                queue.noteDropped(.full, for: delivery.url)
                return true
            }
            room[delivery.url] = left - 1
            return false
        }
    }

    /// A batch is on the disk.
    mutating func noteCommit(_ batch: StoreBatch, in store: Store) throws {
        let removed = Set(batch.removed)
        guard !urls.isEmpty else { return }
        if !removed.isEmpty { queue.remove(removed) }
        if !batch.webhooks.isEmpty || !batch.webhooksSettled.isEmpty || !removed.isEmpty { try count(in: store) }
        try handOver(from: store)
    }

    private func count(in store: Store) throws {
        for url in urls { queue.setStored(try store.webhookCount(of: url), for: url, of: place) }
    }

    /// Hands over what the queue has room for.
    mutating func handOver(from store: Store) throws {
        for url in urls {
            let room = queue.room(for: url, of: place)
            guard room > 0 else { continue }
            var deliveries = try store.webhookDeliveries(to: url, after: handedOver[url] ?? 0, limit: room)
            guard let last = deliveries.last else { continue }
            handedOver[url] = last.id
            for index in deliveries.indices { deliveries[index].id = place.queueID(deliveries[index].id) }
            queue.add(deliveries, for: url)
        }
    }
}

/// Each store numbers its messages by itself; in the queue, which has those of all shards, each needs an id of its own.
extension ShardPlace {
    func queueID(_ id: Int64) -> Int64 { id * Int64(count) + Int64(index) }
    fileprivate func storeID(_ id: Int64) -> Int64 { id / Int64(count) }
    func has(queueID id: Int64) -> Bool { id % Int64(count) == Int64(index) }
}
