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
                    DELETE FROM grdb_migrations WHERE identifier IN ('v6', 'v7', 'v8', 'v9', 'v10')
                    """)
        }
        store = try place.open()
        #expect(try store.meta("before") == "kept")
        #expect(try store.loadPassages(.inForce) == nil)
        _ = try store.commit(StoreBatch(time: noon, passages: [.inForce: [1]]))
        #expect(try store.loadPassages(.inForce) == [1])
    }

    @Test("Counts of a store that had no room for a part's own are as they were, and now it has")
    func ownCounts() throws {
        let place = try TemporaryStore()
        guard place.isFile else { return }
        try place.open().close()
        try place.outside {
            try $0.execute(
                sql: """
                    DROP TABLE passages;
                    CREATE TABLE passages (id INTEGER PRIMARY KEY CHECK (id IN (1, 2)), counts BLOB NOT NULL) STRICT;
                    INSERT INTO passages VALUES (1, x'07'), (2, x'08');
                    DELETE FROM grdb_migrations WHERE identifier IN ('v9', 'v10')
                    """)
        }
        let store = try place.open()
        #expect(try store.loadPassages(.inForce) == [7])
        #expect(try store.loadPassages(.counted) == [8])
        #expect(try store.loadOwnPassages() == [7], "a part of before has nothing else")
        _ = try store.commit(StoreBatch(time: noon, passages: [.inForce: [9], .own: [3]]))
        #expect(try store.loadOwnPassages() == [3])
    }
}
