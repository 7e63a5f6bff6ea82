import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import Hashing
import Messages
import MQTT
import Store
import Testing

@testable import Broker
@testable import Gateway

/// Topics are told apart by their bytes, as brokers do: an ä of one code point and one of two are two.
struct TopicSpellingTests {
    private struct State: Decodable {
        struct Fence: Decodable {
            @BytewiseText var id: String
        }

        var fences: [Fence]
    }

    /// In the order of their bytes.
    private static let ids = ["Geba\u{308}ude", "Geb\u{E4}ude"]

    private static func location(_ vehicle: String, at time: Timestamp) -> Script.Message {
        Script.location(vehicle, Fix(position: Drawing.place(0, 0), time: time, accuracy: 5, speed: 0))
    }

    private func stays(_ run: PipelineRun) throws -> [BytewiseText] {
        let state = try #require(run.broker.retained["fleet/T1/state"])
        return try JSONDecoder().decode(State.self, from: Data(state.payload)).fences.map(\.$id)
    }

    @Test("Two retained fences are two, after a restart, too; an empty payload takes back the one of its topic")
    func fences() throws {
        let run = try PipelineRun()
        try run.take(Self.ids.map { Script.fence($0, east: 0, "") }, at: .at(-10))
        let topics = Self.ids.map { BytewiseText("headroom/fences/\($0)") }
        #expect(try run.store.retainedTopics().map(BytewiseText.init(_:)) == topics)
        let results = run.broker.published.filter { $0.topic.hasSuffix("/result") }
        #expect(Set(results.map(\.$topic)) == Set(topics.map { BytewiseText($0.wrappedValue + "/result") }))
        try run.kill()
        try run.take([Self.location("T1", at: .at(0))], at: .at(0))
        for time: Seconds in [30, 40] { try run.take([], at: .at(time)) }
        #expect(try stays(run) == Self.ids.map(BytewiseText.init(_:)))
        try run.take([Script.Message(topic: topics[0].wrappedValue, payload: "", isRetained: true)], at: .at(50))
        #expect(try run.store.retainedTopics().map(BytewiseText.init(_:)) == [topics[1]])
        for time: Seconds in [60, 70] { try run.take([], at: .at(time)) }
        #expect(try stays(run) == [BytewiseText(Self.ids[1])])
    }

    @Test("The states of two vehicles in one turn are two messages")
    func vehicles() throws {
        let run = try PipelineRun()
        try run.take(Self.ids.map { Self.location($0, at: .at(0)) }, at: .at(0))
        let states = run.broker.retained.keys.filter { $0.wrappedValue.hasSuffix("/state") }
        #expect(states.sorted() == Self.ids.map { "fleet/\($0)/state" }.map(BytewiseText.init(_:)))
    }

    @Test("What the broker has lost is given back on each topic, and what comes on one says nothing of the other")
    func lost() throws {
        let topics = Self.ids.map { "headroom/fences/\($0)" }
        var republication = Republication()
        republication.begin(topics)
        var sent: [String] = []
        let count = try republication.send(at: .at(0), kept: { Array($0.utf8) }) { (topic, _) throws(BrokerError) in
            sent.append(topic)
        }
        #expect(count == 2 && sent.map(BytewiseText.init(_:)) == topics.map(BytewiseText.init(_:)))
        let message = ReceivedMessage(
            topic: topics[0], payload: Array(topics[0].utf8), qos: .atLeastOnce, retained: false)
        let isOwn = republication.isOwn(message)
        #expect(isOwn && republication.missing == [BytewiseText(topics[1])] && republication.underWayCount == 1)
    }
}
