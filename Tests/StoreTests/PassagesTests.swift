import GRDB
import Messages
import Store
import Testing

/// What vehicles did near low clearances, as the engine encodes it.
@Suite(.eachDatabase) struct PassagesTests {
    @Test("Counts are kept as they were written last, those in force apart from those that are not yet")
    func kept() throws {
        let place = try TemporaryStore()
        var store = try place.open()
        #expect(try store.loadPassages(.inForce) == nil)
        _ = try store.commit(StoreBatch(time: noon, passages: [.inForce: [1, 2, 3], .counted: [4]]))
        _ = try store.commit(StoreBatch(time: noon, passages: [.counted: [5, 6]]))
        _ = try store.commit(StoreBatch(time: noon))
        try store.close()
        store = try place.open()
        #expect(try store.loadPassages(.inForce) == [1, 2, 3])
        #expect(try store.loadPassages(.counted) == [5, 6])
    }

    @Test("A store of the schema before keeps what it has, and takes counts from then on")
    func migration() throws {
        let place = try TemporaryStore()
        guard place.isFile else { return }
        var store = try place.open()
        _ = try store.commit(StoreBatch(time: noon, meta: ["before": "kept"]))
        try store.close()
        try place.outside {
            try $0.execute(
                sql: """
                    DROP TABLE passages; DROP TABLE webhook; DROP TABLE blind_spots;
                    DELETE FROM grdb_migrations WHERE identifier IN ('v6', 'v7', 'v8')
                    """)
        }
        store = try place.open()
        #expect(try store.meta("before") == "kept")
        #expect(try store.loadPassages(.inForce) == nil)
        _ = try store.commit(StoreBatch(time: noon, passages: [.inForce: [1]]))
        #expect(try store.loadPassages(.inForce) == [1])
    }
}
