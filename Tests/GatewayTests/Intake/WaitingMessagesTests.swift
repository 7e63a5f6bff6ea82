import Broker
import Messages
import MQTT
import Testing

@testable import Gateway

/// What has come and is not decided yet.
struct WaitingMessagesTests {
    private func message(_ topic: String, _ text: String, _ qos: QoS = .atMostOnce) -> ReceivedMessage {
        ReceivedMessage(topic: topic, payload: Array(text.utf8), qos: qos, retained: false)
    }

    private func kind(_ message: ReceivedMessage) -> WaitingMessages.Kind {
        message.topic.hasSuffix("/location") ? .fix : message.topic == "probe" ? .probe : .other
    }

    private func texts(_ waiting: WaitingMessages) -> [String] {
        var waiting = waiting
        var texts: [String] = []
        while !waiting.isEmpty { texts.append(String(decoding: waiting.removeFirst().payload, as: UTF8.self)) }
        return texts
    }

    @Test("All are taken in the order in which they came, as long as none is displaced")
    func order() {
        var waiting = WaitingMessages()
        waiting.add([message("a/location", "1"), message("a/location", "2")])
        waiting.add([message("a/profile", "3")])
        #expect(waiting.amount.count == 3)
        #expect(texts(waiting) == ["1", "2", "3"])
    }

    @Test("A fix displaces the oldest of its vehicle, and is judged in its place; one that came before that began, too")
    func displaces() {
        var waiting = WaitingMessages()
        waiting.add([message("a/location", "a1"), message("b/location", "b1")])
        waiting.add(
            [message("a/location", "a2"), message("c/location", "c1"), message("a/location", "a3")],
            displacing: kind)
        #expect(texts(waiting) == ["a3", "b1", "c1"])
        #expect(waiting.takeDisplacedTopics() == ["a/location", "a/location"])
        #expect(waiting.takeDisplacedTopics().isEmpty)
    }

    @Test("A fix displaces none of a vehicle whose id differs in its bytes alone")
    func spellings() {
        var waiting = WaitingMessages()
        waiting.add(
            [message("K\u{FC}hl/location", "1"), message("Ku\u{308}hl/location", "2")], displacing: kind)
        #expect(waiting.contains("K\u{FC}hl/location", Array("1".utf8)))
        #expect(!waiting.contains("Ku\u{308}hl/location", Array("1".utf8)))
        #expect(texts(waiting) == ["1", "2"])
    }

    @Test("Nothing else is displaced, and no fix comes before what may decide how it is judged")
    func others() {
        var waiting = WaitingMessages()
        waiting.add(
            [
                message("a/profile", "p1"), message("a/location", "a1"), message("a/profile", "p2"),
                message("a/location", "a2"), message("probe", "x"), message("a/location", "a3"),
            ], displacing: kind)
        #expect(texts(waiting) == ["p1", "a1", "p2", "a3", "x"])
    }

    @Test("A fix that has been taken is displaced by none, and those that follow wait anew")
    func taken() {
        var waiting = WaitingMessages()
        waiting.add([message("a/location", "a1"), message("b/location", "b1")], displacing: kind)
        #expect(waiting.removeFirst().payload == Array("a1".utf8))
        waiting.add([message("a/location", "a2"), message("b/location", "b2")], displacing: kind)
        #expect(texts(waiting) == ["b2", "a2"])
        #expect(waiting.takeDisplacedTopics().count == 1)
    }

    @Test("Acknowledgements are held back as long as a message waits whose own would leave with them")
    func acknowledgements() {
        var waiting = WaitingMessages()
        waiting.add([message("a/location", "a1", .atLeastOnce), message("b/location", "b1")], displacing: kind)
        #expect(waiting.amount.holdsAcknowledgements)
        waiting.add([message("a/location", "a2")], displacing: kind)
        #expect(!waiting.amount.holdsAcknowledgements)
        waiting.add([message("c/location", "c1", .atLeastOnce)])
        while !waiting.isEmpty { waiting.removeFirst() }
        #expect(waiting.isEmpty && !waiting.amount.holdsAcknowledgements)
    }

    @Test("The gateway's own messages hold back none")
    func probes() {
        var waiting = WaitingMessages(probeTopic: "probe")
        waiting.add([message("probe", "x", .atLeastOnce)])
        #expect(waiting.amount.count == 1 && !waiting.amount.holdsAcknowledgements)
    }

    @Test("As many bytes wait as topics and payloads have, without what was taken or displaced")
    func bytes() {
        var waiting = WaitingMessages()
        waiting.add([message("a/location", "1234"), message("b/location", "1")], displacing: kind)
        #expect(waiting.amount.bytes == 10 + 4 + 10 + 1)
        waiting.add([message("a/location", "12")], displacing: kind)
        #expect(waiting.amount.bytes == 10 + 2 + 10 + 1)
        waiting.removeFirst()
        #expect(waiting.amount.bytes == 10 + 1)
        waiting.removeFirst()
        #expect(waiting.amount.bytes == 0 && !waiting.amount.isFull)
    }

    @Test("Positions hold on, however many have been taken before")
    func positions() {
        var waiting = WaitingMessages()
        var expected = 0
        for number in 0..<40_000 {
            let arrived = [message("v\(number)/location", "\(number)")]
            if number % 2 == 0 { waiting.add(arrived, displacing: kind) } else { waiting.add(arrived) }
            guard number > 10 else { continue }
            #expect(waiting.removeFirst().payload == Array("\(expected)".utf8))
            expected += 1
        }
        #expect(waiting.amount.count == 11)
        waiting.add([message("v39999/location", "newest")], displacing: kind)
        #expect(texts(waiting).last == "newest")
        #expect(waiting.amount.count == 11)
    }
}
