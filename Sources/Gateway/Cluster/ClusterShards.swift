import Broker
import Fleet
import Logging
import Messages
import Store

/// What a gateway of a cluster has that one by itself has not.
struct ClusterShards {
    let link: ClusterLink
    let exchange: GatewayExchange
    /// Takes a shard's part of the store over, and makes an engine for it.
    let takeOver: (Int) throws -> (engine: Engine, store: Store)
    /// Throws where none could be taken over.
    let requireStore: () throws -> Void
    var cabs: ClusterCabs
    /// How often in a row one could not be, because the store failed.
    var failures = 0
    /// After a failure none is taken over before.
    var nextAttempt: ContinuousClock.Instant?
    /// Queues that were left are not consumed again before; nil: none was.
    var nextReturn: ContinuousClock.Instant?
    /// How long they are left: longer each time that the store could be used, and then no shard taken over.
    var backoff: Backoff
    /// What the log was told of shards that could not be taken over.
    var told: [Int: String] = [:]
    /// Whether threads of their own make what follows from the map for shards that join.
    var doesMapWorkElsewhere = false
}

/// In a cluster the shards come and go with the queues that this gateway owns; each is acknowledged by itself.
extension Pipeline {
    private static let takeOverPause: Duration = .seconds(1)
    /// After so many failures the queues are left to gateways that can use the store.
    private static let takeOverFailures = 3
    /// How often is looked whether the store can be used again.
    private static let storePause: Duration = .seconds(3)

    /// Reads the queues; shards whose queue is another gateway's leave, and those whose queue is this one's join.
    func followQueues(_ cluster: ClusterShards) throws {
        consumeLeft(cluster)
        try cluster.link.poll()
        hear(cluster.exchange.receive())
        for index in cluster.link.takeExcess() { try giveUp(index, cluster) }
        cluster.link.countLag()
        for shard in shards where !cluster.link.owned.contains(shard.place.index) { leave(shard) }
        let missing = cluster.link.owned.subtracting(shards.map(\.place.index)).sorted()
        guard !missing.isEmpty, cluster.nextAttempt.map({ clock.elapsed() >= $0 }) ?? true else { return }
        try takeOver(missing, cluster)
    }

    private func takeOver(_ missing: [Int], _ cluster: ClusterShards) throws {
        var joining: [Shard] = []
        var failed: [(index: Int, error: StoreError)] = []
        for index in missing {
            do {
                let part = try cluster.takeOver(index)
                joining.append(makeShard(ShardPlace(index, of: cluster.link.count, isQueue: true), part))
            } catch let error as StoreError where Self.isPassing(error) {
                failed.append((index, error))
                // Each attempt may take seconds.
                if error.temporaryReason != nil { break }
            }
        }
        failed += try restore(joining)
        // Each problem once, however often it is met.
        for (index, error) in failed where self.cluster?.told.updateValue("\(error)", forKey: index) != "\(error)" {
            logger.warning("Shard \(index) cannot be taken over yet: \(error)")
        }
        self.cluster?.nextAttempt = failed.isEmpty ? nil : clock.elapsed() + Self.takeOverPause
        guard let reason = failed.lazy.compactMap(\.error.temporaryReason).first else {
            guard failed.count < missing.count else { return }
            self.cluster?.failures = 0
            self.cluster?.backoff.reset()
            return shared.readiness.setStoreProblem(nil)
        }
        shared.readiness.setStoreProblem(reason)
        self.cluster?.failures += 1
        if let failures = self.cluster?.failures, failures >= Self.takeOverFailures { try leaveQueues(cluster) }
    }

    /// RabbitMQ counts how often a message is delivered in vain, and puts it aside after the twentieth time. So after some failures no
    /// queue is consumed but those of shards that are here and can be written: another gateway may be able to use the store, and where
    /// none is, the messages stay where they are.
    private func leaveQueues(_ cluster: ClusterShards) throws {
        logger.error("The queues are left to other gateways until the store can be used")
        for shard in shards where try !shard.run({ shard.store.isWritable() }) { leave(shard) }
        cluster.link.leave(allBut: Set(shards.map(\.place.index)))
        guard let pause = self.cluster?.backoff.next() else { return }
        self.cluster?.nextReturn = clock.elapsed() + pause
    }

    /// Consumes the queues that were left once the store can be used.
    private func consumeLeft(_ cluster: ClusterShards) {
        guard let next = cluster.nextReturn, clock.elapsed() >= next else { return }
        do {
            try cluster.requireStore()
            self.cluster?.failures = 0
            self.cluster?.nextReturn = nil
            shared.readiness.setStoreProblem(nil)
            cluster.link.consumeLeft()
        } catch {
            if let reason = (error as? StoreError)?.temporaryReason { shared.readiness.setStoreProblem(reason) }
            self.cluster?.nextReturn = clock.elapsed() + Self.storePause
        }
    }

    /// What other gateways want of this one.
    private func hear(_ received: GatewayExchange.Received) {
        for number in received.announced { dispatch.noteAnnounced(number) }
        for (topic, payload, answer) in received.expectations { dispatch.expect(topic, payload, answer: answer) }
        for (number, outcome) in received.outcomes { dispatch.settle(number, outcome) }
        for order in received.handlings {
            if let shard = shards.first(where: { $0.engine.knows(order.request.vehicle) }) {
                shard.add(order)
            } else {
                order.answer.resume(returning: .unavailable)
            }
        }
        // Who is told that it is stored must find it in the view.
        if !received.handlingOutcomes.isEmpty { live.expire() }
        for (answer, outcome) in received.handlingOutcomes { answer.resume(returning: outcome) }
        if received.haveCabsChanged { cluster?.cabs.isStale = true }
    }

    /// Lets another gateway have a shard, with all of it written, so that it has nothing to repeat.
    private func giveUp(_ index: Int, _ cluster: ClusterShards) throws {
        if let shard = shards.first(where: { $0.place.index == index }) {
            try all([shard]) { shard in
                try shard.saveAll()
                try shard.commit()
            }
        }
        cluster.link.giveUp(index)
    }

    /// - Returns: which could not be, and why.
    private func restore(_ joining: [Shard]) throws -> [(index: Int, error: StoreError)] {
        let retry = outage.retry
        try Shard.all(joining) { shard in
            do { try shard.restore(retryingWith: retry) } catch let error as StoreError where Self.isPassing(error) {
                shard.problem = error
            }
        }
        let failed = joining.compactMap { shard in shard.problem.map { (shard.place.index, $0) } }
        for shard in joining where shard.problem != nil { shard.leave() }
        let joined = joining.filter { $0.problem == nil }
        guard !joined.isEmpty else { return failed }
        shards = (shards + joined).sorted { $0.place.index < $1.place.index }
        let makesMap = cluster?.doesMapWorkElsewhere == true
        for shard in joined {
            live.shardsChanged(shard.engine.addresses.map(\.vehicle))
            cluster?.exchange.joined(shard)
            cluster?.told[shard.place.index] = nil
            guard makesMap else { continue }
            shard.mapWork.doElsewhere(waker: waker, messagesWaitUntil: clock.elapsed() + Self.hazardsWait(of: [shard]))
        }
        cluster?.cabs.retry()
        logger.info(
            "Took over \(joined.count) shards with \(joined.reduce(0) { $0 + $1.engine.vehicleCount }) vehicles")
        return failed
    }

    /// Whether to try again: the owner before may have come back for a moment, or the server may be away.
    private static func isPassing(_ error: StoreError) -> Bool {
        switch error {
        case .inUse, .ownershipLost: true
        default: error.temporaryReason != nil
        }
    }

    /// The shard's vehicles are another gateway's.
    private func leave(_ shard: Shard) {
        shards.removeAll { $0 === shard }
        live.shardsChanged(shard.engine.addresses.map(\.vehicle))
        cluster?.exchange.left(shard)
        link.handOver(shard.underWay)
        shard.leave()
        logger.notice("Shard \(shard.place.index) is another gateway's now")
    }

    /// Has shards do something at the same time. One whose part of the store another gateway has taken over leaves.
    func all(_ some: [Shard], _ body: (Shard) throws -> Void) throws {
        guard let cluster else { return try Shard.all(some, body) }
        try Shard.all(some) { shard in
            do { try body(shard) } catch let error as StoreError { try shard.note(error) }
        }
        for shard in some where shard.problem != nil {
            cluster.link.giveUp(shard.place.index)
            leave(shard)
        }
    }

    /// Does what one shard is to do on this thread; it leaves as in `all`.
    func keeping(_ shard: Shard, _ body: () throws -> Void) throws {
        do { try body() } catch let error as StoreError where cluster != nil {
            try shard.note(error)
            cluster?.link.giveUp(shard.place.index)
            leave(shard)
        }
    }

    /// In a cluster nothing comes over MQTT but what this gateway sends itself.
    static let answersMax = 1_000

    var hasMessages: Bool {
        guard let cluster else { return false }
        let now = clock.elapsed()
        return shards.contains { cluster.link.hasMessages(of: $0.place.index) && !$0.mapWork.awaitsHazards(at: now) }
    }

    /// Whether all that was sent a moment ago and is for this shard has come and was handled.
    func isAllRead(of shard: Shard) -> Bool {
        cluster.map { $0.link.isUpToDate(shard.place.index, at: clock()) } ?? link.isUpToDate
    }

    /// The messages of each shard that has room for any.
    func clusterParts(_ cluster: ClusterShards, isFinishing: Bool) throws -> [[ReceivedMessage]] {
        if !shards.isEmpty { try cluster.link.poll() }
        let now = clock.elapsed()
        return shards.map { shard in
            let isBusy =
                isFinishing || shard.waiting.count > 0 || shard.store.isOutboxNearlyFull
                || shard.mapWork.awaitsHazards(at: now)
            return isBusy ? [] : cluster.link.takeMessages(of: shard.place.index)
        }
    }

    /// Lets the acknowledgements of those leave that have committed all they were given.
    func acknowledge(_ cluster: ClusterShards) {
        for shard in shards where shard.waiting.count == 0 { cluster.link.acknowledge(shard.place.index) }
    }

    /// The other gateways have the queues from here on.
    func close(_ cluster: ClusterShards) {
        for shard in shards { shard.leave() }
        shards = []
        cluster.link.close()
    }
}

extension Shard {
    /// - Throws: `error`, where it is none that says that another gateway has the shard.
    fileprivate func note(_ error: StoreError) throws {
        guard case .ownershipLost = error else { throw error }
        problem = error
    }
}
