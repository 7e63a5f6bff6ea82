import Messages
import Store
import Testing

/// What drivers and dispatchers did about alerts.
@Suite(.eachDatabase) struct ResponseTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
        let history = [
            entry("a", of: "A", .alert, at: 1), entry("a", 1, of: "A", .handling, at: 2),
            entry("b", 2, of: "B", .handling, at: 3), entry("a", 3, of: "A", .handling, at: 4),
            entry("a", of: "A", .acknowledgement, at: 5), entry("a", of: "A", .acknowledgement, at: 6),
        ]
        _ = try store.commit(StoreBatch(time: noon, history: history))
    }

    private func found(_ type: HistoryEntry.Kind?) throws -> [String] {
        try store.history(type: type, limit: 100).entries.map { "\($0.id) \($0.sequence)" }
    }

    @Test("A response is kept beside what it is to, an acknowledgement of one message once")
    func kinds() throws {
        #expect(try found(nil) == ["a 1"])
        #expect(try found(.handling) == ["a 1", "b 2", "a 3"])
        #expect(try found(.acknowledgement) == ["a 1"])
    }

    @Test("The last handling of each alert is found again, in the order of the changes")
    func handling() throws {
        #expect(try store.loadHandling().map { "\($0.id) \($0.sequence)" } == ["b 2", "a 3"])
    }

    @Test("Responses go with their age, but for the handling of alerts that are seen to")
    func removal() throws {
        _ = try store.commit(StoreBatch(time: noon, historyBefore: minute(3)))
        #expect(try found(.handling) == ["b 2", "a 3"])
        _ = try store.commit(StoreBatch(time: noon, historyBefore: minute(9), handlingsKept: ["b", "c"]))
        #expect(try found(.handling) == ["b 2"] && found(.acknowledgement) == [])
    }

    @Test("Responses go with their vehicle")
    func forgotten() throws {
        _ = try store.commit(StoreBatch(time: noon, removed: [VehicleID("A")!]))
        #expect(try found(.handling) == ["b 2"] && found(.acknowledgement) == [])
    }
}
