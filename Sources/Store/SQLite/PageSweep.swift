import Foundation
import GRDB
import GRDBSQLite

/// Overwrites what page splits have left of removed rows, a stretch of the file at a time, for a file that is too large to be
/// rewritten in passing.
///
/// A page of a B-tree has a gap between its cell pointers and its cells, and rows that were moved to another page stay readable
/// there (sqlite.org/fileformat2.html#b_tree_pages, "unallocated region"). Nothing reads a gap, so that it can be overwritten in
/// the file itself, as long as nobody else writes the page meanwhile and no older copy of it is written later: the log is empty,
/// a transaction keeps other writers out, and the cache is let go afterwards. All else that is deleted `PRAGMA secure_delete`
/// overwrites.
struct PageSweep {
    /// An overflow page begins with the number of the next one: its first byte is that of a B-tree's page only in files of
    /// more than 2 << 24 pages, of 512 bytes at least. Beyond, the next start rewrites the file.
    static let bytesMax = 16 << 30
    /// So many pages are looked at between two looks at the clock.
    private static let pagesAtOnce = 64

    /// Numbered from 1.
    private var nextPage = 1

    /// - Returns: whether the whole file is done.
    mutating func advance(_ database: Database, path: String, until deadline: ContinuousClock.Instant) throws -> Bool {
        // What is in the log would be written over the pages later; a reader that needs it is waited for.
        guard try Erasure.emptyLog(database) else { return false }
        var isDone = false
        try database.inTransaction(.immediate) {
            var log = stat()
            // Another program has written in this very moment.
            guard stat(path + "-wal", &log) != 0 || log.st_size == 0 else { return .rollback }
            isDone = try sweep(database, until: deadline)
            return .rollback
        }
        // A page in the cache has its gap as it was, and would be written with it.
        sqlite3_db_release_memory(database.sqliteConnection)
        return isDone
    }

    private mutating func sweep(_ database: Database, until deadline: ContinuousClock.Instant) throws -> Bool {
        let file = try DatabaseFile(database)
        let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        var page = [UInt8](repeating: 0, count: size)
        repeat {
            for number in nextPage..<max(nextPage, min(nextPage + Self.pagesAtOnce, count + 1)) {
                let offset = Int64(number - 1) * Int64(size)
                try file.read(&page, at: offset)
                guard let gap = Self.gap(of: page, isFirst: number == 1), page[gap].contains(where: { $0 != 0 })
                else { continue }
                try file.write([UInt8](repeating: 0, count: gap.count), at: offset + Int64(gap.lowerBound))
            }
            nextPage = min(nextPage + Self.pagesAtOnce, count + 1)
        } while nextPage <= count && ContinuousClock.now < deadline
        try file.synchronize()
        return nextPage > count
    }

    /// Where a page has bytes that mean nothing; nil: nowhere, or it is no page of a B-tree.
    ///
    /// - Parameter isFirst: of the file, whose header comes before the page's.
    static func gap(of page: [UInt8], isFirst: Bool) -> Range<Int>? {
        let start = isFirst ? 100 : 0
        func number(at offset: Int) -> Int { Int(page[start + offset]) << 8 | Int(page[start + offset + 1]) }
        let header: Int
        switch page[start] {
        case 2, 5: header = 12
        case 10, 13: header = 8
        default: return nil
        }
        let pointersEnd = start + header + 2 * number(at: 3)
        let cells = number(at: 5)
        let cellsStart = cells == 0 ? 65_536 : cells
        guard pointersEnd < cellsStart, cellsStart <= page.count else { return nil }
        return pointersEnd..<cellsStart
    }
}

/// A database's file by SQLite's own handle: to open and close it a second time would end SQLite's locks on it
/// (sqlite.org/howtocorrupt.html, §2.2).
private struct DatabaseFile {
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    init(_ database: Database) throws {
        var pointer: UnsafeMutableRawPointer?
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard code == SQLITE_OK, let file = pointer?.assumingMemoryBound(to: sqlite3_file.self),
            let methods = file.pointee.pMethods?.pointee
        else { throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "no file of the database") }
        self.file = file
        self.methods = methods
    }

    func read(_ bytes: inout [UInt8], at offset: Int64) throws {
        try check(methods.xRead(file, &bytes, Int32(bytes.count), offset))
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws {
        try check(methods.xWrite(file, bytes, Int32(bytes.count), offset))
    }

    func synchronize() throws { try check(methods.xSync(file, SQLITE_SYNC_NORMAL)) }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
