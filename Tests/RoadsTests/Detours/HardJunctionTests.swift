import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Roundabouts, turn restrictions and roads that are no thoroughfares move the detour point")
struct HardJunctionTests {
    // MARK: Roundabouts

    /// A roundabout driven counterclockwise, 40 m across, with a low bridge 100 m behind its eastern exit.
    ///
    ///              b
    ///     s──────c   a────g═h────k─────e      g 120, h 160, k 400 m
    ///              d
    private static let roundabout = """
        a 20 0
        b 0 20
        c -20 0
        d 0 -20
        s -1000 0
        g 120 0
        h 160 0
        k 400 0
        e 2000 0
        abcda tertiary junction=roundabout
        sc tertiary
        ag tertiary
        gh tertiary maxheight=3.2
        hke tertiary

        """
    private static let north = "n 0 500\nm 400 500\nbnmk residential\n"
    private static let south = "w 0 -500\nv 400 -500\ndwvk residential\n"

    @Test("the turn to decide on is the exit towards the bridge; staying on the ring leads to the next exit")
    func exit() throws {
        let hazards = try DrawnHazards(Self.roundabout + Self.north)
        try hazards.expect(
            before: "gh", from: "ca", at: "a", distance: 100, length: 1408.3, extra: 1028.3, along: ["ab", "bk"])
        #expect(try hazards.decisions("gh") == ["ca>ag"])
        #expect(try hazards.tooLate("gh") == ["ag": 0])
    }

    @Test("where only an exit that was passed already begins a detour, another round of the ring is the way")
    func twice() throws {
        let hazards = try DrawnHazards(Self.roundabout + Self.south)
        try hazards.expect(
            before: "gh", from: "da", at: "a", distance: 100, length: 1464.9, extra: 1084.9,
            along: ["ac", "cd", "dk"])
        #expect(try hazards.decisions("gh") == ["da>ag"])
    }

    @Test("from every arm it is the same last turn-off", arguments: ["sc", "kb", "kd"])
    func everyArm(arm: String) throws {
        let hazards = try DrawnHazards(Self.roundabout + Self.north + Self.south)
        #expect(try hazards.approaches("gh") == ["da"])
        #expect(try hazards.tooLate("gh")[arm] == nil)
    }

    @Test("on a ring without another exit the truck may go round for ever, and is told to keep off the exit")
    func noDetour() throws {
        let hazards = try DrawnHazards(Self.roundabout)
        #expect(try hazards.hazard("gh").detours.isEmpty)
        #expect(try hazards.decisions("gh") == ["ca>ag"])
        #expect(hazards.drawn.name(try hazards.decision("gh", from: "ca").turnOff) == "ac")
    }

    @Test("a low roundabout is driven straight through: its far side is the exit that lies straight on")
    func lowRoundabout() throws {
        let hazards = try DrawnHazards(DrawnNetwork.lowRoundabout)
        #expect(hazards.entries == ["af", "fa"])
        #expect(try hazards.zone("fa") == ["fa"])
        try hazards.expect(
            before: "fa", from: "sj", at: "j", distance: 500, length: 1442.8, extra: 381.9, along: ["jn", "nk"])
        #expect(try hazards.decisions("fa").contains("sj>jf"))
        #expect(try hazards.tooLate("fa")["jf"] == 0)
        #expect(try hazards.approaches("af").contains("ek"))
    }

    @Test("not the first exit, nor the way round to where it is entered")
    func lowRoundaboutWithArms() throws {
        let hazards = try DrawnHazards(DrawnNetwork.lowRoundabout + "t 0 -520\nht tertiary\ncn tertiary\n")
        #expect(hazards.entries == ["ac", "cf", "fh", "ha"])
        #expect(try hazards.zone("fh") == ["fh", "ha"])
        #expect(try hazards.zone("cf") == ["cf", "fh"])
        try hazards.expect(
            before: "fh", from: "sj", at: "j", distance: 500, length: 1442.8, extra: 381.9, along: ["jn", "nk"])
        // To the south there is no other road.
        #expect(try hazards.hazard("cf").detours.isEmpty)
        #expect(try hazards.decisions("cf") == ["jn>nc", "kn>nc"])
    }

    /// The low roundabout with another exit, `xt`, which lies straighter ahead of `jf` than the road on does.
    private static func lowRoundaboutWithExit(_ exit: String, onward: String = "tertiary") -> String {
        DrawnNetwork.lowRoundabout.replacing("abcdfghia", with: "axbcdfghia").replacing("k 520 0", with: "k 520 -60")
            .replacing("ake tertiary", with: "ake \(onward)") + "x 18 8\nt 120 14\nxt \(exit)\n"
    }

    @Test(
        "the far side of a low roundabout is no driveway, nor an exit closed to trucks, however straight on they lie",
        arguments: ["service service=driveway", "residential hgv:forward=no"])
    func lowRoundaboutWithDriveway(exit: String) throws {
        let hazards = try DrawnHazards(Self.lowRoundaboutWithExit(exit))
        #expect(try hazards.zone("fa") == ["fa"])
        try hazards.expect(
            before: "fa", from: "sj", at: "j", distance: 500, length: 1485.6, extra: 421.1, along: ["jn", "nk"])
    }

    @Test(
        "the exit that lies straighter on is the far side where it is a street, and where no exit may be passed through",
        arguments: [("service service=driveway", "tertiary access=private"), ("residential", "tertiary")])
    func lowRoundaboutWithStraightExit(exit: String, onward: String) throws {
        let hazards = try DrawnHazards(Self.lowRoundaboutWithExit(exit, onward: onward))
        #expect(try hazards.zone("fa") == ["fa", "ax"])
    }

    @Test("a low loop at the end of a road leads nowhere else: the last turn-off before it counts")
    func lowLoop() throws {
        let hazards = try DrawnHazards(
            """
            s -3000 0
            q -500 0
            j 0 0
            u 80 60
            v 160 0
            w 80 -60
            o -500 2000
            sq residential
            qj residential
            juvwj residential maxheight=3.2
            qo residential
            """)
        // One for each way round.
        #expect(hazards.entries == ["jj", "jj"])
        #expect(hazards.table.hazards.allSatisfy { $0.detours.isEmpty })
        #expect(try hazards.decisions("jj") == ["oq>qj", "sq>qj"])
        #expect(try hazards.tooLate("jj") == ["qj": 0])
    }

    // MARK: Turn restrictions

    /// Turn-offs 900 m and 300 m before the bridge, both into the detour street.
    ///
    ///        x────────u──────────v           200 m north
    ///        │        │          │
    ///     s──i────────j────a═b───k───e       i -600, j 0, a 300, b 340, k 700 m
    private static let twoTurnOffs = """
        s -2000 0
        i -600 0
        j 0 0
        a 300 0
        b 340 0
        k 700 0
        e 1700 0
        x -600 200
        u 0 200
        v 700 200
        si residential
        ij residential
        ja residential
        ab residential maxheight=3.2
        bke residential
        ix residential
        xu residential
        uv residential
        vk residential
        ju residential

        """

    private func expectLast(_ junction: String, _ restriction: String) throws {
        let hazards = try DrawnHazards(Self.twoTurnOffs + restriction)
        if junction == "j" {
            try hazards.expect(before: "ab", from: "ij", at: "j", distance: 300, length: 1100, extra: 400)
        } else {
            try hazards.expect(before: "ab", from: "si", at: "i", distance: 900, length: 1700, extra: 400)
            #expect(try hazards.tooLate("ab").keys.contains("ij"))
        }
        #expect(hazards.drawn.report.restrictionsIgnored.isEmpty)
    }

    @Test(
        "a ban or an order moves the detour point back to where the turn is legal; one elsewhere does not",
        arguments: [
            ("j", ""), ("i", "no_left_turn ij j ju"), ("i", "only_straight_on ij j ja"), ("j", "no_left_turn si i ix"),
            ("j", "no_right_turn xu u ju"), ("i", "no_right_turn ju u uv"), ("i", "only_left_turn ju u xu"),
            ("i", "no_entry ij j ju"),
        ])
    func viaNode(junction: String, restriction: String) throws { try expectLast(junction, restriction) }

    @Test(
        "so does one by way of a street between",
        arguments: [
            ("i", "no_right_turn ij ju uv"),
            ("i", "no_right_turn ij ju uv vk"), ("j", "no_right_turn si ix xu uv"), ("i", "no_left_turn si ij ju"),
        ])
    func viaWay(junction: String, restriction: String) throws { try expectLast(junction, restriction) }

    @Test("a ban holds for those who come from its road; others keep the later detour point")
    func byOrigin() throws {
        let crossed = Self.twoTurnOffs + "w 0 -500\nwj residential\n"
        let hazards = try DrawnHazards(crossed + "no_left_turn ij j ju")
        let approaches = try hazards.approaches("ab")
        #expect(approaches.contains("si") && approaches.contains("wj") && !approaches.contains("ij"))
        #expect(try hazards.decisions("ab").contains("wj>ja"))
    }

    @Test("by way of a street, only those from its road are too late on that street")
    func byOriginViaWay() throws {
        let hazards = try DrawnHazards(Self.twoTurnOffs + "no_left_turn si ij ju")
        let (network, table) = (hazards.drawn.network, hazards.table)
        #expect(try Set(hazards.approaches("ab")).isSuperset(of: ["ij", "si"]))
        let street = try hazards.drawn.edge("ij")
        let shadows = (0..<network.edgeCount).map { EdgeID($0) }.filter {
            network.original($0) == street && $0 != street
        }
        try #require(shadows.count == 1)
        #expect(table.tooLate[street] == nil && table.decisions[street]?.count == 1)
        #expect(table.tooLate[shadows[0]]?.count == 1 && table.decisions[shadows[0]] == nil)
    }

    // MARK: No thoroughfares

    /// Three turn-offs into the street round the bridge: a residential one, a service road and a parking aisle.
    ///
    ///        x─────w──u──────────v           200 m north
    ///        │     ┊  ┊          │
    ///     s──i─────l──j────a═b───k───e       i -900, l -300, j 0, a 300, b 340, k 700 m
    private static let serviceRoads = """
        s -3000 0
        i -900 0
        l -300 0
        j 0 0
        a 300 0
        b 340 0
        k 700 0
        e 1700 0
        x -900 200
        w -300 200
        u 0 200
        v 700 200
        silja residential
        ab residential maxheight=3.2
        bke residential
        ix residential
        lw service
        ju service service=parking_aisle
        xwuvk residential

        """

    @Test(
        "what may be passed through decides which turn-off is the last",
        arguments: [
            (.strict, "il", "l", 600.0, 1400.0), (.all, "lj", "j", 300, 1100), (.noservice, "si", "i", 1200, 2000),
        ] as [(ThroughPolicy, String, String, Metres, Metres)])
    func through(policy: ThroughPolicy, arriving: String, junction: String, distance: Metres, length: Metres) throws {
        let hazards = try DrawnHazards(Self.serviceRoads, rules: DetourRules(through: policy))
        try hazards.expect(
            before: "ab", from: arriving, at: junction, distance: distance, length: length, extra: 400)
        #expect(try hazards.approaches("ab").contains(arriving))
    }

    @Test("a truck that starts in the aisle may leave it: its own last turn-off is where it comes to the road")
    func outOfTheAisle() throws {
        let hazards = try DrawnHazards(Self.serviceRoads)
        try hazards.expect(
            before: "ab", from: "uj", at: "j", distance: 300, length: 1700, extra: 1000,
            along: ["jl", "lw", "wu", "uk"])
    }
}
