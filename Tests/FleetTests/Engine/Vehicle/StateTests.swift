import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// What stands on a vehicle's state topic, and when it is published anew.
struct StateTests {
    private func parked(_ seconds: Seconds, east: Metres = 6_000, north: Metres = 0) -> Fix {
        Fix(position: Drawing.place(east, north), time: .at(seconds), accuracy: 5, speed: 0)
    }

    // MARK: When

    @Test(
        "Every change is published, the first time that the fences are known too; the last fix alone at most once a minute"
    )
    func lastFixOnceAMinute() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        for second in stride(from: 0.0, through: 300, by: 10) { dispatcher.fix(parked(second)) }
        #expect(dispatcher.states.map { $0.lastFix?.seconds } == [nil, 0, 10, 70, 130, 190, 250])
    }

    @Test("The state carries the last message of each open alert, and none of those that ended")
    func alerts() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        for fix in Journey(line: try drawing.line("az")).fixes {
            let before = dispatcher.alerts.count
            dispatcher.fix(fix)
            guard dispatcher.alerts.count > before, let alert = dispatcher.alerts.last else { continue }
            #expect(dispatcher.states.last?.alerts == (alert.stage.isEnd ? [] : [alert]))
        }
        #expect(dispatcher.states.last?.alerts == [])
    }

    @Test("Sequences count up without a gap, and no id comes twice")
    func sequences() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        let states = dispatcher.states
        #expect(states.map(\.sequence) == Array(1...states.count))
        #expect(Set(states.map(\.id)).count == states.count)
    }

    @Test("The time of a state is that of the fix or the report that caused it, however late it came")
    func time() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.tell(.location([parked(0)]), at: 25)
        dispatcher.tell(.presence(.online), at: 30)
        #expect(dispatcher.states.map(\.time.seconds) == [-60, 0, 30])
    }

    @Test("Presence is told once for each change")
    func presence() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        for (index, presence) in [Presence.online, .online, .offline, .online].enumerated() {
            dispatcher.tell(.presence(presence), at: Seconds(index))
        }
        #expect(dispatcher.states.map(\.presence) == [nil, .online, .offline, .online])
    }

    @Test("A vehicle speaks under the topic levels of its newest fix")
    func levels() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        let north = VehicleAddress(vehicle: Dispatcher.truck.vehicle, levels: ["north"])
        dispatcher.hear([.report(.location([parked(0)]), from: north, receivedAt: .at(0))])
        dispatcher.tell(.presence(.online), at: 1)
        let levels = dispatcher.envelopes.map(\.address.levels)
        #expect(levels.first == [])
        #expect(levels.count >= 3 && levels.dropFirst().allSatisfy { $0 == ["north"] })
    }

    // MARK: Blind spots

    private func blind(_ dispatcher: Dispatcher) -> [StateMessage.BlindSpot]? { dispatcher.states.last?.blind }

    @Test("A vehicle away from every road is off the network until it is back")
    func offNetwork() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.fix(parked(0, east: 1_000, north: 400))
        #expect(blind(dispatcher) == [.offNetwork])
        dispatcher.fix(parked(60, east: 1_000, north: 4))
        #expect(blind(dispatcher) == [])
    }

    @Test(
        "A position is stale after three report intervals, at least a minute, timed by that deadline",
        arguments: [
            (1.0, 60.0), (10, 60), (20, 60), (30, 90), (50, 150),
        ])
    func stalePosition(every: Seconds, after: Seconds) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        for index in 0..<3 { dispatcher.fix(parked(Seconds(index) * every)) }
        let last = 2 * every
        dispatcher.tick(last + after - 1)
        #expect(blind(dispatcher) == [])
        dispatcher.tick(last + after + 7)
        #expect(blind(dispatcher) == [.stalePosition])
        #expect(dispatcher.states.last?.time == .at(last + after))
        dispatcher.fix(parked(last + 400))
        #expect(blind(dispatcher) == [])
    }

    @Test("Staleness is told once, however often the clock ticks")
    func staleOnce() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.fix(parked(0))
        for second in stride(from: 10.0, through: 1_000, by: 10) { dispatcher.tick(second) }
        // At 12 s it is known which fences it is inside of; at 600 s its alert ends.
        #expect(dispatcher.states.map(\.time.seconds) == [-60, 0, 12, 60, 600])
    }

    @Test("Ten minutes of silence end an alert, whether the device tells its speed or not", arguments: [true, false])
    func silence(isFluent: Bool) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        var journey = Journey(line: try drawing.line("az"))
        journey.isFluent = isFluent
        for fix in journey.fixes.prefix(12) { dispatcher.fix(fix) }
        for second in stride(from: 115.0, through: 4_000, by: 10) { dispatcher.tick(second) }
        #expect(dispatcher.log == ["110 ahead", "710 cleared"])
        #expect(dispatcher.alerts.last?.reason == .positionLost)
        #expect(dispatcher.states.last?.alerts.count == 0)
    }

    @Test("A device whose clock runs ahead is said to, until a fix is right again")
    func clockSkew() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.fix(parked(0))
        dispatcher.tell(.location([parked(600)]), at: 10)
        #expect(blind(dispatcher) == [.clockSkew])
        dispatcher.fix(parked(20))
        #expect(blind(dispatcher) == [])
    }

    @Test("Without a road file there is no clearance data, and no alert")
    func noRoads() throws {
        let dispatcher = Dispatcher(nil)
        dispatcher.drive(Journey(line: try Drawing.bridge().line("az")))
        #expect(blind(dispatcher) == [.noClearanceData])
        #expect(dispatcher.alerts.isEmpty)
    }
}
