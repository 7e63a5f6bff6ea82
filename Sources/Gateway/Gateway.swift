import Broker
import Fleet
import Foundation
package import Logging
import Messages
import ServiceLifecycle
import Store
import Synchronization

/// The gateway as a service: one thread that runs the pipeline until it is told to stop.
package final class Gateway: Service {
    private let configuration: GatewayConfiguration
    private let filesInForce: Mutex<GatewayFiles>
    private let shared: SharedState
    private let logger: Logger
    /// Of all shards.
    private let hazards = SharedHazards()
    private let orders = Mutex(Orders())
    /// Ends `run`; nil: it has not begun, or has ended.
    private let ending = Mutex<CheckedContinuation<Void, any Error>?>(nil)

    /// What other threads want of the gateway's own.
    private struct Orders {
        /// When the gateway was told to stop; nil: it was not.
        var stoppingSince: ContinuousClock.Instant?
        var files: GatewayFiles?
        var waker: Waker?
    }

    package init(
        _ configuration: GatewayConfiguration, files: GatewayFiles, shared: SharedState, logger: Logger
    ) {
        self.configuration = configuration
        filesInForce = Mutex(files)
        self.shared = shared
        self.logger = logger
    }

    /// Seconds after being told to stop, from which on the thread is not waited for: while it starts, as nothing can be lost before it
    /// has taken a message, and later. What it still waits for, such as a database that says nothing, nothing interrupts; what is not
    /// committed is not acknowledged either, as after a crash.
    private static let (startStopMax, stopMax) = (0.9, 4.6)

    /// Runs until graceful shutdown, and at most five seconds longer.
    ///
    /// - Throws: `StoreError`, `BrokerError` or `GatewayError`: what makes going on impossible.
    package func run() async throws {
        try await withGracefulShutdownHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                ending.withLock { $0 = continuation }
                let thread = Thread {
                    let result = Result { try self.work() }
                    self.takeEnding()?.resume(with: result)
                }
                thread.name = "gateway"
                thread.stackSize = 16 << 20
                thread.start()
            }
        } onGracefulShutdown: {
            self.order { $0.stoppingSince = .now }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.startStopMax) {
                if self.orders.withLock({ $0.waker == nil }) { self.leaveThread() }
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.stopMax) { self.leaveThread() }
        }
    }

    private func takeEnding() -> CheckedContinuation<Void, any Error>? { ending.withLock { $0.take() } }

    /// Ends `run`, whatever its thread is at.
    private func leaveThread() {
        guard let end = takeEnding() else { return }
        logger.warning("Stopped without waiting for a step that goes on; what was not stored is still at the broker")
        end.resume()
    }

    /// Puts other files in force; soon, and from any thread.
    package func replace(_ files: GatewayFiles) { order { $0.files = files } }

    private func order(_ change: (inout Orders) -> Void) {
        let waker = orders.withLock { orders in
            change(&orders)
            return orders.waker
        }
        waker?.wake()
    }

    /// The thread: everything that is not thread-safe is made, used and let go here.
    private func work() throws {
        // Also where the store cannot be opened: whoever waits for this thread waits in vain.
        defer {
            shared.publisher.end()
            shared.handling.end()
            shared.engine.end()
            shared.cabs.orders.end()
            CabTokenIssuer.refuse(shared.cabs)
            shared.view.end()
        }
        do {
            try serve()
        } catch let error as StoreError where isStopping && error.temporaryReason != nil {
            // As after a crash: what was not committed was not acknowledged either.
            logger.warning("Stopped while the store fails; what was not stored is still at the broker: \(error)")
        }
    }

    /// Opens the store and takes up what it holds; where it fails for a while, all of that again until it does not.
    private func begin() throws -> ([Store], Pipeline) {
        let retry = StoreOutage(shared, logger: logger) { self.pause($0) }.retry
        var failures = 0
        while true {
            do {
                let begun = try open()
                if failures > 0 { retry.recovered() }
                return begun
            } catch let error as StoreError where error.isWorthWaitingAtStart {
                failures += 1
                guard retry.failed(error, failures) else { throw error }
            }
        }
    }

    private func open() throws -> ([Store], Pipeline) {
        var limits = StoreLimits.standard
        // What another program locks for longer is tried again, and a stop meanwhile must not wait for it.
        limits.busyTimeoutSeconds = 1
        // Who could take no shard over must consume no queue.
        try requireStore()
        var configuration = configuration
        try configuration.takeUpKeyPattern()
        let stores =
            configuration.cluster == nil
            ? try Store.open(
                configuration.location, shards: configuration.shards, limits: limits,
                durability: configuration.durability) : []
        let pipeline = try Pipeline(
            configuration, parts: stores.map { (makeEngine(), $0) },
            takeOver: configuration.cluster.map { cluster in
                { index in (self.makeEngine(), try self.takeOver(index, of: cluster.queues, limits)) }
            }, requireStore: { try self.requireStore() },
            cabStore: { try Store(guestOf: self.address(), limits: limits) },
            connection: try BrokerConnection(configuration), shared: shared,
            storePause: { self.pause($0) }, logger: logger)
        try pipeline.restore()
        return (stores, pipeline)
    }

    /// In a cluster shards come later, and go by the files that are in force then.
    private func makeEngine() -> Engine {
        let files = filesInForce.withLock(\.self)
        return Engine(
            configuration.engine, network: files.network, clearances: files.clearances, fences: files.fences,
            hazards: hazards)
    }

    private func takeOver(_ shard: Int, of count: Int, _ limits: StoreLimits) throws -> Store {
        try Store.takeOver(
            try address(), shard: shard, of: count, limits: limits, durability: configuration.durability)
    }

    private func requireStore() throws {
        guard let cluster = configuration.cluster else { return }
        try Store.requireUsable(try address(), shards: cluster.queues)
    }

    /// Where all gateways of a cluster have their store.
    private func address() throws -> PostgreSQLAddress {
        guard case .postgreSQL(var address) = configuration.location else {
            throw StoreError.otherDivision(path: "\(configuration.location)", isByQueues: false)
        }
        address.applicationName = configuration.broker.clientID
        return address
    }

    private func serve() throws {
        let (stores, pipeline) = try begin()
        defer { pipeline.dismiss() }
        let waker = pipeline.waker
        orders.withLock { $0.waker = waker }
        try pipeline.doMapWorkElsewhere { self.isStopping }
        shared.readiness.setStoreProblem(nil)
        shared.readiness.set(.roadsLoaded, true)
        let inspection = try inspection(of: stores)
        inspection?.start()
        defer { inspection?.cancel() }
        shared.view.begin { waker.wake() }
        shared.publisher.begin { waker.wake() }
        shared.handling.begin { waker.wake() }
        shared.engine.begin { waker.wake() }
        shared.cabs.orders.begin { waker.wake() }
        while !isStopping {
            if let files = orders.withLock({ $0.files.take() }) {
                filesInForce.withLock { $0 = files }
                try pipeline.replace(files)
            }
            try pipeline.pass()
        }
        try pipeline.finish(since: orders.withLock(\.stoppingSince))
        for store in stores { try store.close() }
    }

    /// Nil: the store's server sees to that itself.
    private func inspection(of stores: [Store]) throws -> StoreInspection? {
        guard case .file = configuration.location else { return nil }
        return try StoreInspection(stores.map(\.path), shared, logger: logger)
    }

    private var isStopping: Bool { orders.withLock { $0.stoppingSince != nil } }

    /// Waits before the store is tried again. Who looks on is shown what was shown last, and who enters something is told.
    ///
    /// - Returns: whether to try again.
    private func pause(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isStopping, ContinuousClock.now < end {
            shared.readiness.heartbeat.beat()
            shared.view.showLast()
            shared.publisher.refuse(.storeFails)
            shared.handling.refuse()
            shared.engine.answer([])
            CabTokenIssuer.refuse(shared.cabs)
            Thread.sleep(forTimeInterval: 0.05)
        }
        return !isStopping
    }
}
