import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// Events follow the order in which fixes were taken, not that in which they come.
struct FenceOrderTests {
    /// Through two yards with a stay in the second, a fix every two seconds.
    static let fixes: [Fix] = {
        let first = Yard.drive(from: -300, to: 1800, every: 2)
        let start = first.last!.time.seconds
        let stay = stride(from: 2.0, through: 400, by: 2).map { Yard.fix(1800, at: start + $0) }
        return first + stay + Yard.drive(from: 1800, to: 3000, every: 2, at: start + 402)
    }()
    static let fences = [Yard.fence, Yard.circle("depot", 1800, 200, radius: 150)]

    /// Fixes in the order of their arrival.
    private func said(_ arrivals: [(fix: Fix, at: Seconds)]) -> (events: [FenceEventMessage], visits: [VisitMessage]) {
        let dispatcher = Dispatcher(nil, fences: Self.fences)
        for (fix, time) in arrivals {
            dispatcher.tick(time)
            dispatcher.tell(.location([fix]), at: time)
        }
        dispatcher.tick((arrivals.last?.at ?? 0) + 300)
        return (dispatcher.events, dispatcher.visits)
    }

    private var inOrder: (events: [FenceEventMessage], visits: [VisitMessage]) {
        said(Self.fixes.map { ($0, $0.time.seconds) })
    }

    @Test("In order: the timeline that all others are compared with")
    func plain() {
        let said = inOrder
        #expect(
            said.events.map { "\($0.event.rawValue) \($0.fence)" } == [
                "enter yard", "exit yard", "enter depot", "exit depot",
            ])
        #expect(said.visits.map(\.phase) == [.arrived, .departed])
    }

    @Test(
        "Shuffled within the reorder window: the same events, ids and times", arguments: 1...10 as ClosedRange<UInt64>)
    func shuffled(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let late = Self.fixes.map { (fix: $0, at: $0.time.seconds + 9.9 * random.fraction()) }
        let said = said(late.sorted { $0.at < $1.at })
        #expect(said.events == inOrder.events)
        #expect(said.visits == inOrder.visits)
    }

    @Test("Every fix twice, three times at once, or again within the window: the same events")
    func doubled() {
        let twice = Self.fixes.flatMap { [($0, $0.time.seconds), ($0, $0.time.seconds)] }
        #expect(said(twice).events == inOrder.events)
        let again = (Self.fixes.map { ($0, $0.time.seconds) } + Self.fixes.map { ($0, $0.time.seconds + 5) })
            .sorted { $0.1 < $1.1 }
        #expect(said(again).events == inOrder.events)
        #expect(said(again).visits == inOrder.visits)
    }

    @Test("The whole stream ten minutes late: the same events")
    func late() {
        let late = said(Self.fixes.map { ($0, $0.time.seconds + 600) })
        #expect(late.events == inOrder.events)
        #expect(late.visits == inOrder.visits)
    }

    @Test("As one upload, in any order: the same events")
    func upload() {
        var random = SplitMix64(seed: 5)
        let dispatcher = Dispatcher(nil, fences: Self.fences)
        dispatcher.tell(.location(Self.fixes.map { ($0, random.next()) }.sorted { $0.1 < $1.1 }.map(\.0)), at: 3600)
        dispatcher.tick(4000)
        #expect(dispatcher.events == inOrder.events)
    }

    @Test("A fix older than the window undoes nothing, and is counted")
    func older() {
        let dispatcher = Dispatcher(nil, fences: Self.fences)
        for fix in Self.fixes.prefix(60) { dispatcher.fix(fix) }
        let before = dispatcher.events
        dispatcher.tell(.location([Yard.fix(-2000, at: 60.5)]), at: 119)
        #expect(dispatcher.rejections == [.outOfOrder])
        dispatcher.tick(119)
        #expect(dispatcher.events == before)
    }
}
