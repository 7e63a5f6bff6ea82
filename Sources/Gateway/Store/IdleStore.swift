import Broker
package import Fleet
package import Messages
import MQTT
package import Store
import Wire

/// A store that no gateway has open, for commands that change it.
package struct IdleStore {
    private let configuration: GatewayConfiguration
    /// Of each shard.
    private let stores: [Store]

    /// - Parameter isMade: whether there is none yet, so that it is made with all its parts.
    /// - Throws: `StoreError.inUse` where a gateway has it open.
    package init(_ configuration: GatewayConfiguration, isMade: Bool = false) throws(StoreError) {
        self.configuration = configuration
        stores =
            isMade
            ? try Store.open(configuration.location, shards: configuration.shards)
            : try Store.openAll(configuration.location)
    }

    /// Removes all that is kept of a vehicle but what it said about consent, as a running gateway does.
    ///
    /// - Returns: what was removed, and the topics on which something about it may be retained.
    package func forget(_ vehicle: VehicleID) throws -> (storedData: StoredDataSummary, topics: [String]) {
        let patterns = try TopicPatterns(configuration.pattern, in: stores)
        let place = try place(of: vehicle, patterns)
        let (store, configuration) = (stores[place.index], configuration.part(place))
        var storedData = try store.storedData(of: vehicle) { patterns.concerns(vehicle, $0) }
        // The tokens of all vehicles are in the first one.
        storedData.phones = try stores[0].storedData(of: vehicle) { _ in false }.phones
        let now = Timestamp.now
        try stores[0].removeCabTokens(of: [vehicle], codesUntil: now.adding(CabCode.validFor), at: now)
        var decider = Decider(configuration, engine: try engine(storedData, store), store: store)
        decider.composer.patterns = patterns
        var taken = Intake.Batch()
        taken.inputs.append(.forget(ForgetRequest(vehicle: vehicle, id: nil)))
        var batch = try decider.decide(taken, at: .now).batch
        // Whoever asked takes back what is retained: kept here, the messages would name the vehicle.
        let topics = batch.outbox.map(\.publication).filter(\.retain).map(\.topic)
        batch.outbox = []
        // What is due for its age is the gateway's to remove.
        (batch.historyBefore, batch.positionsBefore) = (nil, nil)
        _ = try store.commit(batch)
        Quarantine(besides: configuration.store).remove([vehicle], topics: batch.removedTopics)
        for store in stores { try store.rewriteIfDue() }
        return (storedData, topics)
    }

    /// The shard that has anything of a vehicle; where none has, that of its hash. RabbitMQ distributes vehicles by another one.
    private func place(of vehicle: VehicleID, _ patterns: TopicPatterns) throws -> ShardPlace {
        let index = try stores.lastIndex { store in
            try !store.storedData(of: vehicle) { patterns.concerns(vehicle, $0) }.isNothing
        }
        return ShardPlace(
            index ?? ShardPlace.index(of: vehicle, of: stores.count), of: stores.count, isQueue: index != nil)
    }

    /// Adds what vehicles did near low clearances to what is kept of that. Every part goes by it; in the sum of the parts it
    /// counts once, as the first one's.
    ///
    /// - Returns: all that is kept now, of all parts.
    /// - Throws: also where what is kept cannot be read.
    package func add(_ history: HazardHistory) throws -> HazardHistory {
        var sum = HazardHistory()
        var batches: [StoreBatch] = []
        for (index, store) in stores.enumerated() {
            var inForce = try Self.history(try store.loadPassages(.inForce))
            var own = try Self.history(try store.loadOwnPassages())
            inForce.add(history)
            if index == 0 { own.add(history) }
            sum.add(own)
            var passages: [StoredPassages: [UInt8]] = [.inForce: inForce.encoded()]
            if stores.count > 1 { passages[.own] = own.encoded() }
            batches.append(StoreBatch(time: .now, passages: passages))
        }
        guard !history.isEmpty else { return sum }
        for (store, batch) in zip(stores, batches) { _ = try store.commit(batch) }
        return sum
    }

    private static func history(_ bytes: [UInt8]?) throws -> HazardHistory {
        try bytes.map { try HazardHistory(encoded: $0) } ?? HazardHistory()
    }

    package func close() throws(StoreError) { for store in stores { try store.close() } }

    /// One that knows of a single vehicle what is kept of it.
    private func engine(_ storedData: StoredDataSummary, _ store: Store) throws -> Engine {
        let engine = Engine(configuration.engine, network: nil)
        // One that cannot be read has said nothing.
        if let kept = try? storedData.state?.vehicle() { engine.restore(kept) }
        for refusal in try store.loadRefusals() { engine.restore(refusal) }
        return engine
    }
}
