import Logging
import Messages
import Store

/// The cab tokens of a cluster: the first shard's part of the store has them, and every gateway writes there, whoever owns it.
struct ClusterCabs {
    /// Seconds; tokens that others have changed are known by their messages, or after this.
    private static let readEvery: Double = 30
    /// Seconds; a token that is not known here costs no more than a question in this time.
    private static let pause: Double = 1

    private let access: CabAccess
    private let logger: Logger
    private let open: () throws -> Store
    private var store: Store?
    private var readAt = Timestamp.distantPast
    private var hasFailed = false
    /// Whether another gateway has changed something.
    var isStale = true

    /// - Parameter open: throws where no gateway has made the store yet.
    init(_ access: CabAccess, logger: Logger, open: @escaping () throws -> Store) {
        (self.access, self.logger, self.open) = (access, logger, open)
    }

    /// There may be a store by now.
    mutating func retry() { (isStale, hasFailed) = (true, false) }

    /// Stores what others wait for, and answers them.
    ///
    /// - Returns: whether other gateways are to be told.
    mutating func carryOut(_ issuer: CabTokenIssuer, at now: Timestamp) -> Bool {
        let age = now.since(readAt).magnitude
        if hasFailed, age < Self.pause { return false }
        let isReadDue = isStale || age >= Self.readEvery || access.isAwaited && age >= Self.pause
        guard isReadDue || access.isAwaited else { return false }
        do {
            let store = try opened()
            if isReadDue {
                readAt = now
                try issuer.restore(from: store, isShared: true, at: now)
                isStale = false
            }
            hasFailed = false
            return issuer.carryOut(in: store, at: now)
        } catch {
            note(error)
            (readAt, hasFailed) = (now, true)
            CabTokenIssuer.refuse(access)
            return false
        }
    }

    private func note(_ error: any Error) {
        // The gateway that takes the first shard over makes it.
        if case StoreError.missing = error { return }
        if !hasFailed { logger.warning("Phones in cabs are refused: \(error)") }
    }

    /// Removes those of vehicles that an operator wants forgotten.
    mutating func remove(
        _ vehicles: Set<VehicleID>, by issuer: CabTokenIssuer, retryingWith retry: StoreRetry, at now: Timestamp
    ) throws {
        let store: Store
        do {
            store = try opened()
        } catch StoreError.missing {
            // Nobody has paired a phone yet.
            return
        }
        store.repeatFailures(retry)
        defer { store.repeatFailures(nil) }
        try issuer.removeTokens(of: vehicles, in: store, at: now)
    }

    private mutating func opened() throws -> Store {
        if let store { return store }
        let store = try open()
        self.store = store
        return store
    }
}
