import Foundation
import GRDB
package import Messages
import Synchronization

/// Looks up what a gateway has kept, while it runs and when it does not: takes no lock and changes nothing.
///
/// In WAL mode a reader holds up no writer and sees what was committed when its query began. From any thread.
package final class StoreReader: Sendable {
    /// The file, absolute and without symbolic links; or the database's address without a password.
    package let path: String
    private let location: StoreLocation
    private let database: StoreDatabase
    /// Those of the other shards, once the store says that there are any.
    private let others = Mutex<[StoreReader]>([])

    /// - Throws: `missing` where there is no such file, `directory` where it is one, `otherSchema` where its tables are not those of this version,
    ///   `notAStore`, `notReadable`, `damaged`.
    package init(path: String) throws(StoreError) {
        let path = Store.resolved(path)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw .missing(path: path)
        }
        // SQLite calls this a disk error.
        guard !isDirectory.boolValue else { throw .directory(path: path) }
        self.path = path
        location = .file(path)
        do {
            var configuration = Configuration()
            configuration.label = "store reader"
            configuration.readonly = true
            configuration.busyMode = .timeout(StoreLimits.standard.busyTimeoutSeconds)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inDatabase { try Schema.requireCurrent($0, path: path) }
            database = .sqlite(queue)
        } catch {
            throw Self.error(error, path: path)
        }
    }

    /// Opens the store at `location` for reading.
    ///
    /// - Throws: as `init(path:)`; of a server, also `unreachable` and `refused`.
    package convenience init(_ location: StoreLocation) throws(StoreError) {
        switch location {
        case .file(let path): try self.init(path: path)
        case .postgreSQL(let address): try self.init(address)
        }
    }

    private init(_ address: PostgreSQLAddress) throws(StoreError) {
        let session = PostgreSQLSession(
            address, .reader, lockSeconds: StoreLimits.standard.busyTimeoutSeconds)
        do {
            try session.use { _ in }
        } catch {
            throw StoreError(error, path: "\(address)")
        }
        path = "\(address)"
        location = .postgreSQL(address)
        database = .postgreSQL(session)
    }

    /// Opens the part of a shard other than the first.
    ///
    /// - Throws: as `init`; `partMissing` where it is not there.
    static func part(_ index: Int, of location: StoreLocation) throws(StoreError) -> StoreReader {
        do throws(StoreError) {
            return try StoreReader(location.shard(index))
        } catch {
            guard case .missing(let path) = error else { throw error }
            throw .partMissing(path: path, store: "\(location)")
        }
    }

    /// The readers of all shards, this one before the others.
    ///
    /// - Throws: `partMissing`, `otherPart`.
    package func parts() throws(StoreError) -> [StoreReader] {
        let known = others.withLock(\.self)
        guard known.isEmpty, let count = try read({ try $0.shardCount() }), count > 1 else { return [self] + known }
        var opened: [StoreReader] = []
        for index in 1..<count { opened.append(try Self.part(index, of: location)) }
        for (index, part) in ([self] + opened).enumerated() {
            try part.read { try $0.requirePart(index, path: part.path) }
        }
        others.withLock { $0 = opened }
        return [self] + opened
    }

    /// One fact of those that `StoreBatch.meta` sets; nil where it was never set.
    package func meta(_ key: String) throws(StoreError) -> String? {
        try read { try $0.first("SELECT value FROM meta WHERE key = ?", [key]) { $0[0] } }
    }

    /// What was published, by time, at most `limit` at once; as `Store.history`, and also the newest first.
    ///
    /// - Parameter isWanted: asked of as many entries as one page may look through; a page may then have less than its
    ///   limit, or nothing, and still another behind it.
    package func history(
        type: HistoryEntry.Kind? = nil, vehicle: VehicleID? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
        order: HistoryOrder = .oldestFirst, limit: Int, after cursor: HistoryCursor? = nil,
        where isWanted: ((HistoryEntry) -> Bool)? = nil
    ) throws(StoreError) -> HistoryPage {
        let query = HistoryQuery(
            type: type, vehicle: vehicle, from: from, to: to, order: order, limit: limit, after: cursor,
            isWanted: isWanted, looksMax: StoreLimits.standard.historyLooks)
        let parts = try parts()
        guard parts.count > 1 else { return try read { try query.page($0, path: path) } }
        let sharded = ShardedHistory(query, count: parts.count)
        do {
            return try sharded.page { part, query in
                try parts[part].read { try query.placedEntries($0, path: parts[part].path) }
            }
        } catch {
            throw Self.error(error, path: path)
        }
    }

    /// Where a vehicle was, ascending by time, at most `limit` fixes at once; nothing where no tracks are kept.
    ///
    /// - Parameters:
    ///   - from: at that time or later.
    ///   - to: before that time.
    ///   - cursor: goes on where that page ended, with the same vehicle and times.
    package func track(
        of vehicle: VehicleID, from: Timestamp? = nil, to: Timestamp? = nil, limit: Int,
        after cursor: TrackCursor? = nil
    ) throws(StoreError) -> TrackPage {
        let query = TrackQuery(vehicle: vehicle, from: from, to: to, limit: limit, after: cursor)
        for part in try parts() {
            let page = try part.read { try query.page($0) }
            if !page.fixes.isEmpty { return page }
        }
        return TrackPage()
    }

    /// All that `body` reads is of one moment.
    func read<Result>(_ body: (SQLConnection) throws -> Result) throws(StoreError) -> Result {
        do {
            return try database.read(body)
        } catch {
            throw Self.error(error, path: path)
        }
    }

    /// As `read`, for what there is in files alone.
    func readFile<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try read { database in
            guard case .sqlite(let database) = database else {
                throw StoreError.failed(path: path, reason: "expected an SQLite file")
            }
            return try body(database)
        }
    }

    /// Has what is being read in a file fail; from any thread.
    func interrupt() {
        if case .sqlite(let queue) = database { queue.interrupt() }
    }

    /// For what begins its transaction itself.
    func unisolated(_ body: (SQLConnection) throws -> Void) throws(StoreError) {
        do {
            try database.use(body)
        } catch {
            throw Self.error(error, path: path)
        }
    }

    /// Who only reads needs other rights than a gateway.
    private static func error(_ error: any Error, path: String) -> StoreError {
        let error = StoreError(error, path: path)
        guard case .notWritable(_, let reason) = error else { return error }
        return .notReadable(path: path, reason: reason)
    }
}
