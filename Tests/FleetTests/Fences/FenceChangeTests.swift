import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// What a change of a fence does to vehicles, and to which.
struct FenceChangeTests {
    private func put(_ fence: Fence, _ dispatcher: Dispatcher, at seconds: Seconds) {
        dispatcher.hear([.fences([FenceChange(id: fence.id, fence: fence)], at: .at(seconds))])
    }

    // MARK: Names

    @Test("Another name: no message, the stay goes on since when it did, and later events bear the new one")
    func renamed() throws {
        let dispatcher = Dispatcher(nil, fences: [])
        put(Yard.fence { $0.name = "Old" }, dispatcher, at: -50)
        for fix in Yard.drive(from: -300, to: 200) { dispatcher.fix(fix) }
        dispatcher.tick(70)
        let (said, state) = (dispatcher.envelopes.count, dispatcher.states.last)
        #expect(state?.fences.map(\.fence) == ["yard"])
        put(Yard.fence { $0.name = "New" }, dispatcher, at: 80)
        put(Yard.fence { $0.name = nil }, dispatcher, at: 81)
        put(Yard.fence { $0.name = "New" }, dispatcher, at: 82)
        #expect(dispatcher.envelopes.count == said)
        #expect(dispatcher.kept?.fences.stays == state?.fences)
        for fix in Yard.drive(from: 200, to: 900, at: 100) { dispatcher.fix(fix) }
        dispatcher.tick(300)
        #expect(dispatcher.events.map(\.event) == [.enter, .exit])
        #expect(dispatcher.events.map(\.fenceName) == ["Old", "New"])
        #expect(
            dispatcher.states.allSatisfy { $0.time <= .at(60) || $0.time >= .at(100) || $0.fences == state?.fences })
    }

    @Test("A renamed fence is among the regions as before, and is found by who comes later, however many were renamed")
    func renamedStays() {
        let dispatcher = Dispatcher(nil, fences: [])
        let fences = (0..<400).map { Yard.circle("f\($0)", Metres($0) * 1_000, 0, radius: 50) }
        dispatcher.hear([.fences(fences.map { FenceChange(id: $0.id, fence: $0) }, at: .at(-50))])
        dispatcher.fix(Yard.fix(500, 0, at: 0))
        dispatcher.tick(15)
        for fence in fences {
            var renamed = fence
            renamed.name = "Renamed"
            put(renamed, dispatcher, at: 20)
        }
        #expect(dispatcher.regions.map(\.version) == [1])
        for second in 30...130 { dispatcher.fix(Yard.fix(200 + Metres(second) * 10, 0, at: Seconds(second))) }
        dispatcher.tick(300)
        #expect(
            dispatcher.events.map { "\($0.event.rawValue) \($0.fence) \($0.fenceName ?? "")" } == [
                "enter f1 Renamed", "exit f1 Renamed",
            ])
    }

    @Test(
        "A change of what holds where, when and for whom is determined anew at the next fix; its stay begins again then",
        arguments: [
            Yard.circle("yard", 200, 200, radius: 300), Yard.fence { $0.hysteresis = 30 }, Yard.fence { $0.dwell = 60 },
            Yard.fence { $0.validUntil = .at(9_000) }, Yard.fence { $0.vehicles = [VehicleID("T42")!] },
        ])
    func changed(fence: Fence) {
        let dispatcher = Dispatcher(nil, fences: [])
        put(Yard.fence, dispatcher, at: -50)
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(15)
        put(fence, dispatcher, at: 20)
        #expect(dispatcher.states.last?.fences == [])
        dispatcher.fix(Yard.fix(200, at: 30))
        dispatcher.tick(45)
        #expect(dispatcher.fenceLog == ["0 determined yard", "30 determined yard"])
        #expect(dispatcher.states.last?.fences == [FenceStay(fence: "yard", since: .at(30))])
    }

    // MARK: Far and near

    /// Trucks ten kilometres apart northwards, each with twenty fences of its own round it, which leave no room for others.
    private static func fleet(_ count: Int) -> (engine: Engine, trucks: [VehicleID]) {
        let fences = (0..<count).flatMap { truck in
            (0..<20).map {
                Yard.circle("t\(truck)-\($0)", Metres($0) * 10 - 100, Metres(truck) * 10_000 + 300, radius: 5)
            }
        }
        let engine = Engine(EngineSettings(), network: nil, fences: fences)
        engine.prepare()
        let trucks = (0..<count).map { VehicleID("T\($0)")! }
        for (number, truck) in trucks.enumerated() {
            let address = VehicleAddress(vehicle: truck)
            let fix = Yard.fix(0, Metres(number) * 10_000, at: 0)
            _ = engine.handle([
                .report(.profile(HeightProfile(height: 412, groups: ["quiet"])), from: address, receivedAt: .at(-9)),
                .report(.location([fix]), from: address, receivedAt: .at(0)),
            ])
        }
        _ = engine.handle([.tick(.at(20))])
        return (engine, trucks)
    }

    private func change(_ engine: Engine, _ id: String, _ fence: Fence?, at seconds: Seconds) -> Effects {
        engine.handle([.fences([FenceChange(id: id, fence: fence)], at: .at(seconds))])
    }

    @Test("A fence that no vehicle is near may come, move and go: no message, nothing to keep, no vehicle looked at")
    func far() {
        let (engine, _) = Self.fleet(50)
        for step in 0..<20 {
            let fence = step == 19 ? nil : Yard.circle("far", 300_000 + Metres(step) * 100, 0, radius: 500)
            let replaced = [
                FenceReplacement(
                    id: "far", before: nil, after: fence.map { KnownFence($0, serial: 1) })
            ]
            #expect(engine.index.concerned(by: replaced).isEmpty)
            let effects = change(engine, "far", fence, at: 100 + Seconds(step))
            #expect(effects.envelopes.isEmpty && effects.changed.isEmpty)
        }
    }

    @Test("One beside a vehicle is among its regions at once, and those of no other; gone, all is as before")
    func near() {
        let (engine, trucks) = Self.fleet(50)
        let came = change(engine, "new", Yard.circle("new", 0, 70_020, radius: 10), at: 100)
        #expect(came.changed == [trucks[7]])
        let regions = { (effects: Effects) in
            effects.envelopes.compactMap { envelope -> ([String], [String])? in
                guard case .regions(let message) = envelope.message else { return nil }
                return (message.added, message.removed)
            }
        }
        #expect(regions(came).map(\.0) == [["new"]])
        let went = change(engine, "new", nil, at: 110)
        #expect(went.changed == [trucks[7]])
        #expect(regions(went).map(\.1) == [["new"]])
        #expect(regions(went).map(\.0) == regions(came).map(\.1))
    }

    @Test("A vehicle that has moved is found where it is now, and one that was forgotten nowhere")
    func moved() {
        let (engine, trucks) = Self.fleet(3)
        let address = VehicleAddress(vehicle: trucks[1])
        for step in 1...60 {
            let fix = Yard.fix(0, 10_000 + Metres(step) * 300, at: 20 + Seconds(step) * 10)
            _ = engine.handle([.report(.location([fix]), from: address, receivedAt: fix.time)])
        }
        let fence = Yard.circle("new", 0, 28_000, radius: 10)
        #expect(change(engine, "new", fence, at: 700).changed == [trucks[1]])
        _ = change(engine, "new", nil, at: 701)
        _ = engine.handle([.forget(ForgetRequest(vehicle: trucks[1], id: nil))])
        #expect(change(engine, "new", fence, at: 710).changed.isEmpty)
    }

    @Test(
        "A device in a quiet circle is called out of it by a fence inside, and by no other", arguments: [true, false])
    func quiet(isInside: Bool) throws {
        var settings = EngineSettings()
        settings.trackingGroups = ["quiet"]
        let fences = [Yard.circle("edge", 8_000, 0, radius: 100)]
        let engine = Engine(settings, network: nil, fences: fences)
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 412, groups: ["quiet"])), at: -60)
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        dispatcher.tick(15)
        #expect(try #require(dispatcher.trackings.last?.quiet).radius > 7_000)
        put(Yard.circle("new", isInside ? 3_000 : 30_000, 0, radius: 100), dispatcher, at: 100)
        #expect(dispatcher.trackings.count == (isInside ? 2 : 1))
        #expect(isInside == (dispatcher.trackings.last?.quiet == nil))
    }

    // MARK: The index

    @Test(
        "Whoever a change matters to is found, wherever vehicles and fences are",
        arguments: 1...6 as ClosedRange<UInt64>)
    func found(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func draw(_ range: ClosedRange<Double>) -> Double {
            range.lowerBound + random.fraction() * (range.upperBound - range.lowerBound)
        }
        // Near the pole, over the antimeridian, and in between.
        let middle = [(69.5, 20.0), (0, 180), (-45, -179.95), (42, -84), (85, 0), (10, 179.9)][Int(seed) - 1]
        func place(_ spread: Degrees) -> Coordinate {
            let longitude = middle.1 + draw(-spread...spread)
            let turned = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
            return Coordinate(latitude: min(89, middle.0 + draw(-spread...spread)), longitude: turned)
        }
        var index = VehicleIndex()
        var vehicles: [KeptVehicle] = []
        for number in 0..<300 {
            let kept = KeptVehicle(Vehicle(address: VehicleAddress(vehicle: VehicleID("T\(number)")!)))
            var vehicle = kept.awake.vehicle
            for _ in 0...random.index(below: 3) {
                vehicle.lastFix = Fix(position: place(1), time: .at(0))
                vehicle.quiet.quiet = QuietCircle(
                    circle: Circle(center: vehicle.lastFix!.position, radius: draw(200...20_000)), validUntil: .at(9))
                index.note(vehicle, in: kept)
            }
            kept.awake.vehicle = vehicle
            vehicles.append(kept)
        }
        for vehicle in vehicles.prefix(50) { index.remove(vehicle) }
        vehicles.removeFirst(50)
        for number in 0..<200 {
            let circle = Circle(center: place(1.2), radius: draw(20...3_000))
            let fence = KnownFence(Fence(id: "f\(number)", shape: .circle(circle)), serial: number + 1)
            let found = index.concerned(by: [FenceReplacement(id: fence.fence.id, before: fence, after: nil)])
            for vehicle in vehicles {
                let quiet = vehicle.awake.vehicle.quiet.quiet!.circle
                let isNear = fence.shape.signedDistance(from: quiet.center).magnitude < quiet.radius
                if isNear { #expect(found.contains(vehicle.id)) }
            }
            #expect(found.isDisjoint(with: (0..<50).map { VehicleID("T\($0)")! }))
        }
    }
}
