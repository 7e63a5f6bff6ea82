import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import Hashing
import Logging
import Messages
import MQTT
import Store
import Testing
import Wire

@testable import Gateway

@Suite("Topics that are changed between two runs")
struct FormerTopicsTests {
    private static func report(_ vehicle: String, at time: Seconds = 0) -> Script.Message {
        Script.location(vehicle, Fix(position: Drawing.place(0, 0), time: .at(time), accuracy: 5, speed: 0))
    }

    private static func retained(_ vehicle: String, _ topicSuffix: String, _ payload: String) -> Script.Message {
        Script.Message(topic: "fleet/\(vehicle)/\(topicSuffix)", payload: payload, isRetained: true)
    }

    /// The topics below `prefix` on which the broker has something retained.
    private static func retained(_ run: PipelineRun, _ prefix: String) -> [String] {
        run.broker.retained.keys.map(\.wrappedValue).filter { $0.hasPrefix(prefix) }.sorted()
    }

    private static func topics(_ prefix: String, _ vehicles: String..., of topicSuffixes: [String]) -> [String] {
        vehicles.flatMap { vehicle in topicSuffixes.map { "\(prefix)/\(vehicle)/\($0)" } }
    }

    @Test(
        "What the gateway has retained about vehicles is emptied there, and published on the topics in use",
        arguments: [1, 3])
    func outputs(shards: Int) throws {
        let run = try PipelineRun(shards: shards)
        try run.take([Script.fence("yard", east: 0, "")], at: .at(-10))
        try run.take(["T1", "T2", "T3"].map { Self.report($0) }, at: .at(0))
        // Nothing falls due any more.
        try run.take([], at: .at(4_000))
        let topicSuffixes = ["regions", "state"]
        #expect(Self.retained(run, "fleet/") == Self.topics("fleet", "T1", "T2", "T3", of: topicSuffixes))
        try run.kill { $0.pattern = try TopicPattern("trucks/{v}") }
        try run.take([], at: .at(4_010))
        #expect(Self.retained(run, "fleet/").isEmpty)
        #expect(Self.retained(run, "trucks/") == Self.topics("trucks", "T1", "T2", "T3", of: topicSuffixes))

        run.connection.lose()
        run.broker.restore(nil)
        // Somebody else has the topics by now.
        run.broker.publish("fleet/T1/state", "{}", retain: true)
        for time: Seconds in [4_030, 4_040] { try run.take([], at: .at(time)) }
        #expect(Self.retained(run, "fleet/") == ["fleet/T1/state"])
        #expect(Self.retained(run, "trucks/").count == 6)
    }

    @Test("The same where the new topics name a level that no vehicle has been heard on yet")
    func levels() throws {
        let run = try PipelineRun()
        try run.take([], at: .at(-10))
        try run.take([Self.report("T1")], at: .at(0))
        #expect(Self.retained(run, "fleet/") == ["fleet/T1/state"])
        try run.kill { $0.pattern = try TopicPattern("acme/{region}/{v}") }
        try run.take([], at: .at(10))
        #expect(Self.retained(run, "fleet/").isEmpty && Self.retained(run, "acme/").isEmpty)
        var report = Self.report("T1", at: 20)
        report.topic = "acme/north/T1/location"
        try run.take([report], at: .at(20))
        #expect(Self.retained(run, "acme/") == ["acme/north/T1/state"])
    }

    @Test(
        "Of a large fleet some follow others, and none is left out after a crash in between",
        arguments: [nil, 0, 1, 2] as [Int?])
    func paced(crash: Int?) throws {
        let run = try PipelineRun()
        try run.take([], at: .at(-10))
        try run.take((0..<300).map { Self.report("T\($0)") }, at: .at(0))
        #expect(Self.retained(run, "fleet/").count == 300)
        try run.kill { $0.pattern = try TopicPattern("trucks/{v}") }
        for pass in 0..<200 {
            if pass == crash { try run.kill() }
            try run.go([], at: .at(100 + Seconds(pass)), passes: 1)
        }
        #expect(Self.retained(run, "fleet/").isEmpty)
        #expect(Self.retained(run, "trucks/").count == 300)
    }

    @Test("Once a start says what is kept and not in force any more; that is not published again where it was")
    func inputs() throws {
        let lines = LogLines()
        let run = try PipelineRun(logger: lines.logger(.warning))
        let profile = Self.retained("T1", "profile", #"{"height": 4.0}"#)
        try run.take([Script.fence("yard", east: 0, ""), Script.fence("gate", east: 50, "")], at: .at(-10))
        try run.take([profile, Self.report("T1")], at: .at(0))
        for _ in 1...2 { try run.kill { $0.topics = try GatewayTopics(prefix: "tenant", clientID: "north") } }
        let warnings = lines.all.filter { $0.hasPrefix("2 retained inputs are kept of topics") }
        let warning = try #require(warnings.first)
        #expect(warnings.count == 1 && warning.contains("(2 of fences)") && warning.contains("tenant/fences/{id}"))
        try run.take([], at: .at(10))
        #expect(!lines.all.contains { $0.contains("earlier state") }, "\(lines.all)")

        run.connection.lose()
        run.broker.restore(nil)
        for time: Seconds in [30, 40] { try run.take([], at: .at(time)) }
        #expect(Self.retained(run, "headroom/fences/").isEmpty)
        #expect(Self.retained(run, "fleet/T1/profile") == ["fleet/T1/profile"])
        #expect(lines.all.contains { $0.contains("The broker has lost 1 retained messages (1 of profile)") })
    }

    @Test("Settings that are not those of the last start are known before the next one")
    func configured() throws {
        let run = try PipelineRun()
        let reader = try StoreReader(path: run.storePath)
        var configuration = try GatewayConfiguration.north()
        #expect(try configuration.formerTopics(in: reader) == FormerTopics())
        configuration.pattern = try TopicPattern("trucks/{v}")
        configuration.topics = try GatewayTopics(prefix: "tenant", clientID: "north")
        #expect(try configuration.formerTopics(in: reader) == FormerTopics(pattern: "fleet/{v}", prefix: "headroom"))
        try run.kill { ($0.pattern, $0.topics) = (configuration.pattern, configuration.topics) }
        #expect(try configuration.formerTopics(in: reader) == FormerTopics())
        let former = try GatewayConfiguration.north().formerTopics(in: reader)
        #expect(former == FormerTopics(pattern: "trucks/{v}", prefix: "tenant"))
    }

    @Test("What is kept on the former topics is in force again where they are in use again")
    func back() throws {
        let run = try PipelineRun()
        try run.take([Script.fence("yard", east: 0, "")], at: .at(-10))
        for prefix in ["tenant", "headroom"] {
            try run.kill { $0.topics = try GatewayTopics(prefix: prefix, clientID: "north") }
        }
        try run.take([], at: .at(-5))
        try run.take([Self.report("T1")], at: .at(0))
        for time: Seconds in [30, 40] { try run.take([], at: .at(time)) }
        let state = try #require(run.broker.retained["fleet/T1/state"])
        #expect(String(decoding: state.payload, as: UTF8.self).contains(#""yard""#))
    }

    @Test("A vehicle that is to be forgotten leaves nothing on the former topics but what was said about consent")
    func forgotten() throws {
        let run = try PipelineRun()
        try run.take([], at: .at(-10))
        let inputs = [
            Self.retained("T1", "profile", #"{"height": 4.0}"#), Self.retained("T1", "presence", "online"),
            Self.retained("T1", "consent", #"{"status": "always"}"#),
        ]
        try run.take(inputs, at: .at(-5))
        try run.take([Self.report("T1")], at: .at(0))
        try run.kill { $0.pattern = try TopicPattern("acme/{region}/{v}") }
        try run.take([], at: .at(10))
        #expect(Self.retained(run, "fleet/") == Self.topics("fleet", "T1", of: ["consent", "presence", "profile"]))
        try run.take([Script.Message(topic: "headroom/forget/T1", payload: "{}")], at: .at(20))
        #expect(Self.retained(run, "fleet/") == ["fleet/T1/consent"])
        #expect(try run.store.retainedTopics().isEmpty)
    }
}
