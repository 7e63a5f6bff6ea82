import Broker
import Fleet
import GatewayTestSupport
import Hashing
import Messages
import MQTT
import Store
import Testing
import Wire

@testable import Gateway

@Suite("A vehicle that reports on other levels of the topic")
struct MovedVehicleTests {
    private static let now = Timestamp(milliseconds: 1_795_266_000_000)
    private let configuration: GatewayConfiguration
    private let engine = Engine(EngineSettings(), network: nil)

    init() throws {
        var configuration = try GatewayConfiguration.north()
        configuration.pattern = try TopicPattern("acme/{region}/{v}")
        self.configuration = configuration
    }

    /// What is to be published after fixes on these levels, in their order.
    private func outbox(_ composer: inout TurnComposer, _ regions: [String], at milliseconds: Int64) -> [Publication] {
        let intake = Intake(configuration)
        var taken = Intake.Batch()
        for (offset, region) in regions.enumerated() {
            let fix = #"{"lat": 42.28, "lon": -83.75, "time": \#(milliseconds + Int64(offset))}"#
            let message = ReceivedMessage(
                topic: "acme/\(region)/T42/location", payload: Array(fix.utf8), qos: .atLeastOnce, retained: false)
            intake.take(message, at: Self.now, &taken)
        }
        let effects = engine.handle([.tick(Self.now)] + taken.inputs)
        return composer.turn(effects, taken, of: engine, at: Self.now).batch.outbox.map(\.publication)
    }

    @Test("Its state stands on the new topic at once, and on the old one no longer")
    func moved() throws {
        var composer = TurnComposer(configuration)
        let first = outbox(&composer, ["north"], at: 1_795_265_995_000)
        #expect(first.map(\.topic) == ["acme/north/T42/state"])
        let second = outbox(&composer, ["south"], at: 1_795_265_997_000)
        let left = ["state", "regions", "tracking", "handling"].map { "acme/north/T42/\($0)" }
        #expect(second.map(\.topic) == ["acme/south/T42/state"] + left)
        #expect(second.map(\.payload.isEmpty) == [false, true, true, true, true] && second.allSatisfy(\.retain))
        #expect(outbox(&composer, ["south"], at: 1_795_265_998_000).isEmpty)
    }

    @Test("A level that differs in its bytes alone, by an ü of one code point or of two, is another one")
    func spellings() throws {
        var composer = TurnComposer(configuration)
        _ = outbox(&composer, ["S\u{FC}d"], at: 1_795_265_995_000)
        let messages = outbox(&composer, ["Su\u{308}d"], at: 1_795_265_997_000)
        let topics = ["acme/Su\u{308}d/T42/state", "acme/S\u{FC}d/T42/state"].map(BytewiseText.init(_:))
        #expect(messages.map(\.$topic).prefix(2) == topics[...])
        #expect(messages.map(\.payload.isEmpty) == [false, true, true, true, true])
    }

    @Test("What stands on its topics of an earlier pattern is taken back once it is heard under the one in use")
    func formerPattern() throws {
        var taken = Intake.Batch()
        let fix = #"{"lat": 42.28, "lon": -83.75, "time": 1795265995000}"#
        let message = ReceivedMessage(
            topic: "fleet/T42/location", payload: Array(fix.utf8), qos: .atLeastOnce, retained: false)
        Intake(try GatewayConfiguration.north()).take(message, at: Self.now, &taken)
        _ = engine.handle([.tick(Self.now)] + taken.inputs)
        var composer = TurnComposer(configuration)
        composer.patterns = TopicPatterns(configuration.pattern, stored: ["fleet/{v}"])
        composer.emptiesFormerTopics = true
        let messages = outbox(&composer, ["north"], at: 1_795_265_997_000)
        #expect(messages.first?.topic == "acme/north/T42/state" && messages.first?.payload.isEmpty == false)
        #expect(
            messages.filter(\.payload.isEmpty).map(\.topic)
                == ["handling", "regions", "state", "tracking"].map { "fleet/T42/\($0)" })
    }

    @Test("Nothing is taken back from where it has come back to within a batch")
    func movedBack() throws {
        var composer = TurnComposer(configuration)
        _ = outbox(&composer, ["north"], at: 1_795_265_995_000)
        let messages = outbox(&composer, ["south", "north"], at: 1_795_265_997_000)
        let lasting = messages.reduce(into: [:]) { $0[$1.topic] = !$1.payload.isEmpty }
        #expect(lasting["acme/north/T42/state"] == true && lasting["acme/south/T42/state"] == false)
    }

    @Test("Who is asked to be forgotten leaves nothing on earlier levels but what was said about consent")
    func forgotten() throws {
        var composer = TurnComposer(configuration)
        _ = outbox(&composer, ["south"], at: 1_795_265_995_000)
        var taken = Intake.Batch()
        taken.inputs = [.forget(ForgetRequest(vehicle: try #require(VehicleID("T42")), id: nil))]
        let effects = engine.handle(taken.inputs)
        let stored = StoredDataSummary(
            unsent: ["acme/north/T42/state": 1, "acme/north/T42/alert": 1],
            inputs: ["consent", "presence", "route"].map { "acme/north/T42/\($0)" } + ["acme/south/T42/profile"])
        let batch = composer.turn(effects, taken, of: engine, storedData: [stored], at: Self.now).batch
        let withdrawals = batch.outbox.map(\.publication).filter { $0.retain && $0.payload.isEmpty }.map(\.topic)
        #expect(
            withdrawals.filter { $0.hasPrefix("acme/north/") }
                == ["presence", "route", "state"].map { "acme/north/T42/\($0)" })
        #expect(withdrawals.count { $0 == "acme/south/T42/profile" } == 1)
        #expect(Set(batch.removedTopics).isSuperset(of: stored.inputs))
    }

    @Test("What comes again after the request to forget stays on the broker, on every level")
    func renewed() throws {
        var composer = TurnComposer(configuration)
        _ = outbox(&composer, ["south"], at: 1_795_265_995_000)
        let topics = ["north", "south"].map { "acme/\($0)/T42/profile" }
        var taken = Intake.Batch()
        taken.inputs = [.forget(ForgetRequest(vehicle: try #require(VehicleID("T42")), id: nil))]
        for topic in topics {
            let message = ReceivedMessage(
                topic: topic, payload: Array(#"{"height": 4}"#.utf8), qos: .atLeastOnce, retained: true)
            Intake(configuration).take(message, at: Self.now, &taken)
        }
        let stored = StoredDataSummary(inputs: topics + ["acme/north/T42/route"])
        let effects = engine.handle(taken.inputs)
        let batch = composer.turn(effects, taken, of: engine, storedData: [stored], at: Self.now).batch
        let withdrawn = batch.outbox.map(\.publication).filter(\.payload.isEmpty).map(\.topic)
        #expect(withdrawn.contains("acme/north/T42/route") && topics.allSatisfy { !withdrawn.contains($0) })
    }
}
