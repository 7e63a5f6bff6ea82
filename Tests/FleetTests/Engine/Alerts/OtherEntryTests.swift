import Fleet
import FleetTestSupport
import Geo
import Messages
import Testing

/// A truck that comes to a bridge from another side than the one that it was told of.
struct OtherEntryTests {
    /// The low road `jk`. The likeliest way from `a`, by `m`, `p` and `q`, comes to its other side, and so does the likeliest
    /// way behind it: from `k` by `p` and `q` back.
    ///
    ///            q────p                500 m north
    ///             ╲  ╱  ╲
    ///              n      ╲            300 m north
    ///     w────────k        ╲          200 m north
    ///     │        ║          ╲
    ///     b────────j────────────m
    ///              s
    private func ring() throws -> Drawing {
        try Drawing(
            """
            a -1500 0
            b -400 0
            j 0 0
            m 250 0
            s 0 -400
            k 0 200
            n 0 300
            p 60 500
            q -140 500
            w -400 200
            abjmp tertiary name=East+Street
            js tertiary name=Main+Street
            jk tertiary name=Main+Street maxheight=3.5
            kn tertiary name=Main+Street
            npq tertiary name=Main+Street
            qn tertiary name=Loop+Street
            kwb residential name=West+Street
            """)
    }

    @Test(
        "Who takes the low road is told to stop there, and has passed, though told of the way round to its other side",
        arguments: [1.0, 5])
    func takesTheLowRoad(every: Seconds) throws {
        let drawing = try ring()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("ajkn"), speed: 12, every: every))
        #expect(dispatcher.stages.suffix(2) == [.stop, .passed], "\(dispatcher.log)")
        #expect(Set(dispatcher.alerts.suffix(2).map(\.id)).count == 1)
    }
}
