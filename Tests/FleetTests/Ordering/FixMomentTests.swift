import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Several reports of one moment, as OwnTracks on iOS sends a transition and a location with one time.
struct FixMomentTests {
    /// Towards the yard's western border; then a crossing at 30 m, told by the device and too near to be told by one fix.
    private static let approach = Yard.drive(from: -200, to: -10, speed: 10, every: 1)
    private static let moment: Seconds = 21

    private static func transition(
        _ region: RegionKey = "yard", _ trigger: Fix.Trigger = .enter, accuracy: Metres = 30
    ) -> Fix {
        Yard.fix(2, at: moment, accuracy: accuracy, trigger: trigger, region: region)
    }

    private static func location(accuracy: Metres = 5) -> Fix {
        var fix = Yard.fix(1, at: moment, accuracy: accuracy)
        (fix.speed, fix.course) = (9, 90)
        return fix
    }

    private func said(_ fixes: [Fix], fences: [Fence] = [Yard.fence]) -> Dispatcher {
        let dispatcher = Dispatcher(nil, fences: fences)
        for fix in Self.approach + fixes { dispatcher.fix(fix) }
        dispatcher.tick(60)
        return dispatcher
    }

    @Test("The transition counts, whichever of the two comes first, and the better position is kept")
    func bothOrders() {
        let alone = said([Self.transition()])
        #expect(alone.events.map(\.event) == [.determined, .enter] || alone.events.map(\.event) == [.enter])
        let orders = [[Self.location(), Self.transition()], [Self.transition(), Self.location()]].map { said($0) }
        for dispatcher in orders {
            #expect(dispatcher.events.map(\.event) == alone.events.map(\.event))
            #expect(dispatcher.rejections.isEmpty)
            #expect(dispatcher.kept?.lastFix?.accuracy == 5)
            #expect(dispatcher.kept?.lastFix?.region == "yard")
            #expect(dispatcher.kept?.lastFix?.speed == 9)
        }
        #expect(orders[0].events == orders[1].events)
        #expect(orders[0].kept?.lastFix == orders[1].kept?.lastFix)
    }

    @Test("The location alone tells nothing so near to the border")
    func withoutTransition() { #expect(!said([Self.location()]).events.map(\.event).contains(.enter)) }

    @Test("Of positions, the more accurate one counts", arguments: [(5, 30), (30, 5), (10, 10)] as [(Metres, Metres)])
    func better(location: Metres, transition: Metres) throws {
        let (a, b) = (Self.location(accuracy: location), Self.transition(accuracy: transition))
        let joined = try #require(a.joined(with: b))
        #expect(joined.position == (location <= transition ? a : b).position)
        #expect(joined.accuracy == min(location, transition))
        #expect(joined.trigger == .enter && joined.region == "yard" && joined.speed == 9)
        #expect(b.joined(with: a) == joined)
        // Each of them again is a duplicate.
        #expect(joined.joined(with: b) == nil && joined.joined(with: a) == nil)
    }

    @Test("Told again, both are duplicates")
    func redelivered() {
        let pair = [Self.location(), Self.transition()]
        let dispatcher = said(pair + pair)
        #expect(dispatcher.rejections == [.duplicate, .duplicate])
        #expect(dispatcher.events == said(pair).events)
    }

    @Test("Crossings of two regions in one moment are both told, in whatever order they come")
    func twoRegions() {
        let fences = [Yard.fence, Yard.circle("dock", 200, 200, radius: 201)]
        let pair = [Self.transition("yard"), Self.transition("dock")]
        let orders = [pair, pair.reversed()].map { said($0, fences: fences) }
        for dispatcher in orders {
            #expect(dispatcher.rejections.isEmpty)
            #expect(Set(dispatcher.events.filter { $0.event == .enter }.map(\.fence)) == ["yard", "dock"])
        }
        #expect(orders[0].events == orders[1].events)
    }

    @Test("A transition that comes after its moment was looked at still counts, once")
    func late() {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for fix in Self.approach + [Self.location()] { dispatcher.fix(fix) }
        dispatcher.tick(50)
        #expect(!dispatcher.events.map(\.event).contains(.enter))
        for _ in 0..<2 { dispatcher.tell(.location([Self.transition()]), at: 51) }
        dispatcher.tick(80)
        #expect(dispatcher.events.count { $0.event == .enter } == 1)
        #expect(dispatcher.rejections == [.duplicate])
    }

    @Test("A report of the same moment is no gap between fixes")
    func gaps() throws {
        let dispatcher = said([Self.location(), Self.transition()])
        #expect(try #require(dispatcher.kept).gaps.fixes == [2, 1, 1, 1])
    }

    @Test("Of two plain positions of one moment the better one counts, whichever comes first")
    func plain() {
        let (good, poor) = (Yard.fix(600, at: Self.moment, accuracy: 5), Yard.fix(5, at: Self.moment, accuracy: 50))
        let beside = Yard.fix(5, 10, at: Self.moment, accuracy: 50)
        #expect(poor.joined(with: good) == good && good.joined(with: poor) == nil)
        #expect((poor.joined(with: beside) == nil) != (beside.joined(with: poor) == nil))
        #expect(good.joined(with: good) == nil)
    }
}
