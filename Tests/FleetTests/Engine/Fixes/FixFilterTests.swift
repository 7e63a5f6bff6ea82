import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// Which fixes are used, and why the others are not.
struct FixFilterTests {
    private static func fix(_ east: Metres, at seconds: Seconds, accuracy: Metres? = 5) -> Fix {
        Fix(position: Drawing.place(east, 0), time: .at(seconds), accuracy: accuracy, speed: 20, course: 90)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var fix: Fix
        /// When it arrives; one fix at 1,000 m was taken and received at 100 s.
        var receivedAt: Seconds
        var reason: InputError?

        init(_ name: String, _ fix: Fix, receivedAt: Seconds, _ reason: InputError?) {
            (testDescription, self.fix, self.receivedAt, self.reason) = (name, fix, receivedAt, reason)
        }
    }

    @Test(
        "Every reason, and its neighbour that is good",
        arguments: [
            Case("as usual", fix(1_200, at: 110), receivedAt: 110, nil),
            Case(
                "at (0, 0)", Fix(position: Coordinate(latitude: 0, longitude: 0), time: .at(110)), receivedAt: 110,
                .nullIsland),
            Case(
                "on the equator elsewhere", Fix(position: Coordinate(latitude: 0, longitude: 9), time: .at(110)),
                receivedAt: 110,
                .implausiblyFast),
            Case("taken 60 s after it arrived", fix(1_200, at: 170), receivedAt: 110, nil),
            Case("taken 61 s after it arrived", fix(1_200, at: 171), receivedAt: 110, .fromTheFuture),
            Case("a day old", fix(1_200, at: 110), receivedAt: 110 + 86_400, nil),
            Case("older than a day", fix(1_200, at: 110), receivedAt: 111 + 86_400, .tooOld),
            Case("good to 100 m", fix(1_200, at: 110, accuracy: 100), receivedAt: 110, nil),
            Case("good to 101 m", fix(1_200, at: 110, accuracy: 101), receivedAt: 110, .inaccurate),
            Case("without accuracy", fix(1_200, at: 110, accuracy: nil), receivedAt: 110, nil),
            Case("of the same time", fix(1_200, at: 100), receivedAt: 110, .duplicate),
            Case("as fast as 70 m/s", fix(1_700, at: 110), receivedAt: 110, nil),
            Case("faster than 70 m/s and noise", fix(1_711, at: 110), receivedAt: 110, .implausiblyFast),
        ])
    func reasons(_ item: Case) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.fix(Self.fix(1_000, at: 100))
        dispatcher.tell(.location([item.fix]), at: item.receivedAt)
        #expect(dispatcher.rejections == (item.reason.map { [$0] } ?? []))
        let last = dispatcher.kept?.lastFix
        #expect(last == (item.reason == nil ? item.fix : Self.fix(1_000, at: 100)))
    }

    @Test(
        "A reported speed that no truck has is not believed, and is no trap for who explains it",
        arguments: [(69, 69), (71, 20), (1e6, 20), (1e300, 20), (Double.greatestFiniteMagnitude, 20)])
    func speed(reported: MetresPerSecond, used: MetresPerSecond) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.fix(Self.fix(1_000, at: 100))
        var fast = Self.fix(1_200, at: 110)
        fast.speed = reported
        dispatcher.fix(fast)
        #expect(dispatcher.rejections.isEmpty)
        #expect(abs(try #require(dispatcher.kept).speed - used) < 0.1)
        for units in [UnitSystem.metric, .imperial] {
            let wording = Wording(units: units)
            #expect(!wording.speed(reported).isEmpty && !wording.length(reported).isEmpty)
            #expect(!wording.seconds(reported).isEmpty && !wording.height(reported).isEmpty)
        }
        #expect(Wording(units: .metric).seconds(.nan) == "0 s")
    }

    @Test(
        "A fix older than the last is no newer place; one that comes within the reorder window still counts for fences")
    func late() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.fix(Self.fix(1_000, at: 100))
        dispatcher.tell(.location([Self.fix(900, at: 95)]), at: 101)
        #expect(dispatcher.rejections.isEmpty)
        #expect(dispatcher.kept?.lastFix == Self.fix(1_000, at: 100))
        dispatcher.tick(110)
        dispatcher.tell(.location([Self.fix(800, at: 90)]), at: 110)
        #expect(dispatcher.rejections == [.outOfOrder])
    }

    @Test("A leap is an outlier twice and thrice; the fourth fix in a row is believed")
    func outliers() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.fix(Self.fix(1_000, at: 0))
        for second in [1.0, 2, 3, 4] { dispatcher.fix(Self.fix(6_000, at: second)) }
        #expect(dispatcher.rejections == [.implausiblyFast, .implausiblyFast, .implausiblyFast])
        #expect(dispatcher.kept?.lastFix == Self.fix(6_000, at: 4))
    }

    @Test("A good fix between makes the count of outliers start anew")
    func outliersApart() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        dispatcher.fix(Self.fix(1_000, at: 0))
        for second in 1...8 { dispatcher.fix(Self.fix(second % 3 == 0 ? 1_000 : 6_000, at: Seconds(second))) }
        #expect(dispatcher.rejections.count == 6)
    }

    @Test("Fixes that are delivered twice, or late, change nothing that is said")
    func repeated() throws {
        let drawing = try Drawing.bridge()
        let fixes = Journey(line: try drawing.line("az")).fixes
        let plain = Dispatcher(drawing.network)
        for fix in fixes { plain.fix(fix) }
        let noisy = Dispatcher(drawing.network)
        for (index, fix) in fixes.enumerated() {
            noisy.fix(fix)
            noisy.tell(.location([fix]), at: fix.time.seconds + 1)
            noisy.tell(.location([fixes[max(0, index - 3)]]), at: fix.time.seconds + 2)
        }
        #expect(noisy.envelopes == plain.envelopes)
        #expect(Set(noisy.rejections) == [.duplicate, .outOfOrder])
    }

    @Test("A buffered upload is judged fix by fix, in its order")
    func upload() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        let fixes = Journey(line: try drawing.line("az")).fixes
        dispatcher.tell(.location(Array(fixes.prefix(22))), at: fixes[21].time.seconds)
        // The fix of 150 s is the first that is no older than a minute.
        #expect(dispatcher.log == ["150 ahead", "180 detour", "210 stop"])
        #expect(dispatcher.states.count == 2)
    }

    @Test("A fix older than a minute raises no alert, one of a minute does", arguments: [(60.0, 1), (60.5, 0)])
    func age(delay: Seconds, count: Int) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        for fix in Journey(line: try drawing.line("az")).fixes.prefix(15) {
            dispatcher.tell(.location([fix]), at: fix.time.seconds + delay)
        }
        #expect(dispatcher.alerts.count == count)
        #expect(dispatcher.rejections.isEmpty)
    }

    @Test("Beyond the configured number of vehicles a new one is refused, known ones go on")
    func tooMany() throws {
        var settings = EngineSettings()
        settings.vehiclesMax = 1
        let dispatcher = Dispatcher(try Drawing.bridge().network, settings: settings)
        let other = VehicleAddress(vehicle: VehicleID("T43")!)
        dispatcher.hear([.report(.location([Self.fix(0, at: 0)]), from: other, receivedAt: .at(0))])
        dispatcher.fix(Self.fix(0, at: 0))
        #expect(dispatcher.rejections == [.tooManyVehicles])
        #expect(dispatcher.engine.vehicleCount == 1)
    }
}
