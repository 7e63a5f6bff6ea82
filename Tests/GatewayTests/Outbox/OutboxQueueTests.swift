import Fleet
import Foundation
import Hashing
import Messages
import MQTT
import Store
import Testing

@testable import Gateway

/// What of the outbox goes out next.
struct OutboxQueueTests {
    private let time = Timestamp(milliseconds: 1_795_266_000_000)

    private func entry(_ id: Int64, _ topic: String, retain: Bool = true) -> OutboxEntry {
        let message = OutboxMessage(Publication(topic: topic, payload: Array("\(id)".utf8), retain: retain))
        return OutboxEntry(id: id, message: message, createdAt: time)
    }

    /// Ids, in the order in which they go out.
    private func drain(_ queue: inout OutboxQueue, _ store: [OutboxEntry] = []) -> [Int64] {
        var ids: [Int64] = []
        while let next = queue.next(from: { after, limit in Array(store.filter { $0.id > after }.prefix(limit)) }) {
            ids.append(next.id)
            queue.removeFirst()
        }
        return ids
    }

    private func empty() -> OutboxQueue {
        var queue = OutboxQueue(.low)
        _ = drain(&queue)
        return queue
    }

    @Test("In order; of a retained topic the newest alone, in its own place")
    func retained() {
        var queue = empty()
        queue.add([entry(1, "a"), entry(2, "b"), entry(3, "r", retain: false)])
        queue.add([entry(4, "a"), entry(5, "r", retain: false), entry(6, "c")])
        #expect(drain(&queue) == [2, 3, 4, 5, 6])
    }

    @Test("Topics that differ in their bytes alone are two: an ü of one code point, and one of two")
    func spellings() {
        var queue = empty()
        queue.add([entry(1, "fleet/K\u{FC}hl/state"), entry(2, "fleet/Ku\u{308}hl/state")])
        #expect(drain(&queue) == [1, 2])
        queue.add([entry(3, "fleet/K\u{FC}hl/state"), entry(4, "fleet/Ku\u{308}hl/state")])
        queue.leaveOut(["fleet/K\u{FC}hl/state"])
        #expect(drain(&queue) == [4])
    }

    @Test("One that is under way is followed by the next on its topic")
    func underWay() {
        var queue = empty()
        queue.add([entry(1, "a")])
        #expect(drain(&queue) == [1])
        queue.add([entry(2, "a"), entry(3, "a")])
        #expect(drain(&queue) == [3])
    }

    @Test("What the store has let go of is left out, what comes on its topic later is not")
    func leftOut() {
        var queue = empty()
        queue.add([entry(1, "a"), entry(2, "b"), entry(3, "a", retain: false)])
        queue.leaveOut(["a"])
        queue.add([entry(4, "a")])
        #expect(drain(&queue) == [2, 4])
    }

    @Test("What was taken up goes out again from an entry on, and what was not, once")
    func again() {
        let store = (1...5_000).map { entry(Int64($0), "t\($0)") }
        var queue = OutboxQueue(.low)
        let page = { (after: Int64, limit: Int) in Array(store.filter { $0.id > after }.prefix(limit)) }
        for _ in 1...10 where queue.next(from: page) != nil { queue.removeFirst() }
        queue.readAgain(after: 6)
        #expect(drain(&queue, store) == Array(7...5_000))
        queue.readAgain(after: 5_000)
        #expect(drain(&queue, store).isEmpty)
    }

    @Test("However many there are, each goes out once and in order, and few are in memory")
    func pages() {
        let store = (1...5_000).map { entry(Int64($0), "t\($0)") }
        var queue = OutboxQueue(.low)
        queue.add(Array(store.suffix(10)))
        #expect(drain(&queue, store) == store.map(\.id))
        var full = empty()
        full.add(Array(store.prefix(1_500)))
        full.add(Array(store.dropFirst(1_500).prefix(1_500)))
        full.add(Array(store.dropFirst(3_000)))
        #expect(drain(&full, store) == store.map(\.id))
    }

    @Test("Bulk leaves room for events, and both leave room for alerts, at a broker that takes many or few")
    func room() {
        for inFlightMax in [1, 20, 100, 1_000] {
            let (low, normal) = (OutboxPriority.low, OutboxPriority.normal)
            let rooms = [low, normal].map { OutboxSender.underWayMax($0, inFlightMax: inFlightMax) }
            #expect(rooms[0] >= inFlightMax / 2 && rooms[0] < rooms[1] && rooms[1] < 1_000)
        }
        #expect(OutboxSender.underWayMax(.low, inFlightMax: 20) == 40)
        #expect(OutboxSender.underWayMax(.high, inFlightMax: 20) == .max)
    }
}
