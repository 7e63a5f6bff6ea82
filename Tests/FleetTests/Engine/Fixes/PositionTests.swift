import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Where a vehicle was: told in its state and kept as a track only where the operator wants it.
struct PositionTests {
    private func dispatcher(shows: Bool = false, keeps: Bool = false) -> Dispatcher {
        var settings = EngineSettings()
        settings.showsPosition = shows
        settings.keepsPositions = keeps
        return Dispatcher(nil, settings: settings)
    }

    private func location(_ fixes: [Fix], at seconds: Seconds) -> Input {
        .report(.location(fixes), from: Dispatcher.truck, receivedAt: .at(seconds))
    }

    // MARK: In the state

    @Test("The state tells the place of the last fix, and a new place alone at most once a minute")
    func state() {
        let dispatcher = dispatcher(shows: true)
        for second in stride(from: 0.0, through: 150, by: 10) { dispatcher.fix(Yard.fix(second * 10, at: second)) }
        #expect(dispatcher.states.map { $0.lastFix?.seconds } == [nil, 0, 10, 70, 130])
        #expect(
            dispatcher.states.dropFirst().map(\.position) == [0, 100, 700, 1_300].map { Yard.place($0, 200) })
    }

    @Test("With any other change the newest place is told")
    func withChange() {
        let dispatcher = dispatcher(shows: true)
        dispatcher.fix(Yard.fix(0, at: 0))
        dispatcher.fix(Yard.fix(100, at: 10))
        dispatcher.tell(.presence(.offline), at: 11)
        #expect(dispatcher.states.last?.position == Yard.place(100, 200))
        #expect(dispatcher.states.last?.lastFix == .at(10))
    }

    @Test("The state tells no place unless it is wanted")
    func untold() {
        let dispatcher = dispatcher()
        for second in stride(from: 0.0, through: 150, by: 10) { dispatcher.fix(Yard.fix(second * 10, at: second)) }
        #expect(dispatcher.states.allSatisfy { $0.position == nil })
    }

    @Test("A place that is to be told no longer leaves the state at the next start, without a fix")
    func switchedOff() throws {
        let before = dispatcher(shows: true)
        before.fix(Yard.fix(0, at: 0))
        let kept = try #require(before.kept).roundTripped()
        let engine = Engine(EngineSettings(), network: nil)
        engine.restore(kept)
        engine.prepare()
        let after = Dispatcher(engine, truck: Dispatcher.truck, height: nil)
        after.tick(5)
        #expect(after.states.map(\.position) == [nil])
        #expect(after.states.first?.sequence == before.states.last.map { $0.sequence + 1 })
        after.tick(6)
        #expect(after.states.count == 1)
    }

    // MARK: As a track

    @Test("Every accepted fix is one of the track, late ones too; others are not")
    func track() {
        var settings = EngineSettings()
        settings.keepsPositions = true
        let engine = Engine(settings, network: nil)
        let effects = engine.handle([
            location([Yard.fix(0, at: 0)], at: 0),
            location([Yard.fix(40, at: 4)], at: 4),
            location([Yard.fix(20, at: 2)], at: 5),
            location([Yard.fix(20, at: 2), Yard.fix(90_000, at: 6), Yard.fix(0, at: 7, accuracy: 500)], at: 7),
            location([Fix(position: Coordinate(latitude: 0, longitude: 0), time: .at(8))], at: 8),
        ])
        #expect(effects.positions.map(\.fix.time) == [.at(0), .at(4), .at(2)])
        #expect(effects.positions.allSatisfy { $0.vehicle == Dispatcher.truck.vehicle })
        #expect(effects.fixesAccepted == 3 && effects.rejections.count == 4)
    }

    @Test("No fix is among the effects unless tracks are kept, nor one of a vehicle whose consent ended in the batch")
    func untracked() {
        let fix = location([Yard.fix(0, at: 0)], at: 0)
        #expect(Engine(EngineSettings(), network: nil).handle([fix]).positions.isEmpty)
        var settings = EngineSettings()
        settings.keepsPositions = true
        let denial = Input.report(.consent(Consent(.denied)), from: Dispatcher.truck, receivedAt: .at(1))
        #expect(
            Engine(settings, network: nil).handle([fix, denial, location([Yard.fix(1, at: 2)], at: 2)]).positions
                .isEmpty)
    }
}
