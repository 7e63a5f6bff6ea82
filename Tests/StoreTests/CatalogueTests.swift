import Fleet
import Hashing
import Messages
import Roads
import Store
import Testing

@Suite("What the store keeps beside vehicles and messages", .eachDatabase)
struct CatalogueTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    private func retained(_ store: Store) throws -> [String] {
        var found: [String] = []
        try store.loadRetained { found.append("\($0)=\(String(decoding: $1, as: UTF8.self))") }
        return found
    }

    private func turns(_ store: Store) throws -> [TurnCounts.Row] {
        var found: [TurnCounts.Row] = []
        try store.loadTurns { found.append($0) }
        return found
    }

    @Test("Retained inputs are kept by the bytes of their topics: an ü of one code point and one of two are two")
    func spellings() throws {
        _ = try store.commit(StoreBatch(time: noon, retained: ["K\u{FC}hl": [1], "Ku\u{308}hl": [2]]))
        #expect(try store.retained("K\u{FC}hl") == [1])
        #expect(try store.retained("Ku\u{308}hl") == [2])
        _ = try store.commit(StoreBatch(time: noon, retained: ["K\u{FC}hl": nil as [UInt8]?]))
        #expect(try store.retained("K\u{FC}hl") == nil)
        #expect(try store.retained("Ku\u{308}hl") == [2])
    }

    @Test("A retained input comes back by topic, the newest payload; an emptied topic is gone")
    func retainedInputs() throws {
        _ = try store.commit(
            StoreBatch(time: noon, retained: ["b": Array("1".utf8), "a": Array("2".utf8), "c": Array("3".utf8)]))
        _ = try store.commit(StoreBatch(time: noon, retained: ["b": Array("4".utf8), "c": nil as [UInt8]?]))
        try store.close()
        let reopened = try place.open()
        #expect(try retained(reopened) == ["a=2", "b=4"])
        #expect(try reopened.retainedTopics() == ["a", "b"])
        #expect(try reopened.retained("b") == Array("4".utf8))
        #expect(try reopened.retained("c") == nil)
    }

    @Test("Turns add up over batches, each pair of edges for itself")
    func turnCounts() throws {
        let edge = EdgeKey(way: 1, from: 2, to: 3)
        let (left, right) = (EdgeKey(way: 4, from: 3, to: 5), EdgeKey(way: 4, from: 3, to: 6))
        _ = try store.commit(
            StoreBatch(time: noon, turns: [TurnCounts.Row(arriving: edge, next: left, count: 2)]))
        _ = try store.commit(
            StoreBatch(
                time: noon,
                turns: [
                    TurnCounts.Row(arriving: edge, next: left, count: 1),
                    TurnCounts.Row(arriving: edge, next: right, count: 1),
                ]))
        try store.close()
        let expected = [
            TurnCounts.Row(arriving: edge, next: left, count: 3), TurnCounts.Row(arriving: edge, next: right, count: 1),
        ]
        #expect(try turns(place.open()) == expected)
    }
}
