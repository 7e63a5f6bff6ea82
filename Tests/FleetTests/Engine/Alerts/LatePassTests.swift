import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

@Suite("On roads too, fixes that come after a newer one show a pass that was not heard of")
struct LatePassTests {
    /// The low bridge of `Drawing.bridge`, and a road that runs beside it, 30 m to the north.
    ///
    ///              n──────m
    ///     a────────j──e=f──g──────────z
    ///
    /// - Parameter wayBack: whether it leads back, too; else nobody who is behind the bridge can come there again.
    private func road(wayBack: Bool = false) throws -> Drawing {
        try Drawing(
            """
            a 0 0
            j 4000 0
            e 4300 0
            f 4340 0
            g 4700 0
            z 6500 0
            n 4050 30
            m 4650 30
            aj tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.2
            fgz tertiary name=Main+Street
            jnmg tertiary name=Side+Road\(wayBack ? "" : " oneway=yes")
            """)
    }

    /// Drives up to 1 km before the bridge's turn-off, is not heard of for more than `fixes.gap`, and drives on along a line
    /// from there: of that the fix at `newest` comes first, then those before it, newest first, and all others in time.
    private func drive(_ dispatcher: Dispatcher, along line: [Coordinate], every: Seconds, newest: Seconds) {
        dispatcher.drive(Journey(line: [Drawing.place(0, 0), Drawing.place(3_000, 0)]))
        #expect(dispatcher.stages == [.ahead])
        let fixes = Journey(line: line, every: every, start: 500, offset: 0).fixes
        let unheard = fixes.filter { $0.time <= .at(newest) }
        #expect(unheard.last?.time == .at(newest))
        for fix in unheard.reversed() { dispatcher.tell(.location([fix]), at: newest) }
        for fix in fixes where fix.time > .at(newest) { dispatcher.fix(fix) }
    }

    @Test("Under a bridge, one fix at a time and the newest first", arguments: [2.0, 10])
    func passed(every: Seconds) throws {
        let dispatcher = Dispatcher(try road().network, height: 412)
        // At 4,320 m, under the bridge, after 66 s.
        let line = [Drawing.place(3_000, 0), Drawing.place(6_400, 0)]
        drive(dispatcher, along: line, every: every, newest: 570)
        #expect(dispatcher.stages.last == .passed, "\(dispatcher.log)")
    }

    @Test("Who took the road beside the bridge has not passed it", arguments: [2.0, 10], [30.0, 23])
    func beside(every: Seconds, north: Metres) throws {
        let dispatcher = Dispatcher(try road().network, height: 412)
        let line = [
            (3_000.0, 0.0), (4_000, 0), (4_050, north), (4_650, north), (4_700, 0), (6_400, 0),
        ].map { Drawing.place($0.0, $0.1) }
        drive(dispatcher, along: line, every: every, newest: 570)
        #expect(dispatcher.stages.first == .ahead && !dispatcher.stages.contains(.passed), "\(dispatcher.log)")
    }

    /// Drives along a line up to 2,807 m, at 140 s, is not heard of for ten minutes, and goes on in time.
    ///
    /// All fixes of the ten minutes, one a second, come at their end.
    ///
    /// - Parameters:
    ///   - count: of those in a message, at most.
    ///   - afterNewer: whether they come after the first that is in time, or before it.
    private func upload(
        _ dispatcher: Dispatcher, along line: [Coordinate], _ speed: MetresPerSecond, by count: Int, afterNewer: Bool
    ) throws {
        dispatcher.drive(Journey(line: [Drawing.place(0, 0), Drawing.place(3_000, 0)]))
        #expect(dispatcher.stages == [.ahead])
        let fixes = Journey(line: line, speed: speed, every: 1, start: 140, offset: 2_807).fixes.dropFirst()
        let (late, inTime) = (Array(fixes.prefix(598)), fixes.dropFirst(598).prefix(60))
        let newer = try #require(inTime.first)
        if afterNewer { dispatcher.fix(newer) }
        for start in stride(from: 0, to: late.count, by: count) {
            let piece = Array(late[start..<min(start + count, late.count)])
            dispatcher.tell(.location(piece), at: newer.time.seconds)
        }
        for fix in inTime where !afterNewer || fix != newer { dispatcher.fix(fix) }
    }

    /// Under the bridge after 252, 378 and 560 s: in each of the pieces by 256.
    private static let speeds: [MetresPerSecond] = [6, 4, 2.7]

    @Test("Ten minutes of fixes, one a second, show it in one message and in pieces", arguments: speeds, [600, 256])
    func uploadedPass(speed: MetresPerSecond, count: Int) throws {
        let network = try road().network
        let line = [Drawing.place(0, 0), Drawing.place(6_500, 0)]
        for afterNewer in [true, false] {
            let dispatcher = Dispatcher(network, height: 412)
            try upload(dispatcher, along: line, speed, by: count, afterNewer: afterNewer)
            #expect(dispatcher.stages.last == .passed, "after a newer one: \(afterNewer), \(dispatcher.log)")
        }
    }

    @Test("By ten minutes of fixes, too, who took the road beside it has not passed", arguments: speeds, [600, 256])
    func uploadedBeside(speed: MetresPerSecond, count: Int) throws {
        let network = try road().network
        let line = [
            (0.0, 0.0), (4_000, 0), (4_050, 30), (4_650, 30), (4_700, 0), (6_500, 0),
        ].map { Drawing.place($0.0, $0.1) }
        for afterNewer in [true, false] {
            let dispatcher = Dispatcher(network, height: 412)
            try upload(dispatcher, along: line, speed, by: count, afterNewer: afterNewer)
            #expect(!dispatcher.stages.contains(.passed), "after a newer one: \(afterNewer), \(dispatcher.log)")
        }
    }

    @Test("An older pass says nothing of the bridge that lies ahead of a newer fix")
    func earlierPass() throws {
        let dispatcher = Dispatcher(try road(wayBack: true).network, height: 412)
        let out = Journey(line: [Drawing.place(0, 0), Drawing.place(6_400, 0)], start: 800).fixes
        let back = Journey(line: [Drawing.place(6_400, 0), Drawing.place(4_900, 0)], start: 1_130, offset: 0).fixes
        dispatcher.fix(Fix(position: Drawing.place(0, 0), time: .at(700), accuracy: 5, speed: 0))
        dispatcher.fix(try #require(back.first { $0.time == .at(1_180) }))
        #expect(dispatcher.stages == [.ahead])
        dispatcher.tell(.location(out), at: 1_181)
        for fix in back where fix.time > .at(1_180) { dispatcher.fix(fix) }
        #expect(!dispatcher.stages.contains(.passed), "\(dispatcher.log)")
    }
}
