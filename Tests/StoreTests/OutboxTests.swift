import Fleet
import Messages
import MQTT
import Store
import Testing

@Suite(.eachDatabase) struct OutboxTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        store = try place.open()
    }

    private func commit(_ messages: OutboxMessage..., delivered: [Int64] = []) throws -> [Int64] {
        try store.commit(StoreBatch(time: noon, outbox: messages, delivered: delivered))
    }

    @Test("Messages leave in the order of their commits, page by page")
    func order() throws {
        var ids: [Int64] = []
        for batch in 0..<5 {
            ids += try commit(alert("\(batch)a"), alert("\(batch)b"), alert("\(batch)c"))
        }
        #expect(ids == ids.sorted())
        var pages: [[Int64]] = []
        while true {
            let page = try store.pendingOutbox(.high, after: pages.last?.last ?? 0, limit: 4, at: noon).entries.map(
                \.id)
            guard !page.isEmpty else { break }
            pages.append(page)
        }
        #expect(pages.map(\.count) == [4, 4, 4, 3])
        #expect(pages.flatMap { $0 } == ids)
    }

    @Test(
        "What is urgent leaves before what has happened, and that before how things are; each in its order, page by page"
    )
    func priorities() throws {
        for number in 1...5 {
            _ = try commit(
                state(of: "T\(number)", "state \(number)"), event("event \(number)"), alert("alert \(number)"))
        }
        let kinds = ["alert", "event", "state"].flatMap { kind in (1...5).map { "\(kind) \($0)" } }
        #expect(try store.unsent() == kinds)
        try store.close()
        let again = try place.open()
        #expect(try again.unsent() == kinds)
        for (priority, kind) in zip(OutboxPriority.allCases, ["alert", "event", "state"]) {
            let first = try again.pendingOutbox(priority, limit: 2, at: noon).entries
            let rest = try again.pendingOutbox(priority, after: first[1].id, limit: 10, at: noon).entries
            let texts = (first + rest).map { String(decoding: $0.message.publication.payload, as: UTF8.self) }
            #expect(texts == (1...5).map { "\(kind) \($0)" })
            #expect((first + rest).allSatisfy { $0.message.priority == priority })
        }
    }

    @Test("A retained message supersedes an older one of any priority: there is no second word on one topic")
    func supersedeAcrossPriorities() throws {
        var withdrawal = state(of: "T1", "")
        withdrawal.priority = .normal
        _ = try commit(state(of: "T1", "old"))
        _ = try commit(withdrawal)
        #expect(try store.unsent() == [""])
        _ = try commit(state(of: "T1", "back"))
        #expect(try store.unsent() == ["back"])
    }

    @Test("A delivered message is gone, the others stay, and the count follows, also after a restart")
    func delivery() throws {
        let ids = try commit(alert("1"), alert("2"), alert("3"))
        #expect(store.outboxCount == 3)
        _ = try commit(delivered: [ids[1]])
        #expect(try store.unsent() == ["1", "3"])
        #expect(store.outboxCount == 2)
        try store.close()
        #expect(try place.open().outboxCount == 2)
    }

    @Test("An id that is reported twice or was never given changes nothing")
    func repeatedDelivery() throws {
        let ids = try commit(alert("1"), alert("2"))
        _ = try commit(delivered: [ids[0], ids[0], 999])
        _ = try commit(delivered: [ids[0]])
        #expect(try store.unsent() == ["2"])
        #expect(store.outboxCount == 1)
    }

    @Test("An id is never given twice, even when the outbox was empty and the gateway restarted")
    func idsAreNotReused() throws {
        let first = try commit(alert("1"))
        _ = try commit(delivered: first)
        try store.close()
        let second = try place.open().commit(StoreBatch(time: noon, outbox: [alert("2")]))
        #expect(second[0] > first[0])
    }

    @Test("A retained message supersedes the older unsent one on its topic, and only that")
    func supersede() throws {
        let unretained = OutboxMessage(topic: "fleet/T1/state", payload: Array("event".utf8))
        _ = try commit(state(of: "T1", "old"), state(of: "T2", "other"), unretained, alert("1"))
        _ = try commit(state(of: "T1", "new"))
        #expect(try store.unsent() == ["1", "other", "event", "new"])
        #expect(store.outboxCount == 4)
    }

    @Test("Within one batch the last retained message on a topic stays; each has its id")
    func supersedeWithinBatch() throws {
        let ids = try commit(state(of: "T1", "a"), state(of: "T1", "b"), state(of: "T1", "c"))
        #expect(Set(ids).count == 3)
        #expect(try store.pendingOutbox(.low, limit: 10, at: noon).entries.map(\.id) == [ids[2]])
        #expect(store.outboxCount == 1)
    }

    @Test("A topic that differs in its bytes alone is another one: an ü of one code point, and one of two")
    func spellings() throws {
        _ = try commit(state(of: "K\u{FC}hl", "1"), state(of: "Ku\u{308}hl", "2"))
        #expect(try store.unsent() == ["1", "2"])
        _ = try commit(state(of: "K\u{FC}hl", "3"))
        #expect(try store.unsent() == ["2", "3"])
    }

    @Test("Alerts are never superseded")
    func alertsStay() throws {
        _ = try commit(alert("ahead"), alert("detour"), alert("stop"))
        #expect(try store.unsent() == ["ahead", "detour", "stop"])
    }

    @Test("The late delivery of a superseded message does not touch the one that superseded it")
    func lateDelivery() throws {
        let old = try commit(state(of: "T1", "old"))
        _ = try commit(state(of: "T1", "new"))
        _ = try commit(delivered: old)
        #expect(try store.unsent() == ["new"])
        #expect(store.outboxCount == 1)
    }

    @Test("What has expired is removed and counted once, at the very millisecond; the page is filled with what has not")
    func expiry() throws {
        _ = try commit(
            alert("gone", expiresAt: noon.adding(-1)), alert("1"), alert("just gone", expiresAt: noon),
            alert("2", expiresAt: Timestamp(milliseconds: noon.milliseconds + 1)), alert("3"))
        let page = try store.pendingOutbox(.high, limit: 2, at: noon)
        #expect(page.entries.map { String(decoding: $0.message.publication.payload, as: UTF8.self) } == ["1", "2"])
        #expect(page.expired == 2)
        #expect(store.outboxCount == 3)
        #expect(try store.pendingOutbox(.high, limit: 10, at: noon).expired == 0)
        #expect(try place.outsideCount("outbox") == 3)
    }

    @Test("An expired message that is in flight is left alone")
    func expiredInFlight() throws {
        let ids = try commit(alert("1", expiresAt: noon), alert("2", expiresAt: noon))
        let page = try store.pendingOutbox(.high, after: ids[0], limit: 10, at: noon)
        #expect(page.entries.isEmpty)
        #expect(page.expired == 1)
        #expect(try place.outsideCount("outbox") == 1)
    }

    @Test("A full outbox refuses the whole batch, and takes it once messages were delivered or superseded")
    func full() throws {
        try store.close()
        var limits = StoreLimits()
        limits.outboxEntries = 3
        let small = try place.open(limits: limits)
        let ids = try small.commit(StoreBatch(time: noon, outbox: [alert("1"), state(of: "T1", "2"), alert("3")]))
        let more = StoreBatch(time: noon, changed: [try vehicle("A")], outbox: [alert("4")])
        #expect(throws: StoreError.outboxFull(limit: 3)) { try small.commit(more) }
        #expect(try small.vehicles() == [])

        _ = try small.commit(StoreBatch(time: noon, outbox: [state(of: "T1", "2b")]))
        #expect(small.outboxCount == 3)

        var withDelivery = more
        withDelivery.delivered = [ids[0]]
        _ = try small.commit(withDelivery)
        #expect(try small.unsent() == ["3", "4", "2b"])
    }
}
