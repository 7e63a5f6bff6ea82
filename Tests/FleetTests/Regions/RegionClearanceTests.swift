import Clearances
import Evaluation
import FleetTestSupport
import Geo
import Messages
import RoadImport
import Roads
import Testing

@testable import Fleet

/// Low clearances among the regions.
struct RegionClearanceTests {
    private func kinds(_ message: RegionsMessage?) -> [String] {
        message?.regions.map { "\($0.kind.rawValue) \($0.id)" } ?? []
    }

    @Test("They come and go with the height of the vehicle, which stands still, and their circle holds the turn-offs")
    func height() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network, height: 300)
        dispatcher.fix(Yard.fix(1_000, 0, at: 0))
        #expect(dispatcher.regions.isEmpty)
        dispatcher.tell(.profile(HeightProfile(height: 412, source: "driver")), at: 10)
        #expect(kinds(dispatcher.regions.last) == ["clearance osm:way:1003"])
        let circle = try #require(dispatcher.regions.last?.regions.first?.circle)
        // The junctions where one must leave the road, and a mile before them.
        for east in [4_000 - Unit.mile, 4_000, 4_700, 4_700 + Unit.mile] {
            #expect(circle.center.distance(to: Drawing.place(east, 0)) < circle.radius)
        }
        #expect(circle.radius < 4_000)
        dispatcher.tell(.profile(HeightProfile(height: 300, source: "driver")), at: 20)
        #expect(dispatcher.regions.last?.removed == ["osm:way:1003"])
        #expect(dispatcher.regions.map(\.version) == [1, 2])
    }

    @Test("Where the last turn-off is miles before the bridge, the circle reaches as far and a mile farther")
    func farTurnOff() throws {
        let drawing = try Drawing(
            """
            a 0 0
            j 10000 0
            e 15000 0
            f 15040 0
            z 20000 0
            n 10000 500
            m 20000 500
            aj tertiary
            je tertiary
            ef tertiary maxheight=3.2
            fz tertiary
            jn residential
            nm residential
            mz residential
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(dispatcher.stages.first == .ahead)
        let circle = try #require(dispatcher.regions.first?.regions.first?.circle)
        #expect(circle.center.distance(to: Drawing.place(10_000 - Unit.mile, 0)) < circle.radius)
        #expect(circle.radius < 5_000 + 3_000)
    }

    @Test("One that dispatch enters is sent at once, also to who is far away, and taken back at once")
    func live() throws {
        let dispatcher = Dispatcher(try Drawing.bridge("5").network)
        dispatcher.fix(Fix(position: Drawing.place(-20_000, 0), time: .at(0), accuracy: 5))
        for (second, posted) in [(10.0, Optional("3.2")), (20, nil)] {
            let clearance = posted.map { PointClearance(id: "a", position: Drawing.place(4_320, 0), posted: $0) }
            dispatcher.hear([.clearances([ClearanceChange(id: "a", clearance: clearance)], at: .at(second))])
        }
        #expect(dispatcher.regions.map { $0.regions.map(\.id) } == [["a"], []])
        #expect(dispatcher.regions.map(\.time) == [.at(10), .at(20)])
    }

    @Test(
        "A device tells regions apart by id: a fence and a clearance of one id are one region, and none is called as the quiet circle"
    )
    func oneID() throws {
        let low = PointClearance(
            id: "bridge", position: Drawing.place(5_000, 2_000), posted: "3", detours: [Drawing.place(2_000, 2_000)])
        let fences = [
            Yard.circle("bridge", 5_200, 2_000, radius: 150), Yard.circle("quiet", 4_000, 2_000, radius: 150),
        ]
        let engine = Engine(EngineSettings(), network: nil, clearances: [low], fences: fences)
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        #expect(kinds(dispatcher.regions.last) == ["clearance bridge"])
        let circle = try #require(dispatcher.regions.last?.regions.first?.circle)
        #expect(circle.center.distance(to: low.position) < 1 && circle.radius > 3_000 + Unit.mile - 10)
    }

    @Test("Of a fence and a clearance of one id that lie far apart the nearer is watched")
    func oneIDFarApart() throws {
        let low = PointClearance(id: "12", position: Drawing.place(5_000, 2_000), posted: "3")
        let engine = Engine(
            EngineSettings(), network: nil, clearances: [low],
            fences: [Yard.circle("12", 90_000, 2_000, radius: 150)])
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        #expect(kinds(dispatcher.regions.last) == ["clearance 12"])
        #expect(try #require(dispatcher.regions.last?.regions.first?.circle).radius < 10_000)
    }

    @Test(
        "Of unknown height those that drivers are told of",
        arguments: [(EngineSettings.Alerts.Unknown.none, 0), (.belowDefault, 1)])
    func unknown(setting: EngineSettings.Alerts.Unknown, count: Int) throws {
        var settings = EngineSettings()
        settings.alerts.unknown = setting
        for network in [try Drawing.bridge("below_default").network, nil] {
            let clearance = PointClearance(id: "b", position: Drawing.place(4_320, 0), posted: "below_default")
            let engine = Engine(settings, network: network, clearances: network == nil ? [clearance] : [])
            let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
            dispatcher.fix(Yard.fix(1_000, 0, at: 0))
            #expect((dispatcher.regions.last?.regions ?? []).count == count)
        }
    }

    @Test("Without roads, and where no road was found, they are watched as well, with the turn-offs that are known")
    func straightLine() throws {
        let low = PointClearance(
            id: "low", position: Drawing.place(5_000, 2_000), posted: "3", detours: [Drawing.place(2_000, 2_000)])
        let high = PointClearance(id: "high", position: Drawing.place(5_000, 3_000), posted: "5")
        for network in [try Drawing.bridge("5").network, nil] {
            let engine = Engine(EngineSettings(), network: network, clearances: [low, high])
            let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
            dispatcher.fix(Yard.fix(0, 0, at: 0))
            #expect(kinds(dispatcher.regions.last) == ["clearance low"])
            let radius = try #require(dispatcher.regions.last?.regions.first?.circle.radius)
            #expect(radius >= 3_000 + Unit.mile && radius < 7_000)
        }
    }

    @Test("Bridges in a chain have one region, under the name that alerts from either side give it")
    func chain() throws {
        let drawing = try Drawing(
            """
            a 0 0
            j 4000 0
            e 4300 0
            f 4340 0
            g 4700 0
            h 4740 0
            z 6500 0
            n 4000 500
            aj tertiary
            je tertiary
            ef tertiary maxheight=3.8 oneway=yes
            fg tertiary oneway=yes
            gh tertiary maxheight=3.2 oneway=yes
            hz tertiary
            jn residential
            nz residential
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(dispatcher.alerts.first?.chain == ["osm:way:1003", "osm:way:1005"])
        #expect(dispatcher.regions.map { $0.regions.map(\.id) } == [["osm:way:1003"]])
    }

    @Test(
        "On random trips every alert but `stop` begins inside of its region",
        arguments: 1...3 as ClosedRange<UInt64>)
    func wakesInTime(seed: UInt64) throws {
        let town = try QuietTown(seed: seed, fences: 0)
        let settings = QuietTown.settings
        let engine = Engine(settings, network: town.network)
        var draw = TripSampler(town.network, seed: seed)
        var count = 0
        for number in 0..<30 as Range<UInt64> {
            guard let trip = draw.anywhere(lengthMin: 3_000) else { continue }
            let truck = VehicleAddress(vehicle: try #require(VehicleID("T\(number)")))
            let dispatcher = Dispatcher(engine, truck: truck, height: 380)
            let drive = Drive(trip, Drive.Settings(noise: 3, standing: 0), from: .at(0), seed: seed << 32 + number)
            for fix in drive {
                let before = dispatcher.alerts.count
                let known = Set(dispatcher.alerts.map(\.id))
                dispatcher.fix(fix)
                let effective = EffectiveHeight(of: try #require(dispatcher.kept), at: fix.time, settings.heights)
                let regions = engine.map.clearanceRegions(for: effective.effective)?.regions ?? []
                for alert in dispatcher.alerts.dropFirst(before) where !known.contains(alert.id) && alert.stage != .stop
                {
                    count += 1
                    let circle = try #require(regions.first { $0.id == alert.clearance.id }).circle
                    #expect(circle.center.distance(to: fix.position) <= circle.radius)
                }
            }
        }
        #expect(count > 5)
    }
}
