import Foundation
import GRDB
import Synchronization

/// A copy of a store, sound and whole, made while a gateway may write to the original.
///
/// SQLite writes it anew (`VACUUM INTO`), in one reading transaction: it holds what was committed when it was begun, holds
/// up no writer, and has no trace of what was removed before. What is known of a session at the broker it does not hold: by
/// the time it is used the session has gone on with the original.
package struct StoreCopy: Sendable {
    /// Absolute and without symbolic links.
    package let path: String
    package let bytes: Int
    /// How many of each it holds.
    package let vehicles: Int
    package let history: Int
    package let positions: Int
    package let unsent: Int

    /// Copies the store at `original`.
    ///
    /// The copy gets its name when it is whole, checked and on disk, and the original's permissions.
    /// - Parameters:
    ///   - replaces: whether a file that is there already is replaced.
    ///   - progress: called now and then, from a thread of its own, with the share that is done, `0 ... 1`; returns whether
    ///     to go on.
    /// - Throws: `copyExists`, `copyFailed`, `diskFull` with the copy's path, and what `StoreReader` throws.
    package init(
        of original: String, to path: String, replaces: Bool = false,
        progress: @escaping @Sendable (Double) -> Bool = { _ in true }
    ) throws(StoreError) {
        let path = Store.resolved(path)
        let reader = try StoreReader(path: original)
        try Self.refuse(path, replaces: replaces, original: reader.path)
        let partial = try PartialFile(for: path, permissionsOf: reader.path)
        let bytesInUse = try reader.readFile { try Self.bytesInUse($0) }
        let watch = GrowthWatch(of: partial.path, to: bytesInUse) { if !progress($0) { reader.interrupt() } }
        defer { watch.stop() }
        do {
            try reader.copy(to: partial.path)
            try Self.removeSession(from: partial.path)
        } catch {
            throw error.concerning(copy: path)
        }
        let copy = try Self.checked(partial.path)
        try partial.takeName()
        self.path = path
        bytes = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        (vehicles, history, positions, unsent) = copy
    }

    /// Whether a file is an SQLite database, or empty, as a new one is.
    private static func isDatabase(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 16) else {
            return false
        }
        return start.isEmpty || start == Data("SQLite format 3\0".utf8)
    }

    private static func refuse(_ path: String, replaces: Bool, original: String) throws(StoreError) {
        // A gateway that had the file open would go on writing to one that has no name any more.
        guard path != original else { throw .copyFailed(path: path, reason: "it is the store itself") }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return }
        guard !isDirectory.boolValue else { throw .copyFailed(path: path, reason: "it is a directory") }
        guard replaces else { throw .copyExists(path: path) }
        guard access(path, R_OK) == 0 else {
            let reason = "the file that is there cannot be read: \(String(cString: strerror(errno)))"
            throw .copyFailed(path: path, reason: "\(reason); name another one, or let this user read it")
        }
        guard isDatabase(path) else { throw .copyFailed(path: path, reason: "there is a file that is no store") }
        // Its log would be taken for the copy's.
        guard !FileManager.default.fileExists(atPath: path + "-wal") else {
            throw .copyFailed(path: path, reason: "there is a \(path)-wal beside it, so that it is in use, or was")
        }
    }

    private static func bytesInUse(_ database: Database) throws -> Int {
        func number(_ pragma: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0 }
        return (try number("page_count") - number("freelist_count")) * (try number("page_size"))
    }

    private static func removeSession(from partial: String) throws(StoreError) {
        do {
            let copy = try DatabaseQueue(path: partial)
            try copy.write { database in
                try database.execute(
                    sql: "DELETE FROM meta WHERE key LIKE ? || '%'", arguments: [StoreBatch.sessionPrefix])
            }
            try copy.close()
        } catch {
            throw StoreError(error, path: partial)
        }
    }

    /// Reads every page of the copy, as whoever needs it will have to.
    private static func checked(
        _ partial: String
    ) throws(StoreError) -> (vehicles: Int, history: Int, positions: Int, unsent: Int) {
        let copy = try StoreReader(path: partial)
        return try copy.readFile { database in
            let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
            guard findings == ["ok"] else {
                throw StoreError.copyFailed(
                    path: partial, reason: "it is not sound: \(findings.joined(separator: "; "))")
            }
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            return (try count("vehicle"), try count("history"), try count("position"), try count("outbox"))
        }
    }
}

/// Looks now and then how far a file has grown, on a thread of its own: the one that copies is busy.
private final class GrowthWatch: Sendable {
    private static let every = 0.05
    private let isOver = Atomic(false)

    init(of path: String, to bytes: Int, _ progress: @escaping @Sendable (Double) -> Void) {
        let thread = Thread {
            while !self.isOver.load(ordering: .relaxed) {
                Thread.sleep(forTimeInterval: Self.every)
                var status = stat()
                guard stat(path, &status) == 0, bytes > 0 else { continue }
                progress(min(1, Double(status.st_size) / Double(bytes)))
            }
        }
        thread.name = "copy watch"
        thread.start()
    }

    func stop() { isOver.store(true, ordering: .relaxed) }
}

extension StoreReader {
    fileprivate func copy(to path: String) throws(StoreError) {
        try unisolated { try $0.execute("VACUUM INTO ?", [path]) }
    }
}

extension StoreError {
    /// While a copy is written the disk that is full, and the file that cannot be written, are the copy's.
    fileprivate func concerning(copy path: String) -> StoreError {
        switch self {
        case .diskFull: .diskFull(path: path)
        case .notWritable(_, let reason), .notReadable(_, let reason), .failed(_, let reason):
            .copyFailed(path: path, reason: reason)
        default: self
        }
    }
}
