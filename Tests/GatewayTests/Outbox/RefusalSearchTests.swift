import Fleet
import Messages
import MQTT
import Store
import Testing

@testable import Gateway

/// Which message a broker refuses that only ends the connection.
struct RefusalSearchTests {
    private typealias Sent = RefusalSearch.Sent

    private func sent(_ entry: Int64, _ topic: String, bytes: Int = 100, _ priority: OutboxPriority = .low) -> Sent {
        let payload = [UInt8](repeating: 65, count: bytes - topic.utf8.count)
        let publication = Publication(topic: topic, payload: payload, retain: priority == .low)
        return Sent(
            OutboxEntry(
                id: entry, message: OutboxMessage(publication, priority, expiresAt: nil),
                createdAt: Timestamp(milliseconds: 0)))
    }

    /// It is alone under way whenever the connection ends, until it is refused.
    private func refuse(_ message: Sent, by search: inout RefusalSearch) -> Int {
        var ends = 0
        while search.reasonToRefuse(message) == nil, ends < 10 {
            search.gaveUp([message])
            ends += 1
        }
        search.refused(message)
        return ends
    }

    @Test("A retained message that a newer one replaces before its turn is looked for by its topic")
    func superseded() {
        var search = RefusalSearch()
        search.gaveUp([sent(5, "T1/state"), sent(6, "T2/state")])
        search.acknowledged(sent(6, "T2/state"))
        // The newer one, which is behind all that was under way.
        var isOver = search.isOver(before: [nil, nil, 50])
        #expect(!isOver)
        let ends = refuse(sent(50, "T1/state"), by: &search)
        #expect(ends == RefusalSearch.endsMax)
        isOver = search.isOver(before: [nil, nil, 51])
        #expect(isOver && !search.isUnderWay)
    }

    @Test("A message on a topic that differs in its bytes alone is another one")
    func spellings() {
        var search = RefusalSearch()
        search.gaveUp([sent(5, "K\u{FC}hl/state"), sent(6, "Ku\u{308}hl/state")])
        search.acknowledged(sent(6, "Ku\u{308}hl/state"))
        let isOver = search.isOver(before: [nil, nil, 50])
        #expect(!isOver && search.isUnderWay)
    }

    @Test("Where nothing waits any more there is nothing to look for")
    func nothingLeft() {
        var search = RefusalSearch()
        search.gaveUp([sent(5, "T1/state"), sent(6, "T2/state")])
        let isOver = search.isOver(before: [nil, nil, nil])
        #expect(isOver)
    }

    @Test("Of the length of three that were refused a state is not tried; an alert is, and one that is taken ends that")
    func length() {
        var search = RefusalSearch()
        search.gaveUp([sent(1, "T1/state", bytes: 900), sent(2, "T2/state", bytes: 900)])
        let ends = (1...3).map { refuse(sent($0, "T\($0)/state", bytes: 900 + Int($0)), by: &search) }
        #expect(ends == [RefusalSearch.endsMax, 1, 1])
        let (state, alert) = (sent(4, "T4/state", bytes: 950), sent(5, "T5/alert", bytes: 950, .high))
        #expect(search.reasonToRefuse(state) != nil && search.reasonToRefuse(alert) == nil)
        search.acknowledged(alert)
        #expect(search.reasonToRefuse(state) == nil)
    }
}
