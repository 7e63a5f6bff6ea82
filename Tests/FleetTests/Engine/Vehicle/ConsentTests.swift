import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Whose positions may be used, and what is done with those of all others: nothing.
struct ConsentTests {
    static let address = Dispatcher.truck
    static let id = address.vehicle
    static let north = VehicleAddress(vehicle: id, levels: ["north"])
    static let unwilling: [Consent] = [
        Consent(.denied), Consent(.restricted), Consent(.notDetermined), Consent(.whenInUse),
    ]

    func engine(_ standard: Consent.Status = .always) -> Engine {
        var settings = EngineSettings()
        settings.consent = standard
        return Engine(settings, network: nil, fences: [Yard.fence])
    }

    func report(_ report: Report, from address: VehicleAddress = Self.address, at seconds: Seconds) -> Input {
        .report(report, from: address, receivedAt: .at(seconds))
    }

    func fix(_ seconds: Seconds, from address: VehicleAddress = Self.address) -> Input {
        report(.location([Yard.fix(200, at: seconds)]), from: address, at: seconds)
    }

    func consent(_ status: Consent.Status, isInUse: Bool = false, at seconds: Seconds = 0) -> Input {
        report(.consent(Consent(status, isInUse: isInUse)), at: seconds)
    }

    /// An engine that knows what is stored of refusals.
    func restarted(after effects: Effects) -> Engine {
        let engine = engine()
        for record in effects.consentRecords { engine.restore(record) }
        return engine
    }

    /// Whether anything in it says of which vehicle it is.
    func names(_ effects: Effects) -> Bool {
        !effects.changed.isEmpty || !effects.envelopes.isEmpty || effects.rejections.contains { $0.vehicle != nil }
    }

    func requests(_ effects: Effects) -> [RequestMessage] {
        effects.transient.compactMap { if case .request(let request) = $0.message { request } else { nil } }
    }

    func states(_ effects: Effects) -> [StateMessage] {
        effects.envelopes.compactMap { if case .state(let state) = $0.message { state } else { nil } }
    }

    // MARK: Who is kept

    @Test("Of a vehicle that does not consent nothing is kept or named, its fixes are counted", arguments: unwilling)
    func withoutConsent(consent: Consent) {
        let engine = engine()
        let effects = engine.handle([
            report(.consent(consent), at: 0), fix(1),
            report(.location([Yard.fix(0, at: 2), Yard.fix(1, at: 3)]), at: 3),
            report(.presence(.online), at: 4), report(.acknowledgement(.request(id: "r")), at: 5), .tick(.at(1000)),
        ])
        #expect(!names(effects))
        #expect(effects.rejections.map(\.reason) == [.noConsent, .noConsent, .noConsent])
        #expect(effects.fixesAccepted == 0 && effects.transient.isEmpty && effects.forgotten.isEmpty)
        #expect(engine.vehicleCount == 0 && engine.vehicle(Self.id) == nil)
        #expect(effects.consentRecords.map(\.status) == [consent.status])
    }

    @Test("Where a vehicle has refused is known until it consents, and not after a start")
    func refusalAddress() {
        let engine = engine()
        let refusals = [Consent(.denied), Consent(.restricted)].map { report(.consent($0), from: Self.north, at: 0) }
        let effects = engine.handle([fix(0)] + refusals)
        #expect(engine.refusalAddress(of: Self.id) == Self.north)
        #expect(restarted(after: effects).refusalAddress(of: Self.id) == nil)
        _ = engine.handle([consent(.denied)])
        #expect(engine.refusalAddress(of: Self.id) == Self.address)
        _ = engine.handle([consent(.always)])
        #expect(engine.refusalAddress(of: Self.id) == nil)
    }

    @Test("A vehicle that consents is followed, and its state says so", arguments: [true, false])
    func kept(always: Bool) {
        let engine = engine(.denied)
        let effects = engine.handle([
            always ? consent(.always) : consent(.whenInUse, isInUse: true), fix(1), .tick(.at(15)),
        ])
        #expect(effects.fixesAccepted == 1 && effects.rejections.isEmpty)
        #expect(states(effects).last?.consent == (always ? .always : .whenInUse))
        #expect(states(effects).last?.blind == [.noClearanceData])
        #expect(states(effects).last?.fences.map(\.fence) == ["yard"])
    }

    @Test("Who never said anything has the configured consent", arguments: Consent.Status.allCases)
    func standard(status: Consent.Status) {
        let engine = engine(status)
        let effects = engine.handle([fix(0)])
        #expect(effects.rejections.map(\.reason) == (status == .always ? [] : [.noConsent]))
        #expect(names(effects) == (status == .always))
        #expect(engine.vehicleCount == (status == .always ? 1 : 0))
    }

    @Test("Consent and fixes in one batch: each fix by what was said before it")
    func order() {
        let engine = engine()
        let effects = engine.handle([
            consent(.denied), fix(1), consent(.always, at: 2), fix(3), fix(4), consent(.denied, at: 5), fix(6),
        ])
        #expect(effects.rejections.map(\.reason) == [.noConsent, .noConsent])
        #expect(effects.fixesAccepted == 2)
        #expect(effects.forgotten == [Self.address])
        #expect(!names(effects) && engine.vehicleCount == 0)
    }

    // MARK: When it ends

    @Test("When consent ends the vehicle is forgotten, once, and nothing of the batch names it")
    func ends() {
        let engine = engine()
        _ = engine.handle([fix(0), .tick(.at(20))])
        _ = engine.handle([fix(30, from: Self.north)])
        let duplicate = fix(31)
        let effects = engine.handle([duplicate, duplicate, consent(.denied, at: 40), consent(.restricted, at: 41)])
        #expect(effects.forgotten == [Self.address])
        #expect(!names(effects))
        #expect(effects.rejections.map(\.reason) == [.duplicate])
        #expect(engine.vehicle(Self.id) == nil)
        let after = engine.handle([consent(.denied, at: 50), .tick(.at(10_000))])
        #expect(after.forgotten.isEmpty && !names(after))
    }

    @Test("A vehicle that is in use no longer is blind and dropped; back in use, it is determined anew where it is")
    func inUse() {
        let engine = engine()
        let before = engine.handle([consent(.whenInUse, isInUse: true), fix(1), .tick(.at(15))])
        #expect(states(before).last?.fences.map(\.fence) == ["yard"])
        let paused = engine.handle([consent(.whenInUse, at: 20), fix(21)])
        #expect(states(paused).map(\.blind) == [[.noClearanceData, .noConsent]])
        #expect(paused.rejections.map(\.reason) == [.noConsent] && paused.forgotten.isEmpty)
        let after = engine.handle([consent(.whenInUse, isInUse: true, at: 30), fix(31), .tick(.at(45))])
        #expect(states(after).last?.blind == [.noClearanceData])
        let events = after.envelopes.compactMap { if case .event(let event) = $0.message { event.event } else { nil } }
        #expect(events == [.determined])
    }

    @Test("What was told while it was refused holds once it is allowed: height, route, presence")
    func toldBefore() throws {
        let engine = engine()
        let route = Route.waypoints([Yard.place(0, 0)])
        _ = engine.handle([
            consent(.denied), report(.profile(HeightProfile(height: 380, validFor: 600)), at: 10),
            report(.route(route), at: 11), report(.presence(.online), at: 12),
            report(.profile(HeightProfile(height: 380, validFor: 600)), at: 200),
        ])
        let effects = engine.handle([consent(.always, at: 300)])
        let state = try #require(states(effects).last)
        #expect(state.height == 380 && state.heightStatus == .ok && state.presence == .online)
        #expect(engine.vehicle(Self.id)?.guidance.route == route)
        // Valid from its first arrival.
        let later = engine.handle([fix(609), fix(611)])
        #expect(states(later).last?.heightStatus == .stale)
    }

    @Test(
        "The height of a vehicle of which nothing may be kept runs out without a word, whenever that was said",
        arguments: [Consent.Status.denied, .restricted, .notDetermined])
    func heightRunsOut(status: Consent.Status) {
        let profile = report(.profile(HeightProfile(height: 380, validFor: 100)), at: 10)
        for inputs in [[consent(status), profile], [profile, consent(status, at: 20)]] {
            let engine = engine()
            _ = engine.handle(inputs)
            #expect(!names(engine.handle([.tick(.at(1_000))])))
        }
    }

    @Test("Who may be kept from now on and was not to be before is named once, also after a restart")
    func consented() throws {
        let engine = engine()
        #expect(engine.handle([consent(.always), consent(.whenInUse, at: 1)]).consented.isEmpty, "kept all along")
        let ended = engine.handle([consent(.denied, at: 2), fix(3), consent(.denied, at: 4)])
        #expect(ended.consented.isEmpty)
        let back = engine.handle([consent(.always, at: 5), fix(6), consent(.always, at: 7)])
        #expect(back.consented == [Self.address])

        let restarted = self.restarted(after: ended)
        #expect(restarted.handle([consent(.whenInUse, at: 10)]).consented.isEmpty, "not in use")
        #expect(restarted.handle([consent(.whenInUse, isInUse: true, at: 11)]).consented == [Self.address])

        let undecided = self.engine(.notDetermined)
        #expect(undecided.handle([fix(0), consent(.always, at: 1)]).consented == [Self.address])
    }

    @Test("Other files leave what was told while it was refused as it was")
    func otherFiles() throws {
        let engine = engine()
        _ = engine.handle([consent(.denied), report(.profile(HeightProfile(height: 380)), at: 10)])
        _ = engine.replace(nil, at: .at(20))
        let effects = engine.handle([consent(.always, at: 30)])
        #expect(states(effects).last?.height == 380)
    }

    @Test("What was known when consent ended holds when it is back; where it was is not known any more")
    func back() throws {
        let engine = engine()
        _ = engine.handle([
            report(.profile(HeightProfile(height: 380)), at: 0), report(.presence(.online), at: 0), fix(1),
            .tick(.at(20)),
            consent(.denied, at: 30),
        ])
        let effects = engine.handle([consent(.always, at: 40), fix(41), .tick(.at(60))])
        let state = try #require(states(effects).last)
        #expect(state.height == 380 && state.presence == .online)
        #expect(state.fences == [FenceStay(fence: "yard", since: .at(41))])
    }

    @Test("No state after consent is back bears an id and sequence of one before it ended")
    func idsAfterwards() {
        let engine = engine()
        let effects = [
            [fix(1), .tick(.at(20))], [consent(.denied, at: 30)], [consent(.always, at: 40), fix(41), .tick(.at(60))],
        ].map { engine.handle($0) }
        let ids = effects.flatMap(states).map(\.id)
        #expect(ids.count >= 3 && Set(ids).count == ids.count)
    }

    // MARK: Asking

    @Test(
        "Who has not decided is asked, at most once an hour and not within 30 s of the first fix; nothing of it is kept",
        arguments: [true, false])
    func asks(bySetting: Bool) {
        let engine = engine(bySetting ? .notDetermined : .always)
        var asked: [(at: Seconds, effects: Effects)] = []
        if !bySetting { _ = engine.handle([consent(.notDetermined)]) }
        for second in stride(from: 5.0, through: 7300, by: 5) {
            let effects = engine.handle([fix(second)])
            #expect(!names(effects))
            if !effects.transient.isEmpty { asked.append((second, effects)) }
        }
        #expect(asked.map(\.at) == [35, 3635, 7235])
        #expect(asked.flatMap { requests($0.effects).map(\.kind) } == Array(repeating: .consentRequired, count: 3))
        #expect(asked.allSatisfy { $0.effects.transient.map(\.address) == [Self.address] })
        let ids = asked.flatMap { requests($0.effects).map(\.id) }
        #expect(Set(ids).count == 3)
    }

    @Test("Who has refused is not asked", arguments: [Consent.Status.denied, .restricted, .whenInUse])
    func decided(status: Consent.Status) {
        let engine = engine(.notDetermined)
        _ = engine.handle([consent(status)])
        for second in stride(from: 10.0, through: 200, by: 10) {
            #expect(engine.handle([fix(second)]).transient.isEmpty)
        }
    }

    @Test(
        "While the app is not in use, time tells nothing of where the vehicle was; after that it is seen for the first time"
    )
    func notInUse() throws {
        var settings = EngineSettings()
        settings.showsPosition = true
        let dispatcher = Dispatcher(nil, settings: settings, fences: [Yard.fence { $0.dwell = 120 }])
        func set(_ isInUse: Bool, at seconds: Seconds) {
            dispatcher.tell(.consent(Consent(.whenInUse, isInUse: isInUse)), at: seconds)
        }
        set(true, at: -30)
        for second in 0...5 { dispatcher.fix(Yard.fix(200, at: Seconds(second * 10))) }
        #expect(dispatcher.states.last?.position != nil)
        set(false, at: 65)
        dispatcher.tick(1_000)
        #expect(dispatcher.fenceLog == ["0 determined yard"] && dispatcher.visits.isEmpty)
        let state = try #require(dispatcher.states.last)
        #expect(state.position == nil && state.fences.isEmpty)
        set(true, at: 1_010)
        dispatcher.fix(Yard.fix(900, at: 1_020))
        dispatcher.fix(Yard.fix(1_000, at: 1_030))
        dispatcher.tick(1_100)
        #expect(dispatcher.fenceLog == ["0 determined yard"])
    }
}
