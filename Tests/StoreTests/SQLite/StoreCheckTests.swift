import Foundation
import GRDB
import Testing

@testable import Store

struct StoreCheckTests {
    /// A store of some hundred pages, none of them in the log.
    private func filled() throws -> TemporaryStore {
        let place = try TemporaryStore()
        let store = try place.open()
        for number in 0..<400 {
            let id = "T\(number)"
            _ = try store.commit(
                StoreBatch(
                    time: noon, changed: [try vehicle(id, state: [UInt8](repeating: 65, count: 600))],
                    history: (0..<3).map { entry("\(id)-\($0)", of: id, .event, at: Double(number)) }))
        }
        try store.close()
        return place
    }

    @Test("A sound store is sound, also while a gateway writes to it")
    func sound() throws {
        let place = try filled()
        let store = try place.open()
        let check = try StoreCheck(path: place.path)
        _ = try store.commit(StoreBatch(time: noon, changed: [try vehicle("later")]))
        #expect(try check.run(within: .seconds(60)) == .sound)
    }

    @Test("Damaged pages in the middle of a store, which it opens with, are found")
    func damaged() throws {
        let place = try filled()
        let page = try place.outside {
            try Int.fetchOne($0, sql: "SELECT max(pageno) FROM dbstat WHERE name = 'history' AND pagetype = 'leaf'")
        }
        try place.overwrite([UInt8](repeating: 0x5A, count: 2_000), at: (try #require(page) - 1) * 4_096)
        let store = try place.open()
        guard case .damaged(let findings) = try StoreCheck(path: place.path).run(within: .seconds(60)) else {
            return #expect(Bool(false), "the damage was not found")
        }
        #expect((1...100).contains(findings.count))
        try store.close()
    }

    @Test("What vehicles are kept by is read before their history and positions, which may be large")
    func order() throws {
        let place = try filled()
        let tables = try StoreCheck(path: place.path).tables()
        let last = ["history", "position", "track"].filter(tables.contains)
        #expect(tables.suffix(last.count) == last[...] && last.contains("history"))
        #expect(tables.contains("vehicle") && Set(tables).count == tables.count)
    }

    @Test("One that is cancelled, or has no time, says that it is not finished")
    func unfinished() throws {
        let place = try filled()
        #expect(try StoreCheck(path: place.path).run(within: .zero) == .unfinished)
        let check = try StoreCheck(path: place.path)
        check.cancel()
        #expect(try check.run(within: .seconds(60)) == .unfinished)
    }
}
