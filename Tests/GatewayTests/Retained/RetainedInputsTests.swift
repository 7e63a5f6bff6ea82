import Broker
import Fleet
import GatewayTestSupport
import Geo
import Logging
import Messages
import MQTT
import Testing
import Wire

@testable import Gateway

/// Sessions with brokers that send what they retain to all subscriptions, to exact topics only, or have lost it: what is
/// asked, which fixes wait, and what is missing.
struct RetainedInputsTests {
    private static let start = Timestamp(milliseconds: 1_795_266_000_000)
    private let configuration: GatewayConfiguration
    private let intake: Intake

    init() throws {
        configuration = try .north(keepEvents: 0)
        intake = Intake(configuration)
    }

    private func retained() -> RetainedInputs {
        RetainedInputs(configuration, logger: Logger(label: "retained") { _ in SwiftLogNoOpLogHandler() })
    }

    private func address(_ text: String) throws -> VehicleAddress {
        VehicleAddress(vehicle: try #require(VehicleID(text)))
    }

    private func message(
        _ topic: String, _ payload: String = #"{"lat": 42.28, "lon": -83.75}"#, retained: Bool = false
    ) -> ReceivedMessage {
        ReceivedMessage(topic: topic, payload: Array(payload.utf8), qos: .atLeastOnce, retained: retained)
    }

    /// What one message leads to, as in the pipeline.
    private func take(
        _ message: ReceivedMessage, _ retained: inout RetainedInputs, at second: Double = 0,
        kept: [String: String] = [:], known: Set<String> = []
    ) -> Intake.Batch {
        var batch = Intake.Batch()
        guard retained.isNews(message, kept: { kept[$0].map { Array($0.utf8) } }) else { return batch }
        intake.take(message, at: Self.start.adding(second), &batch)
        retained.waiting.hold(&batch, from: 0, isRetained: message.retained) { known.contains($0.text) }
        return batch
    }

    private func topics(_ vehicle: String) -> [String] {
        ["consent", "profile", "route", "presence"].map { "fleet/\(vehicle)/\($0)" }
    }

    private func vehicles(_ inputs: [Input]) -> [String] { inputs.compactMap { $0.reporter?.vehicle.text } }

    private func released(_ retained: inout RetainedInputs) -> [Input] {
        var released: [Input] = []
        while let inputs = retained.waiting.releaseNext() { released += inputs }
        return released
    }

    @Test("Where wildcards bring what is retained, what a new session does not bring is missing, and nothing is asked")
    func wildcards() throws {
        var retained = retained()
        retained.sessionIsNew(kept: ["fleet/T42/profile", "headroom/fences/a", "headroom/fences/b"])
        #expect(take(message("headroom/fences/a", "{}"), &retained).registrations.count == 1)
        #expect(retained.missing == 0, "nothing is known to be missing before all has come")
        retained.probed(.wildcards, vehicles: [try address("T42")])
        #expect(released(&retained).isEmpty)
        #expect(retained.missing == 2)
        #expect(retained.nextQuestion().isEmpty)
        // An entry that cannot be read is there all the same: it is not to be overwritten.
        _ = take(message("headroom/fences/b", "no fence"), &retained)
        #expect(retained.missing == 1)
    }

    @Test("What comes on a topic is not what is missing on one that differs in its bytes alone")
    func spellings() throws {
        var retained = retained()
        retained.sessionIsNew(kept: ["headroom/fences/K\u{FC}hl", "headroom/fences/Ku\u{308}hl"])
        _ = take(message("headroom/fences/K\u{FC}hl", "{}"), &retained)
        retained.probed(.wildcards, vehicles: [])
        #expect(retained.missing == 1)
    }

    @Test("A fix that comes before it is known what the broker sends waits, and is not lost")
    func unknownBroker() throws {
        var retained = retained()
        retained.sessionIsNew(kept: [])
        #expect(take(message("fleet/T42/location"), &retained).inputs.isEmpty)
        retained.probed(.wildcards, vehicles: [])
        #expect(vehicles(released(&retained)) == ["T42"])
        #expect(take(message("fleet/T42/location"), &retained).inputs.count == 1)
    }

    @Test("What is published behind a vehicle's fixes that wait, waits behind them, and is kept at once")
    func behindFixes() throws {
        var retained = retained()
        retained.sessionIsNew(kept: [])
        let (fix, profile) = (message("fleet/T42/location"), #"{"height": 4.0}"#)
        #expect(take(fix, &retained, known: ["T42"]).inputs.isEmpty)
        let older = message("fleet/T42/profile", profile, retained: true)
        #expect(take(older, &retained, known: ["T42"]).inputs.count == 1)
        let live = take(message("fleet/T42/profile", #"{"height": 4.1}"#), &retained, known: ["T42"])
        #expect(live.inputs.isEmpty && live.retained.count == 1)
        let again = message("fleet/T42/profile", #"{"height": 4.1}"#, retained: true)
        #expect(take(again, &retained, known: ["T42"]).inputs.isEmpty, "it is no older than what waits")
        let consent = message("fleet/T42/consent", #"{"status": "granted"}"#)
        #expect(take(consent, &retained, known: ["T42"]).inputs.count == 1)
        #expect(take(message("fleet/T43/profile", profile), &retained, known: ["T43"]).inputs.count == 1)
        #expect(take(fix, &retained, known: ["T42"]).inputs.isEmpty)
        retained.probed(.wildcards, vehicles: [])
        let isFix = released(&retained).map { $0.reporter != nil }
        #expect(isFix == [true, false, false, true])
        #expect(take(message("fleet/T42/profile", profile), &retained, known: ["T42"]).inputs.count == 1)
    }

    @Test("Where only exact topics bring it, kept entries and known vehicles are asked for before anything is missing")
    func review() throws {
        var retained = retained()
        retained.waiting.restore(nil, vehicles: [], held: HeldReports())
        retained.sessionIsNew(kept: ["fleet/T42/profile", "headroom/fences/a"])
        retained.probed(.exactTopics, vehicles: [try address("T42"), try address("T43")])
        #expect(released(&retained).isEmpty)
        #expect(retained.missing == 0)
        #expect(retained.nextQuestion() == ["headroom/fences/a"] + topics("T42") + topics("T43"))
        _ = take(message("fleet/T42/profile", #"{"height": 4.0}"#), &retained)
        retained.answered()
        #expect(released(&retained).isEmpty)
        #expect(retained.missing == 1, "the fence was asked for and did not come")
    }

    @Test("A review that a lost connection interrupts goes on where it was")
    func interrupted() throws {
        var retained = retained()
        retained.sessionIsNew(kept: ["headroom/fences/a"])
        retained.probed(.exactTopics, vehicles: [try address("T42")])
        #expect(retained.nextQuestion() == ["headroom/fences/a"] + topics("T42"))
        retained.sessionIsResumed()
        retained.probed(.exactTopics, vehicles: [try address("T42")])
        #expect(released(&retained).isEmpty)
        #expect(retained.nextQuestion() == ["headroom/fences/a"] + topics("T42"))
        retained.answered()
        #expect(retained.missing == 1 && !retained.isAwaiting)
        #expect(retained.nextQuestion().isEmpty)
    }

    @Test(
        "What a broker has that was restored from an earlier state is older than what is kept, and puts nothing in force"
    )
    func earlierState() throws {
        let kept = ["fleet/T42/profile": #"{"height": 4.1}"#, "fleet/T43/profile": #"{"height": 4.0}"#]
        var retained = retained()
        retained.waiting.restore(.wildcards, vehicles: [], held: HeldReports())
        retained.compareEarlierState(kept: kept.keys.sorted())
        retained.probed(.wildcards, vehicles: [try address("T42"), try address("T43")])
        #expect(retained.nextQuestion() == kept.keys.sorted())
        func answer(_ topic: String, _ payload: String) -> ReceivedMessage {
            ReceivedMessage(topic: topic, payload: Array(payload.utf8), qos: .atLeastOnce, retained: true)
        }
        let older = answer("fleet/T42/profile", #"{"height": 3.2}"#)
        #expect(take(older, &retained, kept: kept).inputs.isEmpty)
        let same = answer("fleet/T43/profile", #"{"height": 4.0}"#)
        #expect(take(same, &retained, kept: kept).inputs.isEmpty)
        retained.answered()
        #expect(retained.missing == 1 && !retained.isAwaiting)
        // What is published meanwhile is news.
        let live = message("fleet/T43/profile", #"{"height": 4.3}"#)
        #expect(take(live, &retained, kept: kept).inputs.count == 1)
    }

    @Test("A known vehicle is not asked about because the broker has an earlier state: what it has of it then is older")
    func earlierStateOfKnown() throws {
        var retained = retained()
        retained.waiting.restore(.exactTopics, vehicles: [try address("T42").vehicle], held: HeldReports())
        retained.compareEarlierState(kept: ["fleet/T42/profile"])
        retained.probed(.exactTopics, vehicles: [try address("T42")])
        #expect(retained.nextQuestion() == ["fleet/T42/profile"])
        #expect(take(message("fleet/T42/location"), &retained).inputs.count == 1)
    }

    @Test("There a vehicle's first fix waits until its own topics are answered, and later ones do not")
    func firstFix() throws {
        var retained = retained()
        retained.waiting.restore(.exactTopics, vehicles: [try address("T1").vehicle], held: HeldReports())
        retained.sessionIsResumed()
        #expect(take(message("fleet/T1/location"), &retained).inputs.count == 1, "known, and its session goes on")
        #expect(take(message("fleet/T42/location"), &retained).inputs.isEmpty)
        #expect(take(message("fleet/T42/consent", #"{"status": "always"}"#), &retained).inputs.count == 1)
        #expect(retained.nextQuestion() == topics("T42"))
        retained.answered()
        #expect(vehicles(released(&retained)) == ["T42"])
        #expect(take(message("fleet/T42/location"), &retained).inputs.count == 1)
    }

    @Test("Where no answer comes, a known vehicle is judged by what is kept, and another's fixes are refused, unnamed")
    func noAnswer() throws {
        var retained = retained()
        retained.waiting.restore(.exactTopics, vehicles: [], held: HeldReports())
        for vehicle in ["T42", "T43"] { _ = take(message("fleet/\(vehicle)/location"), &retained) }
        var batch = Intake.Batch()
        for second: Double in [0, 9] {
            retained.waiting.endWaiting(at: Self.start.adding(second), isKnown: { $0.text == "T42" }, &batch)
            #expect(batch.inputs.isEmpty && batch.rejections.isEmpty && !retained.waiting.hasReleased)
        }
        retained.waiting.endWaiting(at: Self.start.adding(11), isKnown: { $0.text == "T42" }, &batch)
        #expect(vehicles(released(&retained)) == ["T42"])
        #expect(batch.rejections.map(\.reason) == [.consentUnanswered])
        #expect(batch.rejections.allSatisfy { $0.vehicle == nil && !$0.topic.contains("T43") })
    }

    @Test(
        "As long as the broker answers, or may be sending all that it has, fixes wait on, for two minutes at most",
        arguments: [nil, .exactTopics] as [RetainedDelivery?])
    func longAnswer(delivery: RetainedDelivery?) throws {
        var retained = retained()
        retained.waiting.restore(delivery, vehicles: [], held: HeldReports())
        _ = take(message("fleet/T42/location"), &retained)
        var batch = Intake.Batch()
        func pass(_ seconds: Double...) {
            for second in seconds {
                retained.waiting.endWaiting(at: Self.start.adding(second), isKnown: { _ in true }, &batch)
            }
        }
        for second in stride(from: 0.0, through: 120, by: 8) {
            // About others.
            if delivery == nil { _ = take(message("fleet/T43/presence", "online"), &retained) }
            if delivery != nil { retained.answered() }
            pass(second)
        }
        #expect(!retained.waiting.hasReleased)
        pass(121)
        #expect(vehicles(released(&retained)) == ["T42"])
        // What has not come by then is not awaited as long again.
        _ = take(message("fleet/T42/location"), &retained, at: 125)
        pass(125, 134)
        #expect(!retained.waiting.hasReleased)
        pass(136)
        #expect(vehicles(released(&retained)) == ["T42"])
    }

    @Test(
        "Of a vehicle that sends without end while it waits the newest messages are held; of a known one none is refused",
        arguments: [true, false])
    func flood(isKnown: Bool) throws {
        var retained = retained()
        retained.waiting.restore(.exactTopics, vehicles: [], held: HeldReports())
        var (count, rejections) = (0, 0)
        for number in 0..<320 {
            let fix = message("fleet/T42/location", #"{"lat": \#(42 + Double(number) / 1_000), "lon": -83.75}"#)
            let batch = take(fix, &retained, known: isKnown ? ["T42"] : [])
            rejections += batch.rejections.count
            count += batch.inputs.count + released(&retained).count
        }
        #expect(count == (isKnown ? 202 : 0) && rejections == (isKnown ? 0 : 202))
        retained.answered()
        #expect(released(&retained).isEmpty, "nothing was asked yet")
        _ = retained.nextQuestion()
        retained.answered()
        let rest = released(&retained)
        #expect(rest.count == 118)
        let latitudes = rest.prefix(1).flatMap { input -> [Double] in
            guard case .report(.location(let fixes), _, _) = input else { return [] }
            return fixes.map { ($0.position.latitude * 1_000).rounded() }
        }
        #expect(latitudes == [42_202])
    }

    @Test("What was forgotten is neither held nor missing")
    func forgotten() throws {
        var retained = retained()
        retained.sessionIsNew(kept: ["fleet/T42/route", "fleet/T43/route"])
        _ = take(message("fleet/T42/location"), &retained)
        retained.waiting.forget(try address("T42").vehicle)
        retained.forget(topics: ["fleet/T42/route"])
        retained.probed(.wildcards, vehicles: [])
        #expect(released(&retained).isEmpty)
        #expect(retained.missing == 1)
        retained.forget(topics: ["fleet/T43/route"])
        #expect(retained.missing == 0)
    }
}
