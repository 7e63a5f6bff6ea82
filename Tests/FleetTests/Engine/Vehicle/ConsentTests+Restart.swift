import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// What is known of consent after a start.
extension ConsentTests {
    @Test("A refusal outlives a restart under a name that does not tell the vehicle's, until it is taken back")
    func consentRecords() throws {
        let first = engine()
        let refused = first.handle([consent(.denied)])
        let refusal = try #require(refused.consentRecords.first)
        #expect(!refusal.digest.contains(Self.id.text) && refusal.digest.count == 16)
        #expect(first.handle([consent(.denied, at: 1), fix(2)]).consentRecords.isEmpty)

        let second = restarted(after: refused)
        #expect(second.handle([fix(10)]).rejections.map(\.reason) == [.noConsent])
        #expect(second.handle([consent(.denied, at: 11)]).consentRecords.isEmpty)
        let other = VehicleAddress(vehicle: VehicleID("T43")!)
        #expect(second.handle([fix(12, from: other)]).fixesAccepted == 1)
        let back = second.handle([consent(.always, at: 20), fix(21)])
        #expect(back.consentRecords == [ConsentRecord(digest: refusal.digest, status: nil)])
        #expect(back.fixesAccepted == 1)
    }

    @Test("Who was asked to decide before a restart is still one that has not decided")
    func undecided() {
        let second = restarted(after: engine().handle([consent(.notDetermined)]))
        #expect(second.handle([fix(0)]).transient.isEmpty)
        #expect(requests(second.handle([fix(31)])).map(\.kind) == [.consentRequired])
    }

    // MARK: The consent of who never said anything is set otherwise than before

    /// The vehicle as it is stored after it was in the yard.
    ///
    /// - Parameter consent: what it said; nil: nothing.
    private func stored(_ consent: Consent? = nil) throws -> Vehicle {
        let engine = engine()
        if let consent { _ = engine.handle([report(.consent(consent), at: -10)]) }
        _ = engine.handle([report(.profile(HeightProfile(height: 380)), at: -5), fix(0), .tick(.at(20))])
        return try #require(engine.vehicle(Self.id)).roundTripped()
    }

    private func restarted(
        _ standard: Consent.Status, _ vehicles: [Vehicle], isAtRest: Bool = false
    ) -> Engine {
        let engine = engine(standard)
        for vehicle in vehicles { engine.restore(vehicle, state: isAtRest ? vehicle.encoded() : nil) }
        engine.prepare()
        return engine
    }

    @Test(
        "Set so that it may not be kept, a vehicle that never said anything is forgotten with the first tick, and not told of before",
        arguments: [Consent.Status.denied, .restricted, .notDetermined], [false, true])
    func setOtherwise(status: Consent.Status, isAtRest: Bool) throws {
        let engine = restarted(status, [try stored()], isAtRest: isAtRest)
        #expect(engine.snapshot(of: Self.id, at: .at(30)) == nil && engine.snapshots(at: .at(30)).isEmpty)
        var batch = engine.begin()
        engine.publishAgain(Self.id, in: &batch)
        #expect(!names(engine.end(batch)))
        let early = engine.handle([fix(30)])
        #expect(!names(early) && early.rejections.map(\.reason) == [.noConsent])
        let waiting = engine.handle([.backlog(at: .at(500)), fix(500)])
        #expect(!names(waiting) && waiting.rejections.map(\.reason) == [.noConsent])
        // Everything else is due by then, too.
        let effects = engine.handle([.tick(.at(10_000))])
        #expect(effects.forgotten == [Self.address] && !names(effects))
        #expect(effects.consentRecords.isEmpty, "it has not said it")
        #expect(engine.vehicleCount == 0 && engine.vehicle(Self.id) == nil)
        let after = engine.handle([fix(10_001), .tick(.at(20_000))])
        #expect(after.forgotten.isEmpty && !names(after) && after.rejections.map(\.reason) == [.noConsent])
    }

    @Test("What such a vehicle told before holds once it consents")
    func setOtherwiseAndBack() throws {
        let engine = restarted(.denied, [try stored()])
        _ = engine.handle([.tick(.at(100))])
        let effects = engine.handle([consent(.always, at: 200), fix(201)])
        #expect(effects.consented == [Self.address] && effects.fixesAccepted == 1)
        #expect(states(effects).last?.height == 380)
    }

    @Test(
        "One that has consented stays, also where its consent waited at the broker and comes before the first tick",
        arguments: [false, true])
    func setOtherwiseAfterConsent(isWaiting: Bool) throws {
        let engine = restarted(.denied, [try stored(isWaiting ? nil : Consent(.always))])
        if isWaiting { #expect(engine.handle([consent(.always, at: 30)]).consented.isEmpty) }
        let effects = engine.handle([.tick(.at(40)), fix(50)])
        #expect(effects.forgotten.isEmpty && effects.consented.isEmpty && effects.fixesAccepted == 1)
        #expect(engine.vehicle(Self.id)?.profile?.height == 380)
        #expect(engine.snapshot(of: Self.id, at: .at(50)) != nil)
    }

    @Test("As it was set before, nobody is forgotten")
    func setAsBefore() throws {
        let engine = restarted(.always, [try stored()])
        #expect(engine.withEndedConsent.isEmpty)
        #expect(engine.handle([.tick(.at(40))]).forgotten.isEmpty && engine.vehicleCount == 1)
    }

    @Test(
        "Set to when in use, what followed from positions ends, once, and the vehicle is kept",
        arguments: [false, true])
    func setInUse(isAtRest: Bool) throws {
        let engine = restarted(.whenInUse, [try stored()], isAtRest: isAtRest)
        let effects = engine.handle([.tick(.at(40))])
        #expect(effects.forgotten.isEmpty)
        let state = try #require(states(effects).last)
        #expect(state.consent == .whenInUse && state.blind.contains(.noConsent) && state.fences.isEmpty)
        #expect(effects.awaiting == [Self.id], "it is stored at once")
        let again = restarted(.whenInUse, [try #require(engine.vehicle(Self.id)).roundTripped()])
        #expect(again.withEndedConsent.isEmpty)
    }

    @Test("Of a large fleet each tick forgets as many as it may, and each vehicle is forgotten once")
    func setOtherwiseForMany() throws {
        let before = self.engine()
        let addresses = (0..<300).map { VehicleAddress(vehicle: VehicleID("T\($0)")!) }
        for address in addresses {
            _ = before.handle([report(.presence(.online), from: address, at: 0)])
        }
        let vehicles = try addresses.map { try #require(before.vehicle($0.vehicle)).roundTripped() }
        let engine = restarted(.denied, vehicles)
        var forgotten: [VehicleID] = []
        for _ in 0..<6 {
            var batch = engine.begin()
            _ = engine.tick(.at(100), in: &batch) { $0.forgotten.count < 50 }
            let effects = engine.end(batch)
            #expect(effects.forgotten.count == 50)
            forgotten += effects.forgotten.map(\.vehicle)
        }
        #expect(forgotten == addresses.map(\.vehicle).sorted())
        #expect(engine.vehicleCount == 0 && engine.handle([.tick(.at(101))]).forgotten.isEmpty)
    }

    @Test("Nothing that the journal holds of such a vehicle leads to anything when it is done again")
    func setOtherwiseWithJournal() throws {
        let before = self.engine()
        _ = before.handle([fix(0)])
        let stored = try #require(before.vehicle(Self.id)).roundTripped()
        let inputs: [Input] = [.backlog(at: .at(20)), fix(20), .tick(.at(40)), fix(900), .tick(.at(2_000))]
        let record = JournalRecord(inputs, before.handle(inputs), of: { _ in true })
        let engine = restarted(.denied, [stored])
        let effects = engine.replay(record, published: [], at: .at(2_000), besides: { _ in false })
        #expect(!names(effects) && effects.forgotten.isEmpty)
        #expect(engine.handle([.tick(.at(2_001))]).forgotten == [Self.address])
    }
}
