import DequeModule
import Messages
package import Store
import Synchronization

/// What became of an attempt to post a message.
package enum WebhookOutcome: Sendable {
    case delivered
    /// The webhook does not work now; its messages wait in their order.
    case failed
    /// The webhook works and refuses this message, which is tried again after a pause of its own.
    case refused
}

/// What waits to be posted to webhooks: the gateway's thread fills it from the store, others empty it.
package final class WebhookQueue: Sendable {
    /// Why a message was dropped.
    enum Drop: String, CaseIterable, Sendable { case expired, full }

    /// One webhook's part.
    fileprivate struct Line {
        var waiting: Deque<WebhookDelivery> = []
        /// Those that pause, by id.
        var pausing: [Int64: WebhookDelivery] = [:]
        /// How often each that waits or pauses was refused, by id; those that were not are missing.
        var refusals: [Int64: Int] = [:]
        /// How many each shard has stored, those that wait among them.
        var storedOf: [Int: Int] = [:]
        var stored: Int { storedOf.values.reduce(0, +) }
        var delivered = 0
        var failures = 0
        var dropped: [Drop: Int] = [:]
        let arrivals: AsyncStream<Void>
        let arrival: AsyncStream<Void>.Continuation

        init() {
            (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
    }

    fileprivate struct State {
        /// By URL, in the order of the configuration.
        var urls: [String] = []
        var lines: [String: Line] = [:]
        /// Ids of those that need not be stored any more.
        var settled: [Int64] = []
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: For those who post

    /// An element now and then while something may wait for `url`; for one reader.
    package func arrivals(for url: String) -> AsyncStream<Void> {
        state.withLock { $0.line(url).arrivals }
    }

    /// The message that is to be posted next; nil where none waits.
    package func next(for url: String) -> WebhookDelivery? {
        state.withLock { $0.line(url).waiting.first }
    }

    /// Says what became of an attempt; one of a message that waits no more is only counted.
    ///
    /// - Returns: how often the message was refused.
    @discardableResult
    package func settle(_ delivery: WebhookDelivery, _ outcome: WebhookOutcome) -> Int {
        let (wake, refusals) = state.withLock { state in
            state.settle(delivery, outcome)
            let line = state.line(delivery.url)
            // While others wait, the gateway's next pass is soon enough.
            return (line.waiting.isEmpty ? state.wake : nil, line.refusals[delivery.id] ?? 0)
        }
        wake?()
        return refusals
    }

    /// The pause of a refused message is over: it waits behind the others.
    package func resume(_ delivery: WebhookDelivery) {
        state.withLock { state in
            state.change(delivery.url) { line in
                guard let delivery = line.pausing.removeValue(forKey: delivery.id) else { return }
                line.waiting.append(delivery)
                line.arrival.yield()
            }
        }
    }

    // MARK: For the gateway's thread

    /// - Parameter wake: called when something is to be fetched; from any thread.
    func begin(_ urls: [String], wake: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.urls = urls
            state.wake = wake
        }
    }

    /// Adds what was stored behind all that waits.
    func add(_ deliveries: [WebhookDelivery], for url: String) {
        state.withLock { state in
            state.change(url) { line in
                line.waiting += deliveries
                line.arrival.yield()
            }
        }
    }

    /// How many more of a shard's messages have a place here; 0 where the store has no others.
    func room(for url: String, of place: ShardPlace) -> Int {
        state.withLock { state in
            let line = state.line(url)
            guard line.refusals.count < WebhookLimits.refusedMax else { return 0 }
            let refused = line.refusals.keys.count(where: place.has)
            let here = line.waiting.count { place.has(queueID: $0.id) } + line.pausing.keys.count(where: place.has)
            guard line.storedOf[place.index] ?? 0 > here else { return 0 }
            return max(0, max(1, WebhookLimits.waitingMax / place.count) - (here - refused))
        }
    }

    func setStored(_ count: Int, for url: String, of place: ShardPlace) {
        state.withLock { $0.change(url) { $0.storedOf[place.index] = count } }
    }

    /// How many all shards have stored.
    func storedCount(for url: String) -> Int { state.withLock { $0.line(url).stored } }

    func noteDropped(_ reason: Drop, for url: String) {
        state.withLock { $0.change(url) { $0.dropped[reason, default: 0] += 1 } }
    }

    /// Ids of messages that need not be stored any more: those that were delivered, and those that wait since before `time`,
    /// which are dropped; of one shard.
    func takeSettled(droppingBefore time: Timestamp, of place: ShardPlace) -> [Int64] {
        state.withLock { state in
            for url in state.urls { state.expire(url, before: time) }
            let settled = state.settled.filter(place.has)
            state.settled.removeAll(where: place.has)
            return settled
        }
    }

    /// Another gateway has the shard from here on, and posts what it has stored.
    func remove(_ place: ShardPlace) {
        state.withLock { state in
            state.settled.removeAll(where: place.has)
            for url in state.urls {
                state.change(url) { line in
                    line.remove { place.has(queueID: $0.id) }
                    line.storedOf[place.index] = nil
                }
            }
        }
    }

    /// What is known of these vehicles goes, but for what is under way.
    func remove(_ vehicles: Set<VehicleID>) {
        state.withLock { state in
            for url in state.urls { state.change(url) { $0.remove { vehicles.contains($0.vehicle) } } }
        }
    }

    /// Of each webhook, as it stands now.
    package var families: [MetricFamily] {
        let lines = state.withLock { state in state.urls.map { state.lines[$0] ?? Line() } }
        func samples(_ value: (Line) -> Int, _ labels: MetricFamily.Label...) -> [MetricFamily.Sample] {
            lines.enumerated().map { .init(labels: [.init("hook", "\($0)")] + labels, value: Double(value($1))) }
        }
        return [
            MetricFamily(
                name: "headroom_hook_pending", help: "Messages stored and not yet posted to a webhook.", kind: .gauge,
                samples: samples(\.stored)),
            MetricFamily(
                name: "headroom_hook_delivered_total", help: "Messages that a webhook has taken.", kind: .counter,
                samples: samples(\.delivered)),
            MetricFamily(
                name: "headroom_hook_failures_total", help: "Attempts to post a message that failed.", kind: .counter,
                samples: samples(\.failures)),
            MetricFamily(
                name: "headroom_hook_dropped_total", help: "Messages that were given up.", kind: .counter,
                samples: Drop.allCases.flatMap { drop in
                    samples({ $0.dropped[drop] ?? 0 }, .init("reason", drop.rawValue))
                }),
        ]
    }
}

extension WebhookQueue.State {
    fileprivate mutating func line(_ url: String) -> WebhookQueue.Line {
        if let line = lines[url] { return line }
        let line = WebhookQueue.Line()
        lines[url] = line
        return line
    }

    fileprivate mutating func change(_ url: String, _ change: (inout WebhookQueue.Line) -> Void) {
        var line = lines.removeValue(forKey: url) ?? WebhookQueue.Line()
        change(&line)
        lines[url] = line
    }

    fileprivate mutating func settle(_ delivery: WebhookDelivery, _ outcome: WebhookOutcome) {
        var isOver = false
        change(delivery.url) { line in
            if outcome == .delivered { line.delivered += 1 } else { line.failures += 1 }
            guard outcome != .failed, let index = line.waiting.firstIndex(where: { $0.id == delivery.id }) else {
                return
            }
            line.waiting.remove(at: index)
            isOver = outcome == .delivered
            if isOver {
                line.refusals[delivery.id] = nil
            } else {
                line.pausing[delivery.id] = delivery
                line.refusals[delivery.id, default: 0] += 1
            }
        }
        if isOver { settled.append(delivery.id) }
    }

    fileprivate mutating func expire(_ url: String, before time: Timestamp) {
        var expired: [Int64] = []
        change(url) { line in
            expired = line.remove { $0.createdAt < time }
            if !expired.isEmpty { line.dropped[.expired, default: 0] += expired.count }
        }
        settled += expired
    }
}

extension WebhookQueue.Line {
    /// - Returns: the ids of those that were removed.
    @discardableResult
    fileprivate mutating func remove(where isRemoved: (WebhookDelivery) -> Bool) -> [Int64] {
        let removed = waiting.filter(isRemoved).map(\.id) + pausing.values.filter(isRemoved).map(\.id).sorted()
        guard !removed.isEmpty else { return [] }
        waiting.removeAll(where: isRemoved)
        for id in removed { (pausing[id], refusals[id]) = (nil, nil) }
        return removed
    }
}
