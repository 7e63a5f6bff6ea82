import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// A vehicle's OwnTracks device: remembered with its address, and told its regions as a whole where it has not been.
struct DeviceTests {
    private static let id = Dispatcher.truck.vehicle
    private static let fences = RegionTests.row(21)

    private static func address(_ device: String?) -> VehicleAddress { VehicleAddress(vehicle: id, device: device) }

    private func engine(_ standard: Consent.Status = .always) -> Engine {
        var settings = EngineSettings()
        settings.consent = standard
        return Engine(settings, network: nil, fences: Self.fences)
    }

    /// - Returns: the region messages that it caused, and to which devices.
    @discardableResult
    private func fix(_ engine: Engine, by device: String?, at seconds: Seconds, east: Metres = 8_900) -> [(
        device: String?, message: RegionsMessage
    )] {
        let report = Report.location([Yard.fix(east, 0, at: seconds)])
        let effects = engine.handle([.report(report, from: Self.address(device), receivedAt: .at(seconds))])
        return effects.envelopes.compactMap { envelope in
            if case .regions(let message) = envelope.message { (envelope.address.device, message) } else { nil }
        }
    }

    @Test("What dispatch or the app says otherwise does not erase the device, a fix from elsewhere does")
    func kept() {
        let engine = engine()
        fix(engine, by: "o/j/T42", at: 0)
        for report in [Report.profile(HeightProfile(height: 400)), .route(nil), .presence(.offline)] {
            _ = engine.handle([.report(report, from: Self.address(nil), receivedAt: .at(10))])
        }
        #expect(engine.vehicle(Self.id)?.address.device == "o/j/T42")
        fix(engine, by: nil, at: 20)
        #expect(engine.vehicle(Self.id)?.address.device == nil)
    }

    @Test("A device that was told nothing yet is told the whole set, and the same set not again")
    func told() {
        let engine = engine()
        #expect(fix(engine, by: nil, at: 0).map(\.message.version) == [1])
        let first = fix(engine, by: "o/j/a", at: 100)
        #expect(first.map(\.device) == ["o/j/a"] && first.map(\.message.version) == [2])
        #expect(first.first?.message.added.count == 20)
        #expect(fix(engine, by: "o/j/a", at: 200).isEmpty)
        // Two apps side by side.
        #expect(fix(engine, by: nil, at: 300).isEmpty && fix(engine, by: "o/j/a", at: 400).isEmpty)
        #expect(fix(engine, by: "o/j/b", at: 500).map(\.message.version) == [3])
    }

    @Test("What changed while the other app spoke is told of when the device is back")
    func changedMeanwhile() {
        let engine = engine()
        #expect(fix(engine, by: "o/j/a", at: 0).count == 1)
        #expect(fix(engine, by: nil, at: 180, east: 10_430).map(\.device) == [nil])
        #expect(fix(engine, by: "o/j/a", at: 190, east: 10_430).map(\.device) == ["o/j/a"])
    }

    @Test("Device and what it was told survive a restart")
    func restart() throws {
        let before = engine()
        fix(before, by: "o/j/a", at: 0)
        let kept = try #require(before.vehicle(Self.id))
        let after = engine()
        after.restore(try kept.roundTripped())
        after.prepare()
        #expect(after.vehicle(Self.id)?.address.device == "o/j/a")
        #expect(fix(after, by: "o/j/a", at: 100).isEmpty)
    }

    @Test("While a vehicle is withheld its device is remembered, and nothing is said there")
    func withoutConsent() {
        let engine = engine(.denied)
        #expect(fix(engine, by: "o/j/a", at: 0).isEmpty)
        let profile = Input.report(.profile(HeightProfile(height: 400)), from: Self.address(nil), receivedAt: .at(5))
        let consent = Input.report(.consent(Consent(.always)), from: Self.address(nil), receivedAt: .at(10))
        _ = engine.handle([profile, consent])
        #expect(engine.vehicle(Self.id)?.address.device == "o/j/a")
    }

    @Test("Once consent has ended, what is forgotten names the device, and nothing more goes there")
    func forgotten() {
        let engine = engine()
        fix(engine, by: "o/j/a", at: 0)
        let denied = Input.report(.consent(Consent(.denied)), from: Self.address(nil), receivedAt: .at(10))
        #expect(engine.handle([denied]).forgotten.map(\.device) == ["o/j/a"])
        #expect(fix(engine, by: "o/j/a", at: 20).isEmpty)
    }
}
