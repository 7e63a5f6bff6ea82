import Foundation
import GRDB
package import Messages
import Synchronization

/// What survives: the state of every vehicle and the messages that the broker has not yet acknowledged, in one SQLite file or
/// in a PostgreSQL database.
///
/// One gateway owns a store (`StoreLock`, `PostgreSQLSession`), and one thread of it owns this object: the first that calls
/// anything but `outboxCount` and `close`. Other processes may read the store while it is in use.
///
/// Sendable without locks round the connection, because the owner is checked at every entry; what other threads may
/// touch is in `shared`.
package final class Store: Sendable {
    /// The file, absolute and without symbolic links; or the database's address without a password.
    package let path: String
    package let limits: StoreLimits
    private let database: StoreDatabase
    private let shared: Mutex<Shared>

    private struct Shared {
        var owner: pthread_t?
        var outboxCount: Int
        var lock: StoreLock?
        /// Nil: the database sees to it.
        var erasure: Erasure?
        var retry: StoreRetry?
    }

    /// Opens the store at `path`, creates it where there is none, and brings an older one up to date.
    ///
    /// Fails where another gateway has it open, the file is damaged, not ours or from a newer version, or where it or
    /// its directory cannot be written.
    package init(
        path: String, limits: StoreLimits = .standard, durability: StoreDurability = .power
    ) throws(StoreError) {
        let path = Self.resolved(path)
        let lock = try StoreLock(storePath: path)
        let opened: (database: DatabaseQueue, outboxCount: Int, erasure: Erasure)
        do {
            opened = try Self.open(path, limits: limits, durability)
        } catch {
            throw StoreError(error, path: path)
        }
        self.path = path
        self.limits = limits
        database = .sqlite(opened.database)
        shared = Mutex(Shared(outboxCount: opened.outboxCount, lock: lock, erasure: opened.erasure))
    }

    /// Opens the store at `location`; for a file as `init(path:)` does.
    ///
    /// In PostgreSQL it takes the store over from whoever had it before, whose commits fail from then on. Fails also where the
    /// server cannot be reached or refuses the connection.
    package convenience init(
        _ location: StoreLocation, limits: StoreLimits = .standard, durability: StoreDurability = .power
    ) throws(StoreError) {
        switch location {
        case .file(let path): try self.init(path: path, limits: limits, durability: durability)
        case .postgreSQL(let address): try self.init(address, limits: limits, durability: durability)
        }
    }

    /// - Parameter deposes: whether an owner that still has it open loses it; else that is a failure.
    init(
        _ address: PostgreSQLAddress, limits: StoreLimits, durability: StoreDurability, deposes: Bool = false
    ) throws(StoreError) {
        let session = PostgreSQLSession(
            address, .owner(durability, deposes: deposes), lockSeconds: limits.busyTimeoutSeconds)
        let outboxCount: Int
        do {
            outboxCount = try session.use { try $0.number("SELECT count(*) FROM outbox") }
        } catch {
            throw StoreError(error, path: "\(address)")
        }
        path = "\(address)"
        self.limits = limits
        database = .postgreSQL(session)
        shared = Mutex(Shared(outboxCount: outboxCount))
    }

    /// A part of a store that another gateway may own, for what belongs to none of its owners: cab tokens.
    ///
    /// - Throws: as `StoreReader`: nobody makes tables here.
    package init(guestOf address: PostgreSQLAddress, limits: StoreLimits = .standard) throws(StoreError) {
        let session = PostgreSQLSession(address, .guest, lockSeconds: limits.busyTimeoutSeconds)
        do { try session.use { _ in } } catch { throw StoreError(error, path: "\(address)") }
        path = "\(address)"
        self.limits = limits
        database = .postgreSQL(session)
        shared = Mutex(Shared(outboxCount: 0))
    }

    deinit {
        // An owner that wants to hear of a failure calls `close` itself; nothing committed can be lost by it.
        try? close()
    }

    /// Ends the use of the file and lets another gateway have it. Once the owner is done, from any thread.
    package func close() throws(StoreError) {
        do {
            try database.close()
        } catch {
            throw StoreError(error, path: path)
        }
        shared.withLock { $0.lock = nil }
    }

    /// Has operations that fail for a while repeated from now on; nil: they throw.
    package func repeatFailures(_ retry: StoreRetry?) { shared.withLock { $0.retry = retry } }

    /// How many messages wait to be sent or to be acknowledged; from any thread.
    package var outboxCount: Int { shared.withLock { $0.outboxCount } }

    /// Whether hardly any messages should be taken in: a tenth is left for what those that are lead to; from any thread.
    package var isOutboxNearlyFull: Bool { outboxCount >= limits.outboxEntries / 10 * 9 }

    /// Keeps `batch`, as a whole or, where it throws, not at all; after a return it survives what `StoreDurability` says.
    ///
    /// - Returns: the ids of `batch.outbox`, in its order. A retained message that a later one of the same batch
    ///   supersedes has its id too, but is no longer in the outbox.
    /// - Throws: `outboxFull` beyond the limit: do not acknowledge the input (the broker is the queue then), commit what
    ///   was delivered alone, and try again. `unsendable` and `stateTooLarge` come again with the same batch.
    package func commit(_ batch: StoreBatch) throws(StoreError) -> [Int64] {
        guard !batch.isEmpty else { return [] }
        let ids = try write(time: batch.time) { try $0.write(batch) }
        erase(afterRemoval: batch.removes)
        return ids
    }

    /// Removes all tracks, which are wanted no longer; costs nothing where there are none.
    package func removeTracks() throws(StoreError) {
        let wereAny = try write(time: Timestamp(milliseconds: 0)) { try $0.removeAllTracks() }
        erase(afterRemoval: wereAny)
    }

    /// A failure is no failure of the commit before it, which is on disk; a disk that fails fails the next one.
    func erase(afterRemoval isRemoval: Bool) {
        var erasure = shared.withLock(\.erasure)
        guard isRemoval || erasure?.isUnderWay == true else { return }
        try? inFile { database in
            if isRemoval { try erasure?.begin(database) }
            try erasure?.advance(database)
        }
        shared.withLock { $0.erasure = erasure }
    }

    /// Whether the file holds traces of what was removed, and is small enough to be rewritten without holding anyone up
    /// for long; from any thread.
    package var isRewriteDue: Bool {
        guard let bytes = shared.withLock({ $0.erasure?.rewriteBytes }) else { return false }
        return bytes <= limits.rewriteBytes
    }

    /// Rewrites the file without what page splits have left of removed vehicles, where there is anything to rewrite.
    ///
    /// Takes half a second and twice the space for each 100 MB, and holds up the owner as long; what is due and was
    /// never done is done at the next opening, when nobody waits.
    package func rewriteIfDue() throws(StoreError) {
        var erasure = shared.withLock(\.erasure)
        try inFile { try erasure?.rewriteIfDue($0) }
        shared.withLock { $0.erasure = erasure }
    }

    /// Whether the file holds traces of what was removed, and is too large to be rewritten in passing; from any thread.
    package var isSweepDue: Bool {
        guard let bytes = shared.withLock({ $0.erasure?.rewriteBytes }) else { return false }
        return bytes > limits.rewriteBytes
    }

    /// Overwrites a part of those traces, in some milliseconds, where they are: repeated until `isSweepDue` is false, all of
    /// them. Does nothing while a reader is in its transaction.
    package func sweep() throws(StoreError) {
        guard isSweepDue else { return }
        var erasure = shared.withLock(\.erasure)
        let deadline = ContinuousClock.now + limits.sweepSlice
        try inFile { try erasure?.sweep($0, path: path, until: deadline) }
        shared.withLock { $0.erasure = erasure }
    }

    /// How many owners this part of the store has had, this one the last; nil: a file has one, and nobody counts.
    package var epoch: Int64? {
        guard case .postgreSQL(let session) = database else { return nil }
        return session.ownership
    }

    /// Sets a fact that was never set, whoever else tries.
    ///
    /// - Returns: what is set from here on.
    package func settle(_ key: String, _ value: String, at time: Timestamp) throws(StoreError) -> String {
        try write(time: time) { writer in
            try writer.database.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", [key, value])
            return try writer.database.first("SELECT value FROM meta WHERE key = ?", [key]) { $0[0] } ?? value
        }
    }

    /// One fact of those that `StoreBatch.meta` sets; nil where it was never set.
    package func meta(_ key: String) throws(StoreError) -> String? {
        try owned { try $0.first("SELECT value FROM meta WHERE key = ?", [key]) { $0[0] } }
    }

    /// Proves with a real commit that the store takes writes, and says why where it does not.
    ///
    /// A transaction that is rolled back would prove nothing: SQLite writes to the disk at the commit. It costs one
    /// fsync, so ask every few seconds, not at every request, and not where a batch was committed meanwhile.
    package func checkWritable() throws(StoreError) {
        var unsettled: (transaction: StoreTransaction, result: Void)?
        try attempt { try database.write(&unsettled, Self.touch) }
    }

    /// Whether the store takes writes now; `checkWritable` without the reason.
    package func isWritable() -> Bool {
        (try? checkWritable()) != nil
    }

    /// Runs `body` in one transaction and keeps the outbox's count in step with what was committed.
    func write<Result>(
        time: Timestamp, _ body: (inout BatchWriter) throws -> Result
    ) throws(StoreError) -> Result {
        let count = outboxCount
        var unsettled: (transaction: StoreTransaction, result: (Result, Int))?
        let (result, newCount) = try repeated {
            try database.write(&unsettled) { database in
                var writer = BatchWriter(database, limits: limits, time: time, outboxCount: count)
                return (try body(&writer), writer.outboxCount)
            }
        }
        shared.withLock { $0.outboxCount = newCount }
        return result
    }

    /// Reads.
    func owned<Result>(_ body: (SQLConnection) throws -> Result) throws(StoreError) -> Result {
        try repeated { try database.use(body) }
    }

    /// Runs `body`, again and again while the store fails and `repeatFailures` says so.
    private func repeated<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        var failures = 0
        while true {
            do throws(StoreError) {
                let result = try attempt(body)
                if failures > 0 { shared.withLock(\.retry)?.recovered() }
                return result
            } catch {
                guard error.temporaryReason != nil, let retry = shared.withLock(\.retry) else { throw error }
                failures += 1
                guard retry.failed(error, failures) else { throw error }
            }
        }
    }

    /// Asks before there is an owner.
    func beforeUse<Result>(_ body: (SQLConnection) throws -> Result) throws(StoreError) -> Result {
        do {
            return try database.use(body)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Does what only a file needs.
    func inFile(_ body: (Database) throws -> Void) throws(StoreError) {
        guard case .sqlite(let queue) = database else { return }
        try attempt { try queue.inDatabase(body) }
    }

    /// The one way to the connection.
    private func attempt<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        assertOwner()
        do {
            return try body()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func assertOwner() {
        let caller = pthread_self()
        let isOwner = shared.withLock { shared in
            guard let owner = shared.owner else {
                shared.owner = caller
                return true
            }
            return pthread_equal(owner, caller) != 0
        }
        precondition(isOwner, "A store belongs to the thread that used it first; another one called it.")
    }
}
