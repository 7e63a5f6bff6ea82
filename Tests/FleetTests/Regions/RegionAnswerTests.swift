import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// What a device says of the regions it was sent, and what is left of all that after a restart.
struct RegionAnswerTests {
    private let fences = RegionTests.row(21)

    /// One truck that was sent 20 of 21 fences at 0, and others at 180.
    private func sent(versions: Int) -> Dispatcher {
        let dispatcher = Dispatcher(nil, fences: fences)
        for (index, east) in [8_900.0, 10_430].prefix(versions).enumerated() {
            dispatcher.fix(Yard.fix(east, 0, at: Seconds(index) * 180))
        }
        return dispatcher
    }

    private func answer(_ dispatcher: Dispatcher, _ version: Int, _ failed: [BytewiseText: String] = [:]) {
        dispatcher.tell(.acknowledgement(.regions(version: version, failed: failed)), at: 200)
    }

    @Test("The state tells the version, what the device has confirmed, and what it could not watch")
    func state() {
        let dispatcher = sent(versions: 1)
        #expect(dispatcher.states.last?.regions == StateMessage.Regions(version: 1))
        answer(dispatcher, 1, ["f10": "too many", "f05": "no permission", "unheard-of": "?"])
        let failed = [
            StateMessage.Regions.Failure(id: "f05", reason: "no permission"), .init(id: "f10", reason: "too many"),
        ]
        #expect(dispatcher.states.last?.regions == StateMessage.Regions(version: 1, acknowledged: 1, failed: failed))
        #expect(dispatcher.rejections.isEmpty)
        answer(dispatcher, 1)
        #expect(dispatcher.states.last?.regions == StateMessage.Regions(version: 1, acknowledged: 1))
    }

    @Test("The same answer once more says nothing")
    func again() {
        let dispatcher = sent(versions: 1)
        answer(dispatcher, 1, ["f10": "too many"])
        let said = dispatcher.envelopes.count
        answer(dispatcher, 1, ["f10": "too many"])
        #expect(dispatcher.envelopes.count == said)
    }

    @Test(
        "A version that was not sent is refused, also of who was sent none",
        arguments: [(0, 1), (0, 0), (1, 0), (1, 2), (2, 3)])
    func unknown(versions: Int, answered: Int) {
        let dispatcher = sent(versions: versions)
        answer(dispatcher, answered)
        #expect(dispatcher.rejections == [.unknownAcknowledgement])
        #expect(dispatcher.states.last?.regions?.acknowledged == nil)
    }

    @Test("An answer to an older version changes nothing and is not refused")
    func older() {
        let dispatcher = sent(versions: 2)
        let said = dispatcher.envelopes.count
        answer(dispatcher, 1, ["f10": "too many"])
        #expect(dispatcher.rejections.isEmpty)
        #expect(dispatcher.envelopes.count == said)
    }

    @Test("What could not be watched still cannot in the next version, as far as it is in there")
    func carriedOver() {
        let dispatcher = sent(versions: 1)
        answer(dispatcher, 1, ["f00": "too many", "f10": "too many"])
        dispatcher.fix(Yard.fix(10_430, 0, at: 300))
        let failed = [StateMessage.Regions.Failure(id: "f10", reason: "too many")]
        #expect(dispatcher.states.last?.regions == StateMessage.Regions(version: 2, acknowledged: 1, failed: failed))
    }

    // MARK: Restart

    private func restarted(_ dispatcher: Dispatcher, _ fences: [Fence]) throws -> Dispatcher {
        let kept = try #require(dispatcher.kept)
        let engine = Engine(EngineSettings(), network: nil, fences: fences)
        engine.restore(try kept.roundTripped())
        engine.prepare()
        return Dispatcher(engine, truck: Dispatcher.truck, height: nil)
    }

    @Test("After a restart nothing is said again, and a choice is not due before it would have been")
    func restart() throws {
        let dispatcher = sent(versions: 1)
        dispatcher.fix(Yard.fix(9_920, 0, at: 100))
        answer(dispatcher, 1, ["f10": "too many"])
        let after = try restarted(dispatcher, fences)
        // Past the middle, but not 500 m from where it was chosen last.
        after.fix(Yard.fix(10_100, 0, at: 210))
        after.fix(Yard.fix(10_410, 0, at: 260))
        #expect(after.regions.isEmpty)
        #expect(after.kept?.regions.report?.failed.map(\.id) == ["f10"])
        after.fix(Yard.fix(10_430, 0, at: 310))
        #expect(after.regions.map(\.version) == [2])
        #expect(after.regions.first?.removed == ["f00"])
        // As it would have been said without.
        dispatcher.fix(Yard.fix(10_430, 0, at: 310))
        #expect(after.regions.last == dispatcher.regions.last)
    }

    @Test("Fences that changed while the gateway was away are told of at the next fix")
    func changedMeanwhile() throws {
        let after = try restarted(sent(versions: 1), Array(fences.dropLast(2)))
        after.fix(Yard.fix(8_900, 0, at: 210))
        #expect(after.regions.map(\.removed) == [["f19"]])
        #expect(after.regions.map(\.version) == [2])
    }
}
