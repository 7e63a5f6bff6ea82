import Clearances
import Fleet
import FleetTestSupport
import Geo
import Hashing
import Messages
import Roads
import Testing

/// The life of an alert on the road, told as a dispatcher would.
struct AlertStageTests {
    private func dispatcher(_ drawing: Drawing) -> Dispatcher { Dispatcher(drawing.network) }

    // MARK: From the first word to the last

    @Test("A truck that drives on hears ahead, detour, stop and passed, each once")
    func drivesOn() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(dispatcher.log == ["110 ahead", "180 detour", "210 stop", "220 passed"])
        #expect(dispatcher.alerts.map(\.sequence) == [1, 2, 3, 4])
        #expect(dispatcher.alertCount == 1)
    }

    @Test("A truck that leaves at the detour point hears ahead, detour and cleared")
    func leaves() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("ajnq")))
        #expect(dispatcher.stages == [.ahead, .detour, .cleared])
        #expect(dispatcher.alerts.map(\.sequence) == [1, 2, 3])
        #expect(dispatcher.alertCount == 1)
        #expect(dispatcher.alerts.last?.reason == .leftPath)
        #expect(dispatcher.kept?.alerts.isEmpty == true)
    }

    @Test(
        "The first word comes a mile before the last turn-off, at most one report interval sooner",
        arguments: [
            1.0, 5, 10, 30,
        ])
    func ahead(every: Seconds) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: every))
        let first = try #require(dispatcher.alerts.first)
        let distance = try #require(first.detour?.distance)
        #expect(first.stage == .ahead)
        #expect((Unit.mile - 50...Unit.mile + 20 * max(every, 10)).contains(distance))
        #expect(!first.sideRoad)
    }

    @Test("A fast truck hears it a minute before the last turn-off, where that is farther than a mile")
    func leadTime() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("az"), speed: 30, every: 1))
        let distance = try #require(dispatcher.alerts.first?.detour?.distance)
        // Farther by at most one second and the ten within which the path is looked at.
        let minute: Metres = 30 * 60
        #expect((minute...minute + 330).contains(distance))
    }

    @Test("Stages that sparse fixes skip are skipped, and the sequence has no gaps")
    func sparse() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 60, offset: 1_650))
        #expect(dispatcher.log == ["60 ahead", "120 stop", "180 passed"])
        #expect(dispatcher.alerts.map(\.sequence) == [1, 2, 3])
    }

    @Test("The same fixes give the same messages, byte for byte")
    func deterministic() throws {
        let drawing = try Drawing.bridge()
        let runs = try (0..<2).map { _ in
            let dispatcher = dispatcher(drawing)
            dispatcher.drive(Journey(line: try drawing.line("az")))
            return dispatcher.envelopes
        }
        #expect(runs[0] == runs[1])
        #expect("\(runs[0])" == "\(runs[1])")
    }

    @Test("Two trucks, or two trips of one truck, never share an alert id")
    func ids() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("ajnq")))
        dispatcher.drive(Journey(line: try drawing.line("ajnq"), start: 3600))
        let other = VehicleAddress(vehicle: VehicleID("T43")!)
        for fix in Journey(line: try drawing.line("ajnq")).fixes {
            dispatcher.hear([.report(.location([fix]), from: other, receivedAt: fix.time)])
        }
        let ids = dispatcher.alerts.map(\.id)
        #expect(ids.count == 9)
        #expect(Set(ids).count == 3)
        #expect(ids.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test("A device that sends nothing but where and when is followed at any pace", arguments: [2.0, 3.5, 9])
    func terse(speed: MetresPerSecond) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        var journey = Journey(line: try drawing.line("az"), speed: speed, every: 1, offset: 3_000)
        journey.isFluent = false
        dispatcher.drive(journey)
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
    }

    @Test("Nor is one lost that is known to 40 m only and reports every second")
    func inaccurate() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        for fix in Journey(line: try drawing.line("az"), speed: 15, every: 1, offset: 3_000).fixes {
            dispatcher.fix(Fix(position: fix.position, time: fix.time, accuracy: 40))
        }
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
    }

    // MARK: Late and at once

    @Test("A truck that turns onto the path less than a mile before the last turn-off is told on its first fix there")
    func turnsOnLate() throws {
        let drawing = try Drawing.bridgeWithCrossing()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("stz"), speed: 10, every: 5, offset: 2))
        let first = try #require(dispatcher.alerts.first)
        // 900 m on the side street: the first fix on Main Street is 2 m behind the corner.
        #expect(first.time == .at(90))
        #expect(first.stage == .ahead)
        #expect(try #require(first.detour?.distance).rounded() == 998)
    }

    @Test("A truck first seen right on the last turn-off is told at once, though it may be on either side of it")
    func firstSeenOnTheJunction() throws {
        let dispatcher = dispatcher(try Drawing.bridge())
        dispatcher.fix(Fix(position: Drawing.place(4_001, 0), time: .at(0), accuracy: 5, speed: 5, course: 90))
        #expect(dispatcher.stages == [.ahead])
        dispatcher.fix(Fix(position: Drawing.place(4_051, 0), time: .at(10), accuracy: 5, speed: 5, course: 90))
        #expect(dispatcher.stages == [.ahead, .stop])
    }

    @Test("A truck first seen behind the last turn-off is told to stop at once")
    func firstSeenTooLate() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("jz"), speed: 10, every: 5, offset: 100))
        #expect(dispatcher.log == ["0 stop", "25 passed"])
        #expect(dispatcher.alerts.first?.detour == nil)
    }

    @Test("A truck that stands before the bridge and turns round is clear of it")
    func turnsRound() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("je"), speed: 10, every: 5, offset: 100))
        dispatcher.drive(Journey(line: try drawing.line("ea"), speed: 10, every: 5, start: 60, offset: 30))
        #expect(dispatcher.stages == [.stop, .cleared])
        #expect(dispatcher.alerts.last?.reason == .leftPath)
    }

    @Test(
        "A truck that waits before the bridge is told to stop once, however its fixes scatter",
        arguments: UInt64(1)...10)
    func standsStill(seed: UInt64) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("je"), speed: 10, every: 5, offset: 50))
        var random = SplitMix64(seed: seed)
        for second in stride(from: 30.0, to: 330, by: 5) {
            let (east, north) = (Double.random(in: -8...8, using: &random), Double.random(in: -8...8, using: &random))
            dispatcher.fix(
                Fix(
                    position: Drawing.place(4_280 + east, north), time: .at(second), accuracy: 8, speed: 0.2, course: 13
                ))
        }
        #expect(dispatcher.stages == [.stop])
    }

    // MARK: What a message says

    @Test("CAP words follow the stage")
    func words() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        let words = dispatcher.alerts.map { [$0.urgency.rawValue, $0.severity.rawValue, $0.certainty.rawValue] }
        #expect(
            words == [
                ["Expected", "Severe", "Likely"], ["Immediate", "Severe", "Likely"],
                ["Immediate", "Extreme", "Observed"], ["Past", "Severe", "Observed"],
            ])
    }

    @Test("A message names the structure, the vehicle and the detour in metres along the road")
    func members() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        let ahead = try #require(dispatcher.alerts.first)
        #expect(ahead.clearance.id == "osm:way:1003")
        #expect(ahead.clearance.height == 320)
        #expect(ahead.clearance.posted == "10'6\"")
        #expect(ahead.clearance.verdict == .tooLow)
        #expect(ahead.clearance.position.distance(to: Drawing.place(4_320, 0)) < 1)
        #expect(ahead.vehicleHeight == 412)
        #expect(abs(ahead.margin - 0.0762) < 1e-9)
        #expect(ahead.heightSource == "driver")
        #expect(abs(ahead.distance - (4_300 - 2_207)) < 1)
        #expect(abs(ahead.eta - (4_300 - 2_207) / 20) < 0.1)
        #expect(ahead.chain == ["osm:way:1003"])
        let detour = try #require(ahead.detour)
        #expect(detour.position.distance(to: Drawing.place(4_000, 0)) < 1)
        #expect(abs(detour.distance - (4_000 - 2_207)) < 1)
        #expect(detour.turnOnto == "Bypass Road")
        #expect(abs(try #require(detour.length) - 1_300) < 1)
        #expect(abs(try #require(detour.extra) - 600) < 1)
        #expect(detour.line.map { Int($0.distance(to: Drawing.place(4_000, 0)).rounded()) } == [0, 300, 762, 700])
    }

    @Test("The distance to the detour point shrinks from stage to stage and is 0 behind it")
    func detourDistances() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(dispatcher.alerts.map { Int(($0.detour?.distance ?? -1).rounded()) } == [1793, 393, 0, 0])
        #expect(dispatcher.alerts.map { Int($0.distance.rounded()) } == [2093, 693, 93, 0])
    }

    @Test("It is 0 once the bridge is passed, also where no fix was between the two")
    func detourDistanceOncePassed() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        // Fixes at 3,950 and 4,550 m; `j` is at 4,000 m.
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 30, offset: 350))
        #expect(dispatcher.stages == [.ahead, .detour, .passed])
        #expect(dispatcher.alerts.map { Int(($0.detour?.distance ?? -1).rounded()) } == [1850, 50, 0])
    }

    @Test("An alert expires after twice its eta, or ten minutes where that is longer")
    func expiry() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        let slow = self.dispatcher(drawing)
        slow.drive(Journey(line: try drawing.line("az"), speed: 4))
        for alert in dispatcher.alerts { #expect(alert.expiresAt == alert.time.adding(600)) }
        let first = try #require(slow.alerts.first)
        #expect(first.eta > 450)
        #expect(first.expiresAt == first.time.adding(2 * first.eta))
    }
}

extension Drawing {
    /// Main Street as in `bridge`, crossed 1,000 m before the last turn-off by a street on which most drive straight
    /// on.
    fileprivate static func bridgeWithCrossing() throws -> Drawing {
        try Drawing(
            "t 3000 0\n" + mainStreet("10'6\"").replacing("aj tertiary", with: "atj tertiary") + """
                y 6500 300
                s 3000 -900
                u 3000 900
                stu residential name=Side+Street
                nmy residential name=North+Road
                mg residential name=Mill+Lane
                yz residential name=East+Road
                """)
    }
}
