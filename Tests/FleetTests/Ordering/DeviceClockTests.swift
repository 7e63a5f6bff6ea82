import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// A device whose clock is set back, or ahead, and runs on.
struct DeviceClockTests {
    /// Fixes of one message, as the device has its time, and when they arrive.
    private struct Arrival {
        var fixes: [Fix]
        var at: Seconds

        /// - Parameter difference: how far the device's clock is ahead.
        init(_ fixes: [Fix], clock difference: Seconds = 0, late: Seconds = 0) {
            at = (fixes.last?.time.seconds ?? 0) + late
            self.fixes = fixes
            for index in fixes.indices { self.fixes[index].time = fixes[index].time.adding(difference) }
        }
    }

    /// To a bridge whose last turn-off comes after three minutes.
    private static let bridge: [Fix] = {
        do { return Journey(line: try Drawing.bridge().line("az"), every: 1).fixes } catch { fatalError("\(error)") }
    }()
    /// Through a yard, from 150 s to 190 s.
    private static let yard = Yard.drive(from: -1_500, to: 1_500)

    private static func wrong(
        _ fixes: [Fix], by difference: Seconds, until end: Seconds = .infinity, then rest: Seconds = 0
    ) -> [Arrival] {
        fixes.map { fix in
            Arrival([fix], clock: fix.time.seconds < 20 ? 0 : fix.time.seconds < end ? difference : rest)
        }
    }

    private func said(_ arrivals: [Arrival]) throws -> Dispatcher {
        let dispatcher = Dispatcher(try Drawing.bridge().network, fences: [Yard.fence])
        for arrival in arrivals {
            dispatcher.tick(arrival.at)
            dispatcher.tell(.location(arrival.fixes), at: arrival.at)
        }
        dispatcher.tick((arrivals.last?.at ?? 0) + 30)
        return dispatcher
    }

    private func isSkewed(_ dispatcher: Dispatcher) -> Bool {
        dispatcher.states.last?.blind.contains(.clockSkew) ?? false
    }

    // MARK: Taken up

    @Test(
        "A minute after a clock was set wrong, alerts are those of the right one, and their times those of arrival",
        arguments: [-86_000, -3_600, -90, 90, 3_600, 1e9] as [Seconds])
    func alerts(difference: Seconds) throws {
        let plain = try said(Self.bridge.map { Arrival([$0]) })
        let dispatcher = try said(Self.wrong(Self.bridge, by: difference))
        #expect(plain.log.count >= 3)
        #expect(dispatcher.log == plain.log)
        #expect(dispatcher.alerts.map(\.id) == plain.alerts.map(\.id))
        #expect(isSkewed(dispatcher))
        let reason = difference < 0 ? InputError.outOfOrder : .fromTheFuture
        #expect(dispatcher.rejections == Array(repeating: reason, count: 60))
        #expect(dispatcher.kept?.lastFix == Self.bridge.last)
        #expect(zip(dispatcher.states, dispatcher.states.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("Fence events are those of the right clock, too", arguments: [-3_600, 3_600] as [Seconds])
    func fences(difference: Seconds) throws {
        let dispatcher = try said(Self.wrong(Self.yard, by: difference))
        #expect(dispatcher.fenceLog == ["150 enter yard", "190 exit yard"])
        #expect(dispatcher.events == (try said(Self.yard.map { Arrival([$0]) })).events)
    }

    @Test("Messages of many fixes, or that come twice, or up to 9 s late, are as good")
    func otherDeliveries() throws {
        let wrong = Self.wrong(Self.yard, by: -3_600)
        let batches = stride(from: 0, to: Self.yard.count, by: 10)
            .map { Arrival(Array(Self.yard[$0..<min($0 + 10, Self.yard.count)]), clock: $0 < 20 ? 0 : -3_600) }
        let twice = wrong.flatMap { [$0, $0] }
        let late = Self.yard.enumerated().map { index, fix in
            Arrival([fix], clock: index < 20 ? 0 : -3_600, late: Seconds(index * 7 % 10))
        }
        for arrivals in [batches, twice, late.sorted { $0.at < $1.at }] {
            let dispatcher = try said(arrivals)
            #expect(dispatcher.events.map(\.event) == [.enter, .exit])
            #expect(isSkewed(dispatcher))
        }
    }

    @Test("A device that reports each minute is taken up at the fourth fix")
    func sparse() throws {
        let fixes = Yard.drive(from: -1_500, to: 1_500, speed: 2, every: 60)
        let dispatcher = try said(Self.wrong(fixes, by: -7_200))
        #expect(dispatcher.rejections == [.outOfOrder, .outOfOrder, .outOfOrder])
        #expect(dispatcher.kept?.lastFix == fixes.last)
    }

    @Test("A clock that is put right is believed at once", arguments: [-3_600, 3_600] as [Seconds])
    func putRight(difference: Seconds) throws {
        let dispatcher = try said(Self.wrong(Self.yard, by: difference, until: 170))
        #expect(dispatcher.rejections.count == 60)
        #expect(dispatcher.fenceLog == ["150 enter yard", "190 exit yard"])
        #expect(!isSkewed(dispatcher))
        #expect(dispatcher.kept?.clock == nil)
    }

    @Test(
        "One that is set wrong by another time is taken up again after another minute",
        arguments: [-7_200, -1_200, -3_000, 600] as [Seconds])
    func setAgain(difference: Seconds) throws {
        let dispatcher = try said(Self.wrong(Self.yard, by: -3_600, until: 170, then: difference))
        #expect(dispatcher.rejections.count == 120)
        #expect(dispatcher.kept?.lastFix == Self.yard.last)
        #expect(isSkewed(dispatcher))
    }

    @Test("What a device buffered behind a dead spot is as old as it is, by its wrong clock, too")
    func buffered() throws {
        let wrong = Self.wrong(Self.yard, by: -3_600)
        let buffered = Arrival(Array(Self.yard[120..<240]), clock: -3_600)
        let dispatcher = try said(Array(wrong[..<120]) + [buffered] + wrong[240...])
        #expect(dispatcher.fenceLog == ["150 enter yard", "190 exit yard"])
        #expect(dispatcher.rejections.count == 60)
    }

    @Test("A gateway that starts again before any fix says the same")
    func restarted() throws {
        let network = try Drawing.bridge().network
        let inputs = Self.wrong(Self.bridge, by: -3_600, until: 150).flatMap { arrival -> [Input] in
            [
                .report(.location(arrival.fixes), from: Dispatcher.truck, receivedAt: .at(arrival.at)),
                .tick(.at(arrival.at + 0.5)),
            ]
        }
        let whole = Engine(EngineSettings(), network: network)
        var engine = Engine(EngineSettings(), network: network)
        for input in inputs {
            #expect(engine.handle([input]).envelopes == whole.handle([input]).envelopes)
            let kept = try #require(engine.vehicle(Dispatcher.truck.vehicle))
            engine = Engine(EngineSettings(), network: network)
            engine.restore(try kept.roundTripped())
        }
    }

    // MARK: Left as they are

    /// Through the yard, and so until the last fix of them.
    private static let live = yard.map { Arrival([$0]) }

    @Test(
        "What was buffered comes faster than it was taken, and stays out of order", arguments: [1.5, 2, 10])
    func upload(speed: Double) throws {
        let end = Self.yard.last?.time.seconds ?? 0
        let old = (0..<300).map { number in
            let fix = Yard.fix(-4_000 + Seconds(number), at: end - 900 + Seconds(number))
            return Arrival([fix], late: 900 - Seconds(number) + Seconds(number + 1) / speed)
        }
        let dispatcher = try said(Self.live + old)
        #expect(dispatcher.rejections == Array(repeating: .outOfOrder, count: 300))
        #expect(dispatcher.kept?.lastFix == Self.yard.last)
        #expect(!isSkewed(dispatcher))
    }

    @Test("So does what is delivered again, all at once or once a minute")
    func redelivered() throws {
        let again = [100.0, 160, 220, 280].flatMap { late in
            Self.live.prefix(200).map { arrival in
                var arrival = arrival
                arrival.at = 300 + late + arrival.at / 1_000
                return arrival
            }
        }
        let dispatcher = try said(Self.live + again)
        #expect(dispatcher.rejections.count == 800)
        #expect(dispatcher.events == (try said(Self.live)).events)
        #expect(!isSkewed(dispatcher))
    }

    @Test("So does a stretch that is sent once more, as far apart as it was taken", arguments: [0, 100, 200])
    func playedAgain(from start: Int) throws {
        let again = Self.live[start...].map { arrival in
            var arrival = arrival
            arrival.at += 301 - Seconds(start)
            return arrival
        }
        let dispatcher = try said(Self.live + again)
        #expect(dispatcher.rejections.count == again.count)
        #expect(dispatcher.events == (try said(Self.live)).events)
        #expect(!isSkewed(dispatcher))
    }

    @Test("So do older fixes that come as they were taken, beside newer ones that do, too", arguments: [1, 10, 50])
    func besideLive(every: Int) throws {
        let old = Self.yard.map { Arrival([$0], clock: -3_600) }
        let newer = stride(from: 0, to: Self.live.count, by: every).map { Self.live[$0] }
        let dispatcher = try said((newer + old.dropFirst()).sorted { $0.at < $1.at })
        #expect(Set(dispatcher.rejections) == [.outOfOrder])
        #expect(!isSkewed(dispatcher))
        #expect(dispatcher.kept?.clock?.offset ?? 0 == 0)
    }

    @Test("So does what is older than may be, however it comes")
    func tooOld() throws {
        let dispatcher = try said(Self.wrong(Self.yard, by: -90_000))
        #expect(Set(dispatcher.rejections) == [.tooOld])
        #expect(dispatcher.kept?.lastFix == Self.yard[19])
    }

    @Test("A clock that was set back by less than a minute catches up before that")
    func lessThanAMinute() throws {
        let dispatcher = try said(Self.wrong(Self.yard, by: -50))
        #expect(dispatcher.kept?.clock == nil)
        #expect(dispatcher.kept?.lastFix?.time == Self.yard.last?.time.adding(-50))
    }
}
