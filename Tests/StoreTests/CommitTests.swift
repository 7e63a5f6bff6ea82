import Fleet
import Messages
import MQTT
import Store
import Testing

@Suite(.eachDatabase) struct CommitTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    @Test(
        "A vehicle comes back as it was kept",
        arguments: [
            ("T42", [], [0, 255, 7]),
            ("Größe 7 “a\\b”", ["acme", "north \"7\""], [UInt8](repeating: 9, count: 100_000)),
            (String(repeating: "ß", count: 64), [""], []),
        ] as [(String, [String], [UInt8])])
    func vehicleRoundTrip(id: String, levels: [String], state: [UInt8]) throws {
        let kept = try vehicle(id, levels: levels, state: state)
        #expect(try store.commit(StoreBatch(time: noon, changed: [kept])) == [])
        try store.close()
        #expect(try place.open().vehicles() == [kept])
    }

    @Test("A changed vehicle replaces the older one, a removed one is gone, one in both lists is kept")
    func changeAndRemove() throws {
        let old = try ["A", "B", "C"].map { try vehicle($0, state: [0]) }
        _ = try store.commit(StoreBatch(time: noon, changed: old))
        let new = try ["A", "C"].map { try vehicle($0, levels: ["south"], state: [1]) }
        let removed = [old[1].address.vehicle, old[2].address.vehicle]
        _ = try store.commit(StoreBatch(time: noon, changed: new, removed: removed))
        #expect(try store.vehicles() == new)
    }

    @Test("A message comes back with every property, an absent one stays absent")
    func messageRoundTrip() throws {
        let full = OutboxMessage(
            topic: "flotte/Lkw 7/alert", payload: [0, 1, 0, 255], qos: .exactlyOnce, retain: true, priority: .low,
            expiresAt: noon.adding(600), contentType: "application/json",
            userProperties: [
                UserProperty("type", "low-clearance"), UserProperty("stage", "\"a\"\n/é"), UserProperty("type", ""),
            ])
        let bare = OutboxMessage(topic: "t", payload: [], qos: .atMostOnce, retain: true)
        let ids = try store.commit(StoreBatch(time: noon, outbox: [full, bare]))
        try store.close()
        let pending = try place.open().pendingOutbox(.low, limit: 10, at: noon)
        #expect(pending.entries.map(\.id) == ids)
        #expect(pending.entries.map(\.message) == [full, bare])
        #expect(pending.entries.allSatisfy { $0.createdAt == noon })
    }

    @Test("A fact is set, replaced and kept; one never set is nil")
    func meta() throws {
        #expect(try store.meta("road-file") == nil)
        for identity in ["a1b2", "c3d4"] {
            _ = try store.commit(StoreBatch(time: noon, meta: ["road-file": identity]))
        }
        try store.close()
        #expect(try place.open().meta("road-file") == "c3d4")
    }

    static let refused: [(OutboxMessage, String)] = [
        (OutboxMessage(topic: "", payload: []), "its topic is empty"),
        (OutboxMessage(topic: "fleet/+/alert", payload: []), "its topic holds +, # or NUL"),
        (OutboxMessage(topic: "fleet/#", payload: []), "its topic holds +, # or NUL"),
        (OutboxMessage(topic: "a\0b", payload: []), "its topic holds +, # or NUL"),
        (OutboxMessage(topic: "t", payload: [], contentType: "a\0"), "its content type holds NUL"),
        (
            OutboxMessage(topic: "t", payload: [UInt8](repeating: 0, count: 4 << 20 + 1)),
            "expected a payload of at most 4194304 bytes, got 4194305"
        ),
        (
            OutboxMessage(topic: String(repeating: "t", count: 65_536), payload: []),
            "its topic, content type or a user property has more than 65535 bytes"
        ),
        (
            OutboxMessage(
                topic: "t", payload: [],
                userProperties: [UserProperty](repeating: UserProperty("a", "b"), count: 33)),
            "expected at most 32 user properties, got 33"
        ),
    ]

    @Test("A batch with a message that cannot be sent leaves nothing behind", arguments: refused)
    func atomicity(message: OutboxMessage, reason: String) throws {
        let before = try vehicle("A", state: [0])
        let delivered = try store.commit(StoreBatch(time: noon, changed: [before], outbox: [state(of: "A", "old")]))
        let batch = StoreBatch(
            time: noon, changed: [try vehicle("A", state: [1]), try vehicle("B")], removed: [before.address.vehicle],
            outbox: [alert("1"), state(of: "A", "new"), message], delivered: delivered, meta: ["road-file": "new"])
        #expect(throws: StoreError.unsendable(index: 2, reason: reason)) { try store.commit(batch) }
        #expect(try store.vehicles() == [before])
        #expect(try store.unsent() == ["old"])
        #expect(store.outboxCount == 1)
        #expect(try store.meta("road-file") == nil)
        #expect(try place.outsideCount("outbox") == 1)
    }

    @Test("A batch with a state that is too large leaves nothing behind")
    func stateLimit() throws {
        let large = try vehicle("B", state: [UInt8](repeating: 0, count: 4 << 20 + 1))
        #expect(throws: StoreError.stateTooLarge(vehicle: "B", bytes: 4_194_305, limit: 4_194_304)) {
            try store.commit(StoreBatch(time: noon, changed: [try vehicle("A"), large]))
        }
        #expect(try store.vehicles() == [])
    }

    @Test("After a refused batch the next one is taken")
    func goesOn() throws {
        let bad = StoreBatch(time: noon, outbox: [OutboxMessage(topic: "", payload: [])])
        #expect(throws: StoreError.self) { try store.commit(bad) }
        #expect(try store.commit(StoreBatch(time: noon, outbox: [alert("1")])).count == 1)
        #expect(try store.unsent() == ["1"])
    }

    @Test("100,000 vehicles are handed over one by one, each once and unchanged")
    func manyVehicles() throws {
        let count = 100_000
        for start in stride(from: 0, to: count, by: 10_000) {
            let changed = try (start..<start + 10_000).map { number in
                try vehicle("T\(number)", levels: ["r\(number % 7)"], state: [UInt8](repeating: 1, count: number % 400))
            }
            _ = try store.commit(StoreBatch(time: noon, changed: changed))
        }
        try store.close()

        var seen = Set<VehicleID>()
        var wrong = 0
        let loaded = try place.open().loadVehicles { vehicle in
            seen.insert(vehicle.address.vehicle)
            let number = Int(vehicle.address.vehicle.text.dropFirst()) ?? -1
            if vehicle.state.count != number % 400 || vehicle.address.levels != ["r\(number % 7)"] { wrong += 1 }
        }
        #expect(loaded == count)
        #expect(seen.count == count)
        #expect(wrong == 0)
    }
}
