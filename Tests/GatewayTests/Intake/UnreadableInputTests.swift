import Broker
import Clearances
import Fleet
import GatewayTestSupport
import Geo
import Hashing
import Messages
import MQTT
import Roads
import Store
import Testing
import Wire

@testable import Gateway

/// What cannot be understood leaves what is kept and what is in force as they were, or takes the safe value.
struct UnreadableInputTests {
    private static let now = Timestamp(milliseconds: 1_795_266_000_000)
    private let configuration: GatewayConfiguration
    private let engine: Engine

    init() throws {
        configuration = try .north()
        engine = Engine(configuration.engine, network: nil)
    }

    private func take(_ messages: [(topic: String, payload: String)], _ engine: Engine) -> (Intake.Batch, StoreBatch) {
        let intake = Intake(configuration)
        var taken = Intake.Batch()
        for (topic, payload) in messages {
            let message = ReceivedMessage(
                topic: topic, payload: Array(payload.utf8), qos: .atLeastOnce, retained: true)
            intake.take(message, at: Self.now, &taken)
        }
        let effects = engine.handle([.tick(Self.now)] + taken.inputs)
        var composer = TurnComposer(configuration)
        return (taken, composer.turn(effects, taken, of: engine, at: Self.now).batch)
    }

    private func clearance(_ value: String) -> String {
        """
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.75, 42.28]},
         "properties": {"clearance": \(value)}}
        """
    }

    private func results(_ batch: StoreBatch, _ topic: String) -> [String] {
        batch.outbox.filter { $0.publication.topic == topic + "/result" }
            .map { String(decoding: $0.publication.payload, as: UTF8.self) }
    }

    @Test("A clearance whose end has passed is refused, with that end, and what is in force stays")
    func ended() throws {
        let topic = "headroom/clearances/osm:way:1003"
        let ended = clearance("\"3.5\", \"valid_until\": \"2026-11-01T06:00:00Z\"")
        let (taken, batch) = take([(topic, clearance("3.2")), (topic, ended)], engine)
        #expect(taken.rejections.map(\.reason) == [.unreadableClearance])
        #expect(batch.retained.count == 1)
        let expected = "properties.valid_until: expected a time that is still to come, got 2026-11-01T06:00:00"
        #expect(results(batch, topic).contains { $0.contains(expected) }, "\(results(batch, topic))")
    }

    @Test(
        "A clearance that cannot be read leaves the former one in force and in the store, and is answered",
        arguments: [#""10'6'""#, #""abc""#, #""~3.2""#, "320", "true", "null", "0"])
    func clearances(bad: String) throws {
        let topic = "headroom/clearances/osm:way:1003"
        let (taken, batch) = take([(topic, clearance("3.2")), (topic, clearance(bad))], engine)
        #expect(taken.rejections.map(\.reason) == [.unreadableClearance])
        #expect(
            batch.retained.mapValues { $0.map { String(decoding: $0, as: UTF8.self) } } == [
                BytewiseText(topic): clearance("3.2")
            ])
        let answers = results(batch, topic)
        #expect(answers.count == 2 && answers.contains { $0.contains("expected 1-10 m") })
        // Restored, and sent the bad one again by the broker.
        let later = Engine(configuration.engine, network: nil)
        let intake = Intake(configuration)
        for case let (topic, payload?) in batch.retained {
            for input in intake.restore(topic.wrappedValue, payload) { later.restore(input) }
        }
        #expect(take([(topic, clearance(bad))], later).1.retained.isEmpty)
        let raising = ClearanceChange(
            id: "osm:way:1003",
            clearance: PointClearance(
                id: "osm:way:1003", position: Coordinate(latitude: 42.28, longitude: -83.75), posted: "3.3"))
        let effects = later.handle([.clearances([raising], at: Self.now)])
        guard case .monitoring(_, let was) = effects.registrations.first?.outcome else {
            Issue.record("it is not in force")
            return
        }
        #expect(was == 320)
    }

    @Test(
        "Every shard knows that an entry of dispatch was refused, for whoever waits for it there; one counts and publishes it",
        arguments: [0, 1])
    func shards(index: Int) throws {
        let part = configuration.part(ShardPlace(index, of: 2))
        var taken = Intake.Batch()
        let message = ReceivedMessage(
            topic: "headroom/clearances/a", payload: Array(clearance(#""abc""#).utf8), qos: .atLeastOnce,
            retained: true)
        Intake(part).take(message, at: Self.now, &taken)
        guard case .failed = taken.registrations.first?.outcome else {
            Issue.record("it is not refused: \(taken.registrations)")
            return
        }
        #expect(taken.rejections.count == (index == 0 ? 1 : 0))
        var composer = TurnComposer(part)
        let batch = composer.turn(Effects(), taken, of: engine, at: Self.now).batch
        #expect(results(batch, "headroom/clearances/a").count == (index == 0 ? 1 : 0))
    }

    @Test("What an earlier version kept of an entry that cannot be read is not taken up")
    func restored() {
        let intake = Intake(configuration)
        #expect(intake.restore("headroom/clearances/osm:way:1", Array(clearance(#""abc""#).utf8)).isEmpty)
    }

    @Test(
        "A fence whose hours, times or lengths cannot be read leaves the former one in force and in the store",
        arguments: [
            #""hours": "Mo-Fr""#, #""hours": {"zone": "Mars/Base", "week": "Mo-Fr 06:00-18:00"}"#,
            #""hours": {"zone": "UTC", "week": "Mo-Fr 6am"}"#, #""hours": {"zone": "UTC", "week": ""}"#,
            #""valid_until": "soon""#, #""valid_until": """#, #""valid_until": true"#, #""valid_from": "2026-13-01""#,
            #""dwell": "long""#, #""hysteresis": "-1 m""#, #""vehicles": "T42""#, #""groups": [1]"#,
        ])
    func fences(bad: String) {
        func fence(_ more: String) -> String {
            """
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.75, 42.28]},
             "properties": {"radius": 200\(more)}}
            """
        }
        let topic = "headroom/fences/depot"
        let (taken, batch) = take([(topic, fence("")), (topic, fence(", " + bad))], engine)
        #expect(taken.rejections.map(\.reason) == [.unreadableFence])
        #expect(
            batch.retained.mapValues { $0.map { String(decoding: $0, as: UTF8.self) } } == [
                BytewiseText(topic): fence("")
            ])
        #expect(results(batch, topic).contains { $0.contains("failed") })
    }

    @Test("A route that cannot be read leaves the former one in force and in the store")
    func routes() {
        let route = #"{"waypoints": [[-83.7545, 42.2807]]}"#
        let (taken, batch) = take([("fleet/T42/route", route), ("fleet/T42/route", #"{"waypoints": []}"#)], engine)
        #expect(taken.rejections.map(\.reason) == [.unreadableRoute])
        #expect(batch.retained == ["fleet/T42/route": Array(route.utf8)])
        #expect(taken.inputs.count == 1)
    }

    @Test("A consent that cannot be read keeps nothing of the vehicle, and nothing that is stored names it")
    func consent() throws {
        let fix = #"{"lat": 42.28, "lon": -83.75, "time": 1795266000}"#
        let (taken, batch) = take(
            [
                ("fleet/T42/route", #"{"waypoints": [[-83.7545, 42.2807]]}"#), ("fleet/T42/location", fix),
                ("fleet/T42/consent", #"{"status": "revoked"}"#), ("fleet/T42/location", fix),
            ], engine)
        #expect(taken.rejections.map(\.reason) == [.outOfRange])
        #expect(batch.changed.isEmpty && batch.retained.isEmpty && batch.history.isEmpty && batch.positions.isEmpty)
        #expect(batch.outbox.allSatisfy { $0.publication.payload.isEmpty }, "only what was retained is taken back")
        #expect(batch.consentRecords.map(\.status) == [.denied])
        #expect(!engine.mayBeKept(try #require(VehicleID("T42"))))
    }
}
