import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import RoadsTestSupport
import Testing

/// Turn restrictions, service roads and barriers move the last turn-off; drivers hear of where it really is.
struct HardTurnTests {
    /// Turn-offs 900 m and 300 m before the bridge, both into the street round it.
    ///
    ///        x────────u──────────v           200 m north
    ///        │        │          │
    ///     s──i────────j────a═b───k───e       i -600, j 0, a 300, b 340, k 700 m
    private static let twoTurnOffs = """
        s -4600 0
        i -600 0
        j 0 0
        a 300 0
        b 340 0
        k 700 0
        e 3700 0
        x -600 200
        u 0 200
        v 700 200
        w 0 -3000
        si tertiary name=Main+Street
        ij tertiary name=Main+Street
        ja tertiary name=Main+Street
        ab tertiary name=Main+Street maxheight=3.2
        bk tertiary name=Main+Street
        ke tertiary name=Main+Street
        ix residential name=First+Street
        xu residential name=North+Road
        uv residential name=North+Road
        vk residential name=North+Road
        ju residential name=Second+Street

        """

    private func drive(
        _ drawn: DrawnNetwork, _ edges: [String], settings: EngineSettings = EngineSettings()
    ) throws -> Dispatcher {
        let dispatcher = Dispatcher(drawn.network, settings: settings)
        let lines = try edges.map { try drawn.network.line(drawn.edge($0)) }
        let line = lines.reduce(into: []) { $0 += $1.dropFirst($0.isEmpty ? 0 : 1) }
        dispatcher.drive(Journey(line: line, every: 5))
        return dispatcher
    }

    private func driveThrough(
        _ drawn: DrawnNetwork, settings: EngineSettings = EngineSettings()
    ) throws -> Dispatcher {
        try drive(drawn, ["si", "ij", "ja", "ab", "bk", "ke"], settings: settings)
    }

    @Test(
        "The driver is told to leave where the turn is legal, and to stop once that is behind",
        arguments: [
            ("", "Second Street", 4_600.0), ("no_left_turn ij j ju", "First Street", 4_000),
            ("only_straight_on ij j ja", "First Street", 4_000), ("no_right_turn ij ju uv", "First Street", 4_000),
        ])
    func restrictions(restriction: String, street: String, metres: Metres) throws {
        let dispatcher = try driveThrough(DrawnNetwork(Self.twoTurnOffs + restriction))
        #expect(dispatcher.livesOnPath == [[.ahead, .detour, .stop, .passed]], "\(dispatcher.log)")
        #expect(dispatcher.alerts.first?.detour?.turnOnto == street)
        // At 20 m/s, a fix every 5 s, the first at 7 m.
        let stop = try #require(dispatcher.time(of: .stop))
        #expect((metres / 20 - 1...metres / 20 + 6).contains(stop), "\(dispatcher.log)")
    }

    @Test("Who may not turn because of the road before is told of the turn before that, and to stop behind it")
    func banFromTheRoadBefore() throws {
        let dispatcher = try driveThrough(DrawnNetwork(Self.twoTurnOffs + "no_left_turn si ij ju"))
        #expect(dispatcher.livesOnPath == [[.ahead, .detour, .stop, .passed]], "\(dispatcher.log)")
        #expect(dispatcher.alerts.first?.detour?.turnOnto == "First Street")
        // On `ij`, where others may turn at `j`.
        let stop = try #require(dispatcher.time(of: .stop))
        #expect((199.0...206).contains(stop), "\(dispatcher.log)")
    }

    @Test("Who comes from another road may turn where those are not allowed to")
    func otherRoad() throws {
        let drawn = try DrawnNetwork(Self.twoTurnOffs + "wj residential name=South+Road\nno_left_turn ij j ju")
        let dispatcher = try drive(drawn, ["wj", "ja", "ab", "bk", "ke"])
        let lives = dispatcher.lives.map { $0.filter { $0 != .detour } }.filter { $0.contains(.stop) }
        #expect(lives == [[.ahead, .stop, .passed]], "\(dispatcher.log)")
        #expect(dispatcher.alerts.first?.detour?.turnOnto == "Second Street")
    }

    @Test(
        "What may be passed through decides which turn-off the driver is told of",
        arguments: [
            ("service=parking_aisle", .strict, "First Street"), ("service=parking_aisle", .all, "Second Street"),
            ("service=alley", .strict, "Second Street"), ("service=alley", .noservice, "First Street"),
        ] as [(String, ThroughPolicy, String)])
    func serviceRoads(tags: String, policy: ThroughPolicy, street: String) throws {
        let drawn = try DrawnNetwork(Self.twoTurnOffs.replacing("ju residential", with: "ju service \(tags)"))
        var settings = EngineSettings()
        settings.detours.through = policy
        let dispatcher = try driveThrough(drawn, settings: settings)
        #expect(dispatcher.livesOnPath == [[.ahead, .detour, .stop, .passed]], "\(dispatcher.log)")
        #expect(dispatcher.alerts.first?.detour?.turnOnto == street)
    }

    @Test(
        "A barrier in the turn-off is as good as no turn-off; a gate that opens is none",
        arguments: [
            ("barrier=bollard", "First Street"), ("barrier=lift_gate hgv=no", "First Street"),
            ("barrier=height_restrictor maxheight=3.0", "First Street"), ("barrier=lift_gate", "Second Street"),
            ("barrier=height_restrictor maxheight=4.5", "Second Street"),
        ])
    func barriers(tags: String, street: String) throws {
        let drawing = Self.twoTurnOffs.replacing("u 0 200", with: "u 0 200\ny 0 100 \(tags)")
            .replacing("ju residential", with: "jyu residential")
        let dispatcher = try driveThrough(DrawnNetwork(drawing))
        #expect(dispatcher.livesOnPath == [[.ahead, .detour, .stop, .passed]], "\(dispatcher.log)")
        #expect(dispatcher.alerts.first?.detour?.turnOnto == street)
    }

    @Test("A height restrictor is told of like a bridge, by the distance to its low edge, and passed where it stands")
    func restrictor() throws {
        let drawing = Self.twoTurnOffs.replacing(" maxheight=3.2", with: "")
            .replacing("a 300 0", with: "a 300 0 barrier=height_restrictor maxheight=3.5")
        let drawn = try DrawnNetwork(drawing)
        let dispatcher = try driveThrough(drawn)
        #expect(dispatcher.alerts.first?.detour?.turnOnto == "Second Street")
        let node = try drawn.id(node: "a")
        #expect(dispatcher.alerts.first?.clearance.id == "osm:node:\(node)")
        // The edge that arrives there is the low one, so that its beginning, 300 m before, is the last turn-off.
        #expect(dispatcher.livesOnPath == [[.ahead, .detour, .stop, .passed]], "\(dispatcher.log)")
        // That is 4,593 m from the first fix, at 20 m/s. Whoever is told to stop is on it.
        for alert in dispatcher.alerts.dropLast() {
            #expect(abs(alert.distance - max(0, 4_593 - 20 * alert.time.seconds)) < 1, "\(alert.stage)")
        }
    }
}
