import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// The regions that a device is told to watch as it goes past fences.
struct RegionTests {
    /// Circles of 50 m, a kilometre apart, eastwards from the origin: `f00`, `f01`, …
    static func row(_ count: Int) -> [Fence] {
        (0..<count).map { Yard.circle(name($0), Metres($0) * 1_000, 0, radius: 50) }
    }

    static func name(_ number: Int) -> String { (number < 10 ? "f0" : "f") + "\(number)" }

    private func dispatcher(_ fences: [Fence], _ change: (inout EngineSettings) -> Void = { _ in }) -> Dispatcher {
        var settings = EngineSettings()
        change(&settings)
        return Dispatcher(nil, settings: settings, fences: fences)
    }

    private func change(_ dispatcher: Dispatcher, _ id: String, _ fence: Fence?, at seconds: Seconds) {
        dispatcher.hear([.fences([FenceChange(id: id, fence: fence)], at: .at(seconds))])
    }

    // MARK: Moving

    @Test("Past where the 20th and the 21st are equally near one comes and one goes, in one message; before, nothing")
    func bisector() throws {
        let dispatcher = dispatcher(Self.row(21))
        for (index, east) in [8_900.0, 9_410, 9_920].enumerated() {
            dispatcher.fix(Yard.fix(east, 0, at: Seconds(index) * 60))
        }
        #expect(dispatcher.regions.map(\.version) == [1])
        let first = try #require(dispatcher.regions.first)
        #expect(Set(first.regions.map(\.id)) == Set((0..<20).map(Self.name)))
        #expect(first.added == first.regions.map(\.id))
        #expect(first.regions.map(\.id).prefix(3) == ["f09", "f08", "f10"])

        dispatcher.fix(Yard.fix(10_430, 0, at: 180))
        #expect(dispatcher.regions.map(\.version) == [1, 2])
        let second = dispatcher.regions[1]
        #expect(second.added == ["f20"])
        #expect(second.removed == ["f00"])
        #expect(second.limit == 20)
        #expect(second.regions.count == 20)
        #expect(second.time == .at(180))
        #expect(second.id != first.id)
    }

    @Test("Chosen anew after 500 m, not before, however many fixes there are on the way")
    func moved() {
        let dispatcher = dispatcher(Self.row(21))
        dispatcher.fix(Yard.fix(9_910, 0, at: 0))
        for step in 1...49 { dispatcher.fix(Yard.fix(9_910 + Metres(step) * 10, 0, at: Seconds(step))) }
        #expect(dispatcher.regions.count == 1)
        dispatcher.fix(Yard.fix(10_411, 0, at: 50))
        #expect(dispatcher.regions.last?.added == ["f20"])
    }

    @Test("Another order alone is not told")
    func order() {
        let dispatcher = dispatcher(Self.row(20))
        for step in 0...19 { dispatcher.fix(Yard.fix(Metres(step) * 1_000, 0, at: Seconds(step) * 100)) }
        #expect(dispatcher.regions.count == 1)
        #expect(dispatcher.kept?.regions.place == Yard.place(19_000, 0))
    }

    @Test("As many as the limit says", arguments: [(1, 1), (20, 20), (100, 100), (120, 110)])
    func limit(limit: Int, count: Int) throws {
        let dispatcher = dispatcher(Self.row(110)) { $0.regions.limit = limit }
        dispatcher.fix(Yard.fix(55_100, 0, at: 0))
        let message = try #require(dispatcher.regions.first)
        #expect(message.regions.count == count)
        #expect(message.limit == limit)
        #expect(message.regions.first?.id == "f55")
    }

    // MARK: Which fences

    @Test("Fences of other groups and vehicles are none of its; who joins a group is told at once")
    func groups() {
        let dispatcher = dispatcher([
            Yard.circle("all", 1_000, 0, radius: 50), Yard.fence("north") { $0.groups = ["south", "north"] },
            Yard.fence("t42") { $0.vehicles = [VehicleID("T42")!] },
            Yard.fence("t43") { $0.vehicles = [VehicleID("T43")!] },
        ])
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        #expect(dispatcher.regions.map(\.added) == [["t42", "all"]])
        dispatcher.tell(.profile(HeightProfile(height: 412, source: "driver", groups: ["north", "south"])), at: 10)
        dispatcher.tell(.profile(HeightProfile(height: 412, source: "driver", groups: ["west"])), at: 20)
        #expect(dispatcher.regions.map(\.added) == [["t42", "all"], ["north"], []])
        #expect(dispatcher.regions.map(\.removed) == [[], [], ["north"]])
        #expect(dispatcher.regions.map(\.time) == [.at(0), .at(10), .at(20)])
    }

    @Test("One that comes into force later, or by the hour, is watched before; one whose validity has ended is not")
    func timed() throws {
        let hours = try WeeklyHours(zone: "UTC", week: "Su 06:00-07:00")
        let dispatcher = dispatcher([
            Yard.fence("later") { $0.validFrom = .at(3_600) }, Yard.fence("sunday") { $0.hours = hours },
            Yard.fence("ended") { $0.validUntil = .at(0) }, Yard.fence("ending") { $0.validUntil = .at(100) },
        ])
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        #expect(dispatcher.regions.last?.added == ["ending", "later", "sunday"])
        dispatcher.fix(Yard.fix(600, 0, at: 120))
        #expect(dispatcher.regions.last?.removed == ["ending"])
    }

    @Test("A vehicle to which nothing matters hears nothing, until something does, and when that is over")
    func nothing() {
        let dispatcher = dispatcher([])
        for step in 0...10 { dispatcher.fix(Yard.fix(Metres(step) * 600, 0, at: Seconds(step) * 60)) }
        #expect(dispatcher.regions.isEmpty)
        #expect(dispatcher.states.last?.regions == nil)
        change(dispatcher, "yard", Yard.fence, at: 700)
        change(dispatcher, "yard", nil, at: 710)
        change(dispatcher, "yard", nil, at: 720)
        #expect(dispatcher.regions.map { $0.regions.map(\.id) } == [["yard"], []])
        #expect(dispatcher.regions.map(\.time) == [.at(700), .at(710)])
        #expect(dispatcher.regions.last?.removed == ["yard"])
        #expect(dispatcher.states.last?.regions?.version == 2)
    }

    // MARK: Changes

    @Test("A truck that stands still is told of a new fence where that is one of the nearest, and not of another")
    func newFence() {
        let dispatcher = dispatcher(Self.row(21))
        dispatcher.fix(Yard.fix(8_900, 0, at: 0))
        change(dispatcher, "far", Yard.circle("far", 30_000, 0, radius: 50), at: 10)
        dispatcher.fix(Yard.fix(8_900, 0, at: 20))
        #expect(dispatcher.regions.count == 1)
        change(dispatcher, "near", Yard.circle("near", 9_000, 500, radius: 50), at: 30)
        #expect(dispatcher.regions.last?.added == ["near"])
        #expect(dispatcher.regions.last?.removed == ["f19"])
        change(dispatcher, "near", nil, at: 40)
        #expect(dispatcher.regions.last?.added == ["f19"])
        #expect(dispatcher.regions.last?.removed == ["near"])
    }

    @Test("One that changes counts as added, as it is to be watched anew; one that hardly changes is the same region")
    func changed() {
        let dispatcher = dispatcher([Yard.circle("depot", 3_000, 0, radius: 250)])
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        change(dispatcher, "depot", Yard.circle("depot", 3_000, 0, radius: 249.5), at: 10)
        #expect(dispatcher.regions.count == 1)
        change(dispatcher, "depot", Yard.circle("depot", 3_000, 0, radius: 300), at: 20)
        #expect(dispatcher.regions.last?.added == ["depot"])
        #expect(dispatcher.regions.last?.removed == [])
        #expect(dispatcher.regions.last?.regions.map(\.circle.radius) == [300])
    }

    @Test("Fences that come in one batch are told in one message")
    func batch() {
        let dispatcher = dispatcher([])
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        dispatcher.hear(
            Self.row(30).map { .fences([FenceChange(id: $0.id, fence: $0)], at: .at(10)) })
        #expect(dispatcher.regions.map(\.regions.count) == [20])
    }

    @Test("Whose position may not be used is told nothing")
    func noConsent() {
        let dispatcher = dispatcher([])
        dispatcher.tell(.consent(Consent(.whenInUse, isInUse: true)), at: -10)
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        dispatcher.tell(.consent(Consent(.whenInUse, isInUse: false)), at: 10)
        change(dispatcher, "yard", Yard.fence, at: 20)
        #expect(dispatcher.regions.isEmpty)
        dispatcher.tell(.consent(Consent(.whenInUse, isInUse: true)), at: 30)
        dispatcher.fix(Yard.fix(0, 0, at: 40))
        #expect(dispatcher.regions.map(\.added) == [["yard"]])
    }

    // MARK: Circles

    @Test("A polygon and a corridor are watched by a circle round them, of whole metres")
    func enclosing() throws {
        let line = [Yard.place(0, 3_000), Yard.place(2_000, 3_500), Yard.place(2_500, 5_000)]
        let corridor = Fence(id: "way", shape: .corridor(Corridor(line: line, width: 200)))
        let dispatcher = dispatcher([Yard.fence, corridor])
        dispatcher.fix(Yard.fix(0, 1_000, at: 0))
        let regions = try #require(dispatcher.regions.first).regions
        #expect(regions.map(\.id) == ["yard", "way"])
        #expect(regions.allSatisfy { $0.circle.radius == $0.circle.radius.rounded() && $0.kind == .fence })
        let corners = [(0.0, 0.0), (400, 0), (400, 400), (0, 400)].map { Yard.place($0.0, $0.1) }
        // Half the diagonal of 400 m by 400 m.
        #expect((283...287).contains(regions[0].circle.radius))
        #expect(corners.allSatisfy { regions[0].circle.center.distance(to: $0) <= regions[0].circle.radius })
        #expect(line.allSatisfy { regions[1].circle.center.distance(to: $0) + 99 <= regions[1].circle.radius })
        #expect(regions[1].circle.radius < 1_800)
    }

    @Test(
        "No region is smaller than the least radius", arguments: [(100.0, 50.0, 100.0), (100, 120.2, 121), (0, 50, 50)])
    func radiusMin(least: Metres, radius: Metres, expected: Metres) {
        let dispatcher = dispatcher([Yard.circle("a", 0, 0, radius: radius)]) { $0.regions.radiusMin = least }
        dispatcher.fix(Yard.fix(1_000, 0, at: 0))
        #expect(dispatcher.regions.first?.regions.map(\.circle.radius) == [expected])
    }
}
