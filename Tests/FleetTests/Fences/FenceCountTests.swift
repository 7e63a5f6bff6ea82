import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Many fences at once.
struct FenceCountTests {
    /// Circles of 20 m, 100 m apart, eastwards from the vehicle.
    private func row(_ count: Int, groups: [String] = [], prefix: String = "f") -> [Fence] {
        (0..<count).map { index in
            var fence = Yard.circle("\(prefix)\(index)", 100 + Metres(index) * 100, 0, radius: 20)
            fence.groups = groups
            return fence
        }
    }

    /// Where vehicles are told of all.
    private func dispatcher(_ fences: [Fence], height: Centimetres? = 412) -> Dispatcher {
        var settings = EngineSettings()
        settings.determined = .all
        return Dispatcher(nil, height: height, settings: settings, fences: fences)
    }

    /// Far off, so large that the vehicle is inside.
    private func large(_ id: String) -> Fence { Yard.circle(id, 300_000, 0, radius: 310_000) }

    private func events(_ dispatcher: Dispatcher) -> [FenceEventMessage] {
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        dispatcher.tick(15)
        return dispatcher.events
    }

    @Test("A thousand fences new to a vehicle are all determined at its first fix, none twice")
    func thousand() {
        let events = events(dispatcher(row(1000)))
        #expect(Set(events.map(\.fence)).count == 1000 && events.count == 1000)
        #expect(events.allSatisfy { $0.event == .determined && $0.state == .outside })
    }

    private func expectNearest(_ events: [FenceEventMessage]) {
        #expect(events.count == FenceWatch.determinedMax)
        #expect(Set(events.filter { $0.state == .inside }.map(\.fence)) == ["large-1", "large-2"])
        let outside = events.filter { $0.state == .outside }.compactMap { Int($0.fence.dropFirst()) }.sorted()
        #expect(outside == Array(0..<FenceWatch.determinedMax - 2))
    }

    @Test("Of more than can be told, the nearest are, and those it is inside of always")
    func nearest() {
        expectNearest(events(dispatcher(row(3000) + [large("large-1"), large("large-2")])))
    }

    @Test("The same for a vehicle that is in a group")
    func group() {
        let dispatcher = self.dispatcher(row(3000) + [large("large-1"), large("large-2")], height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 400, groups: ["north"])), at: -60)
        expectNearest(events(dispatcher))
    }

    @Test("The same where all come into force at one moment")
    func opening() throws {
        let fences = (row(3000) + [large("large-1"), large("large-2")]).map { fence in
            var fence = fence
            fence.validFrom = .at(100)
            return fence
        }
        let dispatcher = self.dispatcher(fences)
        #expect(events(dispatcher) == [])
        dispatcher.tick(320)
        expectNearest(dispatcher.events)
        #expect(dispatcher.events.allSatisfy { $0.crossedAt == .at(100) })
    }

    @Test("Fences for others are not counted: all that are for the vehicle are determined, however far")
    func others() {
        let mine = Yard.circle("mine", 400_000, 0, radius: 20)
        let events = events(dispatcher(row(3000, groups: ["south"]) + [mine]))
        #expect(events.map(\.fence) == ["mine"])
    }

    @Test("One that was too far to be told of is entered like any other")
    func untold() {
        let dispatcher = self.dispatcher(row(3000))
        _ = events(dispatcher)
        for index in 0...60 { dispatcher.fix(Yard.fix(290_000 + Metres(index) * 10, 0, at: 8000 + Seconds(index))) }
        dispatcher.tick(8200)
        #expect(dispatcher.events.dropFirst(1000).first?.event == .enter)
    }

    @Test("Fences that are taken back leave no trace among those that are found")
    func removed() {
        let dispatcher = self.dispatcher([])
        dispatcher.hear(row(600).map { .fences([FenceChange(id: $0.id, fence: $0)], at: .at(-50)) })
        dispatcher.hear((0..<600).map { .fences([FenceChange(id: "f\($0)", fence: nil)], at: .at(-40)) })
        #expect(events(dispatcher) == [])
        for index in 1...50 { dispatcher.fix(Yard.fix(Metres(index) * 10, 0, at: Seconds(index))) }
        dispatcher.tick(100)
        #expect(dispatcher.events == [])
    }
}
