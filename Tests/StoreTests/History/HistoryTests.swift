import Fleet
import Foundation
import GRDB
import Messages
import MQTT
import Store
import Testing

@Suite(.eachDatabase) struct HistoryTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    private func keep(_ entries: [HistoryEntry]) throws {
        _ = try store.commit(StoreBatch(time: noon, history: entries))
    }

    /// Two of each type a minute, of two vehicles, written backwards.
    private func keepAnHour() throws {
        try keep(
            (0..<60).reversed().flatMap { minute in
                [HistoryEntry.Kind.alert, .event, .visit].flatMap { type in
                    ["A", "B"].map { entry("\(type)-\($0)-\(minute)", of: $0, type, at: Double(minute)) }
                }
            })
    }

    private func everyPage(
        type: HistoryEntry.Kind? = nil, vehicle: String? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
        limit: Int = 7
    ) throws -> [HistoryEntry] {
        var entries: [HistoryEntry] = []
        var cursor: HistoryCursor?
        repeat {
            let page = try store.history(
                type: type, vehicle: vehicle.flatMap { VehicleID($0) }, from: from, to: to, limit: limit,
                after: cursor)
            #expect(page.entries.count <= limit)
            entries += page.entries
            cursor = page.next
        } while cursor != nil
        return entries
    }

    // MARK: Looking up

    @Test("What was published comes back as it was, after a restart too")
    func roundTrip() throws {
        let entries = [
            HistoryEntry(
                id: "b1946ac92492d234", sequence: 2, vehicle: VehicleID("Größe 7")!, type: .visit, time: noon,
                payload: [0, 255, 7]),
            entry("b", of: "B", .alert, at: 1, payload: ""),
        ]
        try keep(entries)
        try store.close()
        #expect(try place.open().history(limit: 10).entries == entries)
    }

    @Test(
        "Pages of any size, one after the other, hold everything once, by time",
        arguments: [1, 7, 59, 60, 61, 1000])
    func pages(limit: Int) throws {
        try keepAnHour()
        let all = try everyPage(limit: limit)
        #expect(all.count == 360)
        #expect(Set(all).count == 360)
        #expect(all.map(\.time) == all.map(\.time).sorted())
    }

    @Test("What has one time comes in the order in which it was written")
    func ties() throws {
        let ids = ["z", "a", "m", "b"]
        try keep(ids.map { entry($0, of: "A", .event, at: 0) })
        #expect(try everyPage(limit: 1).map(\.id) == ids)
    }

    static let selections: [(HistoryEntry.Kind?, String?, Double?, Double?, Int)] = [
        (nil, nil, nil, nil, 360), (.visit, nil, nil, nil, 120), (nil, "A", nil, nil, 180),
        (.alert, "B", nil, nil, 60), (.alert, "B", 10, nil, 50), (.alert, "B", nil, 10, 10),
        (.event, nil, 10, 20, 20), (nil, nil, 59, nil, 6), (nil, nil, 60, nil, 0), (nil, "C", nil, nil, 0),
    ]

    @Test("Type, vehicle and times select, the beginning included and the end not", arguments: selections)
    func selection(type: HistoryEntry.Kind?, vehicle: String?, from: Double?, to: Double?, count: Int) throws {
        try keepAnHour()
        let found = try everyPage(type: type, vehicle: vehicle, from: from.map(minute), to: to.map(minute))
        #expect(found.count == count)
        #expect(found.allSatisfy { type == nil || $0.type == type })
        #expect(found.allSatisfy { vehicle == nil || $0.vehicle.text == vehicle })
        #expect(found.allSatisfy { from == nil || $0.time >= minute(from!) })
        #expect(found.allSatisfy { to == nil || $0.time < minute(to!) })
    }

    @Test(
        "Every selection is served by an index in its order: nothing is sorted, nothing is scanned",
        arguments: selections)
    func plans(type: HistoryEntry.Kind?, vehicle: String?, from: Double?, to: Double?, count: Int) throws {
        guard place.isFile else { return }
        try keepAnHour()
        let conditions = [
            vehicle.map { _ in "vehicle = 'A'" },
            type.map { _ in vehicle == nil ? "type = 'alert'" : "type || '' = 'alert'" },
            from.map { _ in "time >= 0" }, to.map { _ in "time < 1" }, "(time, number) > (0, 0)",
        ].compactMap(\.self)
        let sql = "SELECT * FROM history WHERE \(conditions.joined(separator: " AND ")) ORDER BY time, number"
        let plan = try place.outside {
            try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN " + sql).map { row in row["detail"] as String }
        }
        let index = vehicle != nil ? "history_vehicle" : type != nil ? "history_type" : "history_time"
        #expect(plan.count == 1)
        #expect(plan[0].hasPrefix("SEARCH history USING INDEX \(index)"))
    }

    @Test("A cursor goes on after entries before it were purged, and finds what was written behind it")
    func cursorStays() throws {
        try keepAnHour()
        let first = try store.history(type: .visit, limit: 20)
        _ = try store.commit(StoreBatch(time: noon, historyBefore: minute(5)))
        try keep([entry("late", of: "A", .visit, at: 30)])
        let text = try #require(first.next).description
        let rest = try store.history(type: .visit, limit: 1000, after: HistoryCursor(text))
        #expect(rest.entries.count == 101)
        #expect(rest.entries.contains { $0.id == "late" })
        #expect(rest.next == nil)
    }

    @Test("A text that is no cursor is none", arguments: ["", "1", "1.2.3", "a.b", "1.", ".1", "1,2"])
    func noCursor(text: String) { #expect(HistoryCursor(text) == nil) }

    // MARK: Keeping

    @Test("A repeat of id and sequence changes nothing; another sequence is another entry")
    func repeats() throws {
        try keep([entry("a", of: "A", .visit, at: 0, payload: "first")])
        try keep([
            entry("a", of: "B", .event, at: 9, payload: "again"),
            entry("a", 2, of: "A", .visit, at: 1, payload: "second"),
        ])
        let kept = try store.history(limit: 10).entries
        #expect(kept.map { String(decoding: $0.payload, as: UTF8.self) } == ["first", "second"])
    }

    @Test("A batch that is refused leaves no history")
    func atomicity() throws {
        let batch = StoreBatch(
            time: noon, outbox: [OutboxMessage(topic: "", payload: [])],
            history: [entry("a", of: "A", .visit, at: 0)], historyBefore: minute(1))
        #expect(throws: StoreError.self) { try store.commit(batch) }
        #expect(try store.history(limit: 1).entries == [])
    }

    @Test("The purge takes the oldest, a limited number a batch, and nothing of the time itself or later")
    func purge() throws {
        try store.close()
        var limits = StoreLimits()
        limits.historyPurge = 100
        let store = try place.open(limits: limits)
        let entries = (0..<250).map { entry("\($0)", of: "A", .event, at: Double($0)) }
        _ = try store.commit(StoreBatch(time: noon, history: entries.shuffled()))
        for first in [100, 200, 240, 240] {
            _ = try store.commit(StoreBatch(time: noon, historyBefore: minute(240)))
            #expect(try store.history(limit: 1000).entries == Array(entries[first...]))
        }
    }
}

func minute(_ minute: Double) -> Timestamp { noon.adding(minute * 60) }

func entry(
    _ id: String, _ sequence: Int = 1, of vehicle: String, _ type: HistoryEntry.Kind, at time: Double,
    payload: String? = nil
) -> HistoryEntry {
    HistoryEntry(
        id: id, sequence: sequence, vehicle: VehicleID(vehicle)!, type: type, time: minute(time),
        payload: Array((payload ?? #"{"id":"\#(id)","vehicle":"\#(vehicle)"}"#).utf8))
}
