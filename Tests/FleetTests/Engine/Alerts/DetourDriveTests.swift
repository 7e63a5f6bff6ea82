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

    /// The detour comes back by `m` and `k`. Who is bound for the bridge from there leaves at `m`, for `q`: nobody comes back
    /// from `z`.
    ///
    ///              r──────────────────q          900 m north
    ///              n──────────────────m          300 m north
    ///     a────────j──────────e=f─────k────────z
    private func oneWayBehind() throws -> Drawing {
        try Drawing(
            """
            a -3000 0
            j -500 0
            e -100 0
            f 0 0
            k 800 0
            z 3300 0
            n -500 300
            m 800 300
            q 800 900
            r -500 900
            aje tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.5
            fk tertiary name=Main+Street
            kz tertiary name=Main+Street oneway=yes
            jnr tertiary name=North+Street
            nm tertiary name=Hill+Street
            rq tertiary name=Back+Street
            qmk tertiary name=East+Street
            """)
    }

    private func stages(_ line: String, _ every: Seconds) throws -> [AlertMessage.Stage] {
        let drawing = try oneWayBehind()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line(line), every: every))
        return dispatcher.alerts.map(\.stage)
    }

    @Test("A truck on its detour may come where it is too late for others", arguments: [1.0, 5, 10])
    func mayComeWhereItIsTooLate(every: Seconds) throws {
        let stages = try stages("ajnmkz", every)
        #expect(stages.contains(.detour) && !stages.contains(.stop) && stages.last == .cleared)
    }

    @Test("Who leaves the detour for the bridge is told to stop", arguments: [1.0, 5])
    func isStoppedBehindTheDetour(every: Seconds) throws {
        #expect(try stages("ajnmkfej", every).suffix(2) == [.stop, .passed])
    }

    @Test("Who has not been told to take the detour is told to stop where it is too late", arguments: [1.0, 5])
    func isStopped(every: Seconds) throws {
        #expect(try stages("rqmkz", every).contains(.stop))
    }
}
