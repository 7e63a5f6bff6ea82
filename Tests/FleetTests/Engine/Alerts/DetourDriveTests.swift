import Fleet
import FleetTestSupport
import Geo
import Messages
import Testing

/// Trucks that take the detour, which is a way to the other side of the same bridge.
struct DetourDriveTests {
    /// The only detour leaves at `j`, at 2,500 m, and comes back at `k`.
    ///
    ///              n──────────────────m          300 m north
    ///     a────────j────e=f──g=h──────k────────z
    private func bridges(_ first: String, _ second: String) throws -> Drawing {
        try Drawing(
            """
            a -3000 0
            j -500 0
            e -100 0
            f 0 0
            g 300 0
            h 400 0
            k 800 0
            z 3300 0
            n -500 300
            m 800 300
            aje tertiary name=Main+Street
            ef tertiary name=Main+Street \(first)
            fg tertiary name=Main+Street
            gh tertiary name=Main+Street \(second)
            hkz tertiary name=Main+Street
            jn tertiary name=North+Street
            nm tertiary name=Hill+Street
            mk tertiary name=East+Street
            """)
    }

    private func alerts(on line: String, _ heights: (String, String), _ every: Seconds) throws -> [AlertMessage] {
        let drawing = try bridges(heights.0, heights.1)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line(line), every: every))
        return dispatcher.alerts
    }

    static let heights = [
        ("maxheight=3.5", ""), ("", "maxheight=3.5"), ("maxheight=3.5", "maxheight=3.8"),
        ("maxheight=3.8", "maxheight=3.5"),
    ]

    @Test("A truck on its detour is not told to stop, in either direction", arguments: heights, [1.0, 5, 10])
    func isNotStopped(heights: (String, String), every: Seconds) throws {
        for line in ["ajnmkz", "zkmnja"] {
            let stages = try alerts(on: line, heights, every).map(\.stage)
            #expect(stages.contains(.detour) && !stages.contains(.stop) && !stages.contains(.passed), "\(line)")
        }
    }

    @Test("Nobody is told both to leave at a road and not to turn onto it", arguments: heights, [1.0, 5, 10])
    func isNotContradicted(heights: (String, String), every: Seconds) throws {
        for line in ["ajefghkz", "zkhgfeja"] {
            let alerts = try alerts(on: line, heights, every)
            // Both turn-offs are 2,500 m from where the truck comes from; on them it may have turned already.
            #expect(alerts.allSatisfy { $0.time.seconds >= 125 || !$0.sideRoad }, "\(line)")
            #expect(alerts.contains { $0.stage == .passed }, "\(line)")
        }
    }
}
