import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

@Suite("Who was told to leave has left only when that is sure")
struct LeftAtTurnOffTests {
    /// A bridge in the middle of a block: who turns off at `j` is soon before the last turn-off to its other side, `g`.
    ///
    ///                 n──────m
    ///     a───────────j─e=f──g──────────z
    ///
    /// - Parameters:
    ///   - depth: from `j` to `n`.
    ///   - width: from `j` to `g`.
    private func block(_ depth: Metres = 60, _ width: Metres = 220) throws -> Drawing {
        try Drawing(
            """
            a -3000 0
            j 0 0
            e \(width / 2 - 10) 0
            f \(width / 2 + 10) 0
            g \(width) 0
            z 3000 0
            n 0 \(depth)
            m \(width) \(depth)
            aj tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.5
            fg tertiary name=Main+Street
            gz tertiary name=Main+Street
            jnmg tertiary name=North+Street
            """)
    }

    @Test("Fixes that noise has on the turn-off end nothing", arguments: [1.0, 5, 10], [20.0, 25, 35])
    func noise(every: Seconds, north: Metres) throws {
        let drawing = try block()
        let dispatcher = Dispatcher(drawing.network)
        let line = try drawing.line("az")
        for var fix in Journey(line: line, speed: 5, every: every, offset: 2_005, isFluent: false).fixes {
            let east = -3_000 + 2_005 + 5 * fix.time.seconds
            if (0..<10).contains(east) { fix.position = Drawing.place(2, north) }
            dispatcher.fix(fix)
        }
        #expect(dispatcher.lives == [[.ahead, .detour, .stop, .passed]], "\(dispatcher.log)")
    }

    @Test(
        "Who has left is told so, and anew before the last turn-off to the other side, however soon that comes",
        arguments: [1.0, 5, 10], [(60.0, 220.0), (30, 100)])
    func leaves(every: Seconds, block size: (depth: Metres, width: Metres)) throws {
        let drawing = try block(size.depth, size.width)
        let dispatcher = Dispatcher(drawing.network)
        let line = try drawing.line("ajnmgfe")
        dispatcher.drive(Journey(line: line, speed: 10, every: every, offset: 2_005))
        #expect(dispatcher.lives.first == [.ahead, .detour, .cleared], "\(dispatcher.log)")
        let again = try #require(dispatcher.alerts.dropFirst(3).first)
        // `j` comes after 99.5 s.
        let decidedAt = 99.5 + (2 * size.depth + size.width) / 10
        #expect(again.sequence == 1 && again.time.seconds < decidedAt, "\(dispatcher.log)")
    }
}
