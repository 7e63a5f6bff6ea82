import Broker
import Fleet
import FleetTestSupport
import GatewayTestSupport
import Geo
import Logging
import Messages
import MQTT
import Store
import Testing
import Wire

@testable import Gateway

/// A driver consents of whose vehicle nothing was stored before: the broker is asked for what is retained about it, and its
/// fixes wait for the answer.
struct ConsentedVehicleTests {
    // MARK: What is asked

    private static let start = Timestamp(milliseconds: 1_795_266_000_000)
    private static let location = "fleet/T42/location"
    private static let topics = ["profile", "route", "presence"].map { "fleet/T42/\($0)" }

    private func retained(_ place: ShardPlace? = nil) throws -> RetainedInputs {
        var configuration = try GatewayConfiguration.north()
        if let place { configuration = configuration.part(place) }
        return RetainedInputs(configuration, logger: Logger(label: "consented") { _ in SwiftLogNoOpLogHandler() })
    }

    /// After a start with a session that goes on.
    private func resumed(
        _ delivery: RetainedDelivery = .wildcards, holding held: HeldReports = HeldReports()
    ) throws -> RetainedInputs {
        var retained = try retained()
        retained.waiting.restore(delivery, vehicles: held.vehicles, held: held)
        retained.sessionIsResumed()
        retained.probed(delivery, vehicles: held.addresses)
        return retained
    }

    private func address(_ text: String) throws -> VehicleAddress {
        VehicleAddress(vehicle: try #require(VehicleID(text)))
    }

    /// What a fix leads to; its vehicle is known.
    private func takeFix(_ retained: inout RetainedInputs) throws -> Intake.Batch {
        var batch = Intake.Batch()
        let message = ReceivedMessage(
            topic: Self.location, payload: Array(#"{"lat": 42.28, "lon": -83.75}"#.utf8), qos: .atLeastOnce,
            retained: false)
        Intake(try .north()).take(message, at: Self.start, &batch)
        retained.waiting.hold(&batch, from: 0, isRetained: false) { _ in true }
        return batch
    }

    private func released(_ retained: inout RetainedInputs) -> Int {
        var count = 0
        while let inputs = retained.waiting.releaseNext() { count += inputs.count }
        return count
    }

    @Test(
        "Whatever the broker sends by itself, it is asked for the vehicle's own topics but consent, and fixes wait",
        arguments: [.wildcards, .exactTopics] as [RetainedDelivery])
    func asked(delivery: RetainedDelivery) throws {
        var retained = try resumed(delivery)
        #expect(retained.nextQuestion().isEmpty)
        retained.waiting.consented(try address("T42"), at: Self.start)
        #expect(try takeFix(&retained).inputs.isEmpty)
        #expect(retained.nextQuestion() == Self.topics)
        #expect(released(&retained) == 0)
        retained.answered()
        #expect(released(&retained) == 1)
        #expect(try takeFix(&retained).inputs.count == 1)
        #expect(retained.nextQuestion().isEmpty)
    }

    @Test("What a lost connection interrupts is asked again, and fixes wait on; a new session brings it by itself")
    func interrupted() throws {
        var retained = try resumed()
        retained.waiting.consented(try address("T42"), at: Self.start)
        #expect(retained.nextQuestion() == Self.topics)
        #expect(try takeFix(&retained).inputs.isEmpty)
        retained.sessionIsResumed()
        retained.probed(.wildcards, vehicles: [try address("T42")])
        #expect(released(&retained) == 0)
        #expect(retained.nextQuestion() == Self.topics)
        retained.sessionIsNew(kept: [])
        retained.waiting.consented(try address("T43"), at: Self.start)
        #expect(retained.nextQuestion().isEmpty)
        retained.probed(.wildcards, vehicles: [try address("T42"), try address("T43")])
        #expect(released(&retained) == 1)
        #expect(retained.nextQuestion().isEmpty)
    }

    @Test("What was not answered before a kill is asked again after it")
    func killed() throws {
        var before = try resumed()
        before.waiting.consented(try address("T42"), at: Self.start)
        let waiting = before.waiting.takeHeld { _ in true }
        let record = JournalRecord([], Effects(), released: waiting.released, held: waiting.held) { _ in false }
        var after = try resumed(holding: HeldReports([record]) { _ in true })
        #expect(try takeFix(&after).inputs.isEmpty)
        #expect(after.nextQuestion() == Self.topics)
        after.answered()
        #expect(released(&after) == 1)
    }

    @Test("Where no answer comes within ten seconds, fixes are judged by what is known; the question stays")
    func unanswered() throws {
        var retained = try resumed()
        retained.waiting.consented(try address("T42"), at: Self.start)
        #expect(try takeFix(&retained).inputs.isEmpty)
        var batch = Intake.Batch()
        for second: Double in [0, 11] {
            retained.waiting.endWaiting(at: Self.start.adding(second), isKnown: { _ in true }, &batch)
        }
        #expect(batch.rejections.isEmpty)
        #expect(released(&retained) == 1)
        #expect(try takeFix(&retained).inputs.count == 1)
        #expect(retained.nextQuestion() == Self.topics)
    }

    @Test("However many consent at once, each is asked about once, a hundred topics at a time")
    func flood() throws {
        var retained = try resumed()
        for _ in 0..<3 {
            for number in 0..<1_000 { retained.waiting.consented(try address("V\(number)"), at: Self.start) }
        }
        var asked: [String] = []
        while case let topics = retained.nextQuestion(), !topics.isEmpty {
            #expect(topics.count <= 100)
            asked += topics
            retained.answered()
        }
        #expect(asked.count == 3_000 && Set(asked).count == 3_000)
    }

    @Test("Who takes the consent back is not asked about, and none of its fixes is held")
    func withdrawn() throws {
        var retained = try resumed()
        retained.waiting.consented(try address("T42"), at: Self.start)
        #expect(try takeFix(&retained).inputs.isEmpty)
        retained.waiting.forget(try address("T42").vehicle)
        #expect(retained.nextQuestion().isEmpty)
        #expect(try takeFix(&retained).inputs.count == 1, "the engine refuses it")
        #expect(released(&retained) == 0)
    }

    @Test("What comes out of queues cannot be asked for, and nothing waits")
    func queue() throws {
        var retained = try retained(ShardPlace(0, of: 1, isQueue: true))
        retained.waiting.restore(nil, vehicles: [], held: HeldReports())
        retained.waiting.consented(try address("T42"), at: Self.start)
        #expect(try takeFix(&retained).inputs.count == 1)
        #expect(retained.nextQuestion().isEmpty)
    }

    // MARK: What follows

    /// Trucks that are judged otherwise by the assumed height, 4.12 m.
    enum Drive: CaseIterable {
        case lower, higher

        var height: Metres { self == .lower ? 3.0 : 4.2 }
        var clearance: Metres { self == .lower ? 3.5 : 4.2 }
        var heightsAlerted: Set<Metres> { self == .lower ? [] : [4.2] }
    }

    private struct Alert: Decodable {
        var vehicle_height: Double
    }

    private struct State: Decodable {
        struct Height: Decodable {
            var value: Double
            var source: String
        }

        var height: Height
        var presence: String?
    }

    private static func message(_ topicSuffix: String, _ payload: String) -> Script.Message {
        Script.retained("fleet/T42/\(topicSuffix)", payload)
    }

    /// 400 m before the bridge.
    private static let fix = Script.location(
        "T42", Fix(position: Drawing.place(4_600, 0), time: .at(0), accuracy: 5, speed: 15, course: 90))
    private static let route = #"{"waypoints": [\#(Script.pair(7_000, 0))]}"#

    @Test(
        "After a restart its first fix is judged by the height that was retained before, whenever the gateway is killed",
        arguments: Drive.allCases, CrashPoint.allCases.map(Optional.some) + [nil])
    func restarted(drive: Drive, crash: CrashPoint?) throws {
        let run = try PipelineRun()
        try run.take([Script.bridge(drive.clearance)], at: .at(-30))
        let profile = #"{"height": \#(drive.height), "source": "driver"}"#
        try run.take(
            [
                Self.message("consent", #"{"status": "denied"}"#), Self.message("profile", profile),
                Self.message("route", Self.route), Self.message("presence", "online"),
            ], at: .at(-20))
        #expect(try run.store.retainedTopics() == ["headroom/clearances/bridge"])
        try run.kill()
        try run.take([], at: .at(-10))
        run.connection.isAnswered = crash == nil
        try run.take([Self.message("consent", #"{"status": "always"}"#), Self.fix], at: .at(0.4), crash: crash)
        let state = try #require(try run.outputs(State.self, "/T42/state").last)
        #expect(state.height.value == drive.height && state.height.source == "driver" && state.presence == "online")
        let alerts = try run.outputs(Alert.self, "/T42/alert")
        #expect(Set(alerts.map(\.vehicle_height)) == drive.heightsAlerted)
        // From here on they outlive a restart, as those of all that are kept.
        #expect(try run.store.retained("fleet/T42/route") == Array(Self.route.utf8))
        #expect(try run.store.retained("fleet/T42/profile") == Array(profile.utf8))
    }

    @Test("What came since the start holds where nothing is retained; a route is stored again once consent is back")
    func sinceStart() throws {
        let run = try PipelineRun()
        try run.take([Self.message("consent", #"{"status": "denied"}"#)], at: .at(-30))
        try run.kill()
        let profile = Script.Message(topic: "fleet/T42/profile", payload: #"{"height": 3.8, "source": "driver"}"#)
        try run.take([profile, Self.message("route", Self.route)], at: .at(-20))
        try run.take([Self.message("consent", #"{"status": "always"}"#)], at: .at(-10))
        let states = try run.outputs(State.self, "/T42/state")
        #expect(Set(states.map(\.height.value)) == [3.8])
        for status in ["denied", "always"] {
            try run.take([Self.message("consent", #"{"status": "\#(status)"}"#)], at: .at(0))
        }
        #expect(try run.outputs(State.self, "/T42/state").last?.height.value == 3.8)
        #expect(try run.store.retained("fleet/T42/route") == Array(Self.route.utf8))
    }

    @Test("Who consents among the fixes that have waited, more than are held, loses none of them")
    func backlog() throws {
        let run = try PipelineRun()
        try run.take([Self.message("consent", #"{"status": "denied"}"#)], at: .at(-30))
        try run.kill()
        let fixes = (0..<130).map { second in
            let place = Drawing.place(10 * Metres(second), 0)
            return Script.location(
                "T42", Fix(position: place, time: .at(Seconds(second)), accuracy: 5, speed: 10, course: 90))
        }
        try run.take([Self.message("consent", #"{"status": "always"}"#)] + fixes, at: .at(130))
        #expect(run.shared.metrics.fixes.value == 130)
    }
}
