import FleetTestSupport
import Foundation
import Geo
import Messages
import Testing

@testable import Fleet

/// What is left of a vehicle that an operator wants forgotten: what it said about consent.
struct ForgettingTests {
    private static let address = Dispatcher.truck
    private static let id = address.vehicle
    private static let request = ForgetRequest(vehicle: id, id: "a1")

    private func engine(_ standard: Consent.Status = .always) -> Engine {
        var settings = EngineSettings()
        settings.consent = standard
        settings.keepsPositions = true
        return Engine(settings, network: nil, fences: [Yard.fence])
    }

    private func report(_ report: Report, at seconds: Seconds) -> Input {
        .report(report, from: Self.address, receivedAt: .at(seconds))
    }

    private func fix(_ seconds: Seconds) -> Input { report(.location([Yard.fix(200, at: seconds)]), at: seconds) }

    private func consent(_ consent: Consent, at seconds: Seconds) -> Input { report(.consent(consent), at: seconds) }

    private func states(_ effects: Effects) -> [StateMessage] {
        effects.envelopes.compactMap { if case .state(let state) = $0.message { state } else { nil } }
    }

    private func events(_ effects: Effects) -> [FenceEventMessage] {
        effects.envelopes.compactMap { if case .event(let event) = $0.message { event } else { nil } }
    }

    @Test("A vehicle that is forgotten is gone, with its last levels, and nothing falls due for it any more")
    func gone() {
        let engine = engine()
        let north = VehicleAddress(vehicle: Self.id, levels: ["north"])
        _ = engine.handle([fix(0), .report(.location([Yard.fix(200, at: 1)]), from: north, receivedAt: .at(1))])
        let effects = engine.handle([.forget(Self.request)])
        #expect(effects.forgotten == [north])
        #expect(effects.erasures == [VehicleErasure(request: Self.request, address: north, wasKnown: true)])
        #expect(effects.envelopes.isEmpty && effects.changed.isEmpty && effects.consentRecords.isEmpty)
        #expect(engine.vehicle(Self.id) == nil && engine.vehicleCount == 0)
        let later = engine.handle([.tick(.at(100_000))])
        #expect(later.envelopes.isEmpty && later.changed.isEmpty)
    }

    @Test("Nothing that the same batch said before names it; what it says afterwards is of a new vehicle")
    func batch() throws {
        let engine = engine()
        let effects = engine.handle([
            report(.profile(HeightProfile(height: 380)), at: 0), fix(1), fix(1), .forget(Self.request), fix(2),
            .tick(.at(30)),
        ])
        #expect(effects.rejections.map(\.vehicle) == [nil])
        #expect(effects.positions.map(\.fix.time) == [.at(2)])
        #expect(states(effects).first?.sequence == 1 && states(effects).first?.heightStatus == .assumed)
        #expect(events(effects).map(\.event) == [.determined])
        #expect(engine.vehicle(Self.id)?.profile == nil)
    }

    @Test("An open alert ends without a message, and is another when the vehicle is back before the bridge")
    func alert() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        let fixes = Journey(line: try drawing.line("az")).fixes
        let first = try #require(
            fixes.firstIndex { fix in
                dispatcher.fix(fix)
                return !dispatcher.alerts.isEmpty
            })
        dispatcher.hear([.forget(Self.request)])
        #expect(dispatcher.stages == [.ahead])
        dispatcher.tell(.profile(HeightProfile(height: 412)), at: fixes[first].time.seconds + 1)
        for fix in fixes.dropFirst(first + 1).prefix(3) { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.ahead, .ahead])
        #expect(dispatcher.alertCount == 2)
    }

    @Test("A vehicle that is not known is named all the same, for the store may hold something")
    func unknown() {
        let effects = engine().handle([.forget(Self.request)])
        #expect(effects.forgotten == [Self.address])
        #expect(effects.erasures.map(\.wasKnown) == [false])
    }

    @Test("The topics that are emptied for it do not bring it back", arguments: [Consent.Status.always, .denied])
    func echo(standard: Consent.Status) {
        let engine = engine(standard)
        _ = engine.handle([report(.profile(HeightProfile(height: 380)), at: 0), fix(1), .forget(Self.request)])
        let effects = engine.handle([
            report(.profile(nil), at: 2), report(.route(nil), at: 2), report(.presence(nil), at: 2),
            report(.consent(nil), at: 2), .tick(.at(100)),
        ])
        #expect(effects.changed.isEmpty && effects.envelopes.isEmpty)
        #expect(engine.vehicleCount == 0)
        #expect(engine.handle([.forget(Self.request)]).erasures.map(\.wasKnown) == [false])
    }

    // MARK: Consent

    @Test(
        "What was said about consent holds on, over a restart too, but for whether the app is in use",
        arguments: [
            (Consent(.denied), Consent.Status.always, [0, 0]), (Consent(.restricted), .always, [0, 0]),
            (Consent(.whenInUse), .always, [0, 0]), (Consent(.whenInUse, isInUse: true), .denied, [1, 0]),
            (Consent(.always), .denied, [1, 1]), (Consent(.always), .notDetermined, [1, 1]),
        ])
    func consent(said: Consent, standard: Consent.Status, accepted: [Int]) {
        let first = engine(standard)
        let before = first.handle([consent(said, at: 0), fix(1)])
        let forgotten = first.handle([.forget(Self.request)])
        #expect(first.handle([fix(10)]).fixesAccepted == accepted[0])
        let second = engine(standard)
        for refusal in before.consentRecords + forgotten.consentRecords {
            #expect(!refusal.digest.contains(Self.id.text))
            second.restore(refusal)
        }
        #expect(second.handle([fix(20)]).fixesAccepted == accepted[1])
    }

    @Test("A vehicle that is back says what it said about consent before, and can take it back")
    func back() {
        let engine = engine(.denied)
        _ = engine.handle([consent(Consent(.always), at: 0), fix(1), .forget(Self.request)])
        #expect(states(engine.handle([fix(2)])).map(\.consent) == [.always])
        let ended = engine.handle([consent(Consent(.denied), at: 3), fix(4)])
        #expect(ended.forgotten == [Self.address] && ended.erasures.isEmpty && ended.fixesAccepted == 0)
        // The topic is emptied while the vehicle is kept: then there is nothing to remember.
        let other = self.engine()
        _ = other.handle([consent(Consent(.whenInUse, isInUse: true), at: 0), fix(1), .forget(Self.request), fix(2)])
        _ = other.handle([report(.consent(nil), at: 3), .forget(Self.request)])
        #expect(other.handle([fix(5)]).fixesAccepted == 1)
    }

    @Test("A vehicle that refused is forgotten in memory, too; its refusal is not")
    func refused() {
        let engine = engine()
        _ = engine.handle([consent(Consent(.denied), at: 0), report(.profile(HeightProfile(height: 380)), at: 1)])
        let effects = engine.handle([.forget(Self.request)])
        #expect(effects.erasures.map(\.wasKnown) == [true] && effects.consentRecords.isEmpty)
        #expect(engine.handle([fix(2)]).rejections.map(\.reason) == [.noConsent])
        let back = engine.handle([consent(Consent(.always), at: 3), fix(4)])
        #expect(states(back).last?.heightStatus == .assumed)
    }
}
