import Broker
import Fleet
import GatewayTestSupport
import Geo
import Hashing
import Messages
import MQTT
import Store
import Testing
import Wire

@testable import Gateway

/// A request to forget a vehicle, from the broker's message to what is to be stored and sent.
struct ForgettingTests {
    private static let now = Timestamp(milliseconds: 1_795_266_000_000)
    private let configuration: GatewayConfiguration
    private let engine: Engine

    init() throws {
        var settings = EngineSettings()
        settings.keepsPositions = true
        configuration = try .north(engine: settings, keepPositions: 3600)
        engine = Engine(settings, network: nil)
    }

    private func message(_ topic: String, _ payload: String, retained: Bool = false) -> ReceivedMessage {
        ReceivedMessage(topic: topic, payload: Array(payload.utf8), qos: .atLeastOnce, retained: retained)
    }

    private let fix = #"{"lat": 42.28, "lon": -83.75}"#
    private let route = #"{"waypoints": [[-83.7545, 42.2807]]}"#

    private func batch(_ messages: [ReceivedMessage]) -> StoreBatch {
        turn(messages, TurnComposer(configuration)).batch
    }

    private func turn(
        _ messages: [ReceivedMessage], _ composer: TurnComposer, requests: [HandlingRequest] = []
    ) -> Turn {
        let intake = Intake(configuration)
        var taken = Intake.Batch()
        for message in messages { intake.take(message, at: Self.now, &taken) }
        let effects = engine.handle([.tick(Self.now)] + taken.inputs)
        let storedData = effects.erasures.map { _ in
            StoredDataSummary(
                state: nil, history: 3, positions: 0, unsent: ["acme/T42/alert": 2], inputs: ["acme/T42/route"])
        }
        var composer = composer
        return composer.turn(
            effects, taken, of: engine, storedData: storedData, requests: requests, at: Self.now)
    }

    @Test(
        "A dispatcher who takes an alert of a vehicle while it is forgotten leaves nothing behind; what was taken is taken back",
        arguments: ["headroom/forget/T42", "fleet/T42/consent"])
    func dispatch(topic: String) throws {
        var composer = TurnComposer(configuration)
        var alert = UntakenAlert(.example(at: Self.now))
        alert.vehicle = try #require(VehicleID("T42"))
        composer.untaken = UntakenAlerts([alert])
        _ = composer.handlings.take(.taking("open", by: "Desk 1"), isOpen: true, isUntaken: false, at: Self.now)
        let turn = turn(
            [message("fleet/T42/location", fix), message(topic, #"{"status": "denied"}"#)], composer,
            requests: [.taking(alert.id, by: "Desk 1")])
        #expect(turn.dispatch.outcomes == [.unknown] && turn.dispatch.handlings.all.isEmpty)
        #expect(turn.batch.history.isEmpty)
        let withdrawals = turn.batch.outbox.filter { $0.publication.topic == "fleet/T42/handling" }
        #expect(withdrawals.map(\.publication.payload) == [[]])
    }

    private func text(_ message: OutboxMessage?) -> String? {
        message.map { String(decoding: $0.publication.payload, as: UTF8.self) }
    }

    @Test("The vehicle leaves the store and the broker, and the answer comes last, saying what there was")
    func forgotten() throws {
        let batch = batch([
            message("fleet/T42/route", route, retained: true), message("fleet/T42/location", fix),
            message("headroom/forget/T42", #"{"request": "a1"}"#),
        ])
        #expect(batch.removed.map(\.text) == ["T42"])
        #expect(batch.changed.isEmpty && batch.retained.isEmpty && batch.positions.isEmpty && batch.history.isEmpty)
        #expect(
            Set(batch.removedTopics).isSuperset(of: [
                "fleet/T42/state", "fleet/T42/route", "fleet/T42/alert", "acme/T42/alert", "acme/T42/route",
            ]))
        let topicSuffixes = ["state", "regions", "tracking", "handling", "profile", "route", "presence"]
        #expect(
            batch.outbox.map(\.publication.topic) == topicSuffixes.map { "fleet/T42/\($0)" } + [
                "headroom/forget/T42/result"
            ])
        #expect(batch.outbox.dropLast().allSatisfy { $0.publication.retain && $0.publication.payload.isEmpty })
        #expect(
            text(batch.outbox.last)
                == #"{"status":"forgotten","removed":{"state":false,"history":3,"positions":0,"unsent":2,"inputs":1,"untaken":0,"phones":0},"request":"a1"}"#
        )
    }

    @Test(
        "What a vehicle says after it was forgotten, or after its consent is back, is taken back by nothing",
        arguments: [
            [("headroom/forget/T42", "{}")],
            [("fleet/T42/consent", #"{"status": "denied"}"#), ("fleet/T42/consent", #"{"status": "always"}"#)],
        ])
    func back(between: [(String, String)]) throws {
        let batch = batch(
            [message("fleet/T42/location", fix)] + between.map { message($0.0, $0.1) } + [
                message("fleet/T42/location", fix), message("fleet/T42/route", route, retained: true),
            ])
        #expect(batch.removed.map(\.text) == ["T42"] && batch.changed.map(\.address.vehicle.text) == ["T42"])
        #expect(batch.positions.count == 1)
        #expect(batch.retained["fleet/T42/route"] != nil && batch.retained["fleet/T42/profile"] == nil)
        let states = batch.outbox.filter { $0.publication.topic == "fleet/T42/state" }
        #expect(states.first?.publication.payload.isEmpty == true && states.last?.publication.payload.isEmpty == false)
    }

    @Test("Profile, route, presence and consent are kept as they came, and go when their topic is emptied")
    func kept() throws {
        let payloads: [BytewiseText: String] = [
            "fleet/T42/consent": #"{ "status": "always" }"#, "fleet/T42/profile": #"{"height":  4.0}"#,
            "fleet/T42/route": route, "fleet/T42/presence": "online",
        ]
        let stored = batch(payloads.keys.sorted().map { message($0.wrappedValue, payloads[$0]!) }).retained
        #expect(stored.mapValues { $0.map { String(decoding: $0, as: UTF8.self) } } == payloads)
        let emptied = batch(payloads.keys.sorted().map { message($0.wrappedValue, "") }).retained
        #expect(emptied == payloads.mapValues { _ in nil })
    }

    @Test(
        "A payload that cannot be read takes the place of none", arguments: ["profile", "route", "consent", "presence"])
    func unreadable(topicSuffix: String) throws {
        #expect(batch([message("fleet/T42/\(topicSuffix)", "{")]).retained.isEmpty)
    }

    @Test("Of a vehicle that denies nothing is kept as it came, whatever it says")
    func denied() throws {
        let batch = batch([
            message("fleet/T42/profile", #"{"height": 4.0}"#), message("fleet/T42/consent", #"{"status": "denied"}"#),
            message("fleet/T42/route", route), message("fleet/T42/presence", "online"),
        ])
        #expect(batch.retained.isEmpty)
        #expect(
            Set(batch.removedTopics).isSuperset(
                of: ["profile", "consent", "route", "presence"].map { "fleet/T42/\($0)" }))
        #expect(batch.consentRecords.map(\.status) == [.denied])
    }

    @Test(
        "A request that is retained, or is none, is answered by its reason; an emptied topic is no request",
        arguments: [
            ("{}", true, "T42", "retained-request"), ("no JSON", false, "T42", "malformed-json"),
            ("{}", false, String(repeating: "a", count: 65), "invalid-vehicle-id"), ("", false, "T42", nil),
        ] as [(String, Bool, String, String?)])
    func refused(payload: String, retained: Bool, vehicle: String, reason: String?) throws {
        let batch = batch([message("headroom/forget/\(vehicle)", payload, retained: retained)])
        #expect(batch.removed.isEmpty)
        #expect(
            batch.outbox.map { text($0) }
                == (reason.map { [#"{"status":"failed","reason":"\#($0)","request":null}"#] } ?? []))
    }

    @Test("Positions are purged with every batch where they are kept")
    func purge() throws {
        #expect(batch([]).positionsBefore == Self.now.adding(-3600))
        #expect(batch([message("fleet/T42/location", fix)]).positions.count == 1)
    }
}
