import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Where there is a choice, a detour leads under nothing of unknown height")
struct UnknownDetourTests {
    /// The street of `DetourTests.drawing`, 1,100 m round, under a bridge of which only `uv` is known.
    private static func street(_ maxheight: String = "below_default") -> String {
        "ju residential\nuv residential maxheight=\(maxheight)\nvk residential\n"
    }

    /// Another one, from the same junction, 1,500 m round.
    private static let other = """
        x 0 -400
        y 700 -400
        jxyk residential

        """

    private static func hazards(_ streets: String, rules: DetourRules = DetourRules()) throws -> DrawnHazards {
        try DrawnHazards(DetourTests.bypass + DetourTests.approach + streets, rules: rules, avoidsUnknown: true)
    }

    @Test("the shortest that does not is shown, with its own length, and the turn onto it")
    func otherTurnOff() throws {
        let hazards = try Self.hazards(Self.street() + Self.other)
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 1500, extra: 800, along: ["jk"])
        let detour = try hazards.detour(before: "ab", from: "sj")
        #expect(try hazards.decision("ab", from: "sj").turnOff == detour.turnOff)
        #expect(!detour.hasShorterWay && !detour.isTurnaround)
    }

    @Test("it may part from the shortest behind the turn-off")
    func sameTurnOff() throws {
        // 200 m to u, 300 + 700 + 300 m to v, 200 m.
        let hazards = try Self.hazards(
            Self.street() + """
                p 0 500
                q 700 500
                upqv residential
                """)
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 1700, extra: 1000, along: ["ju", "uv", "vk"])
        let detour = try hazards.detour(before: "ab", from: "sj")
        #expect(!hazards.drawn.network.edgesBelowDefault.limits(detour.edges))
    }

    @Test("it may come back along the road of arrival, and is marked then")
    func turnaround() throws {
        let hazards = try DrawnHazards(
            DetourTests.bypass + Self.street() + DetourTests.block, avoidsUnknown: true)
        // Round the block 100 + 100 + 141.4 m, back 300 m, round by 300 + 1000 + 300 m.
        try hazards.expect(
            before: "ab", from: "wj", at: "j", distance: 300, length: 2241.4, extra: 1541.4, along: ["jj", "jw", "wk"])
        #expect(try hazards.detour(before: "ab", from: "wj").isTurnaround)
    }

    @Test(
        "else the shortest is: where each does, or the other is longer than counts, private, closed or too low",
        arguments: [
            ("", 30_000), (other.replacing("residential", with: "residential maxheight=below_default"), 30_000),
            (other, 1_400), (other.replacing("residential", with: "residential access=private"), 30_000),
            (other.replacing("residential", with: "residential oneway=-1"), 30_000),
            (other.replacing("residential", with: "residential maxheight=3.5"), 30_000),
        ] as [(String, Metres)])
    func noOther(other: String, lengthMax: Metres) throws {
        let hazards = try Self.hazards(Self.street() + other, rules: DetourRules(lengthMax: lengthMax))
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400, along: ["ju", "uv", "vk"])
    }

    @Test("an unknown height that nobody is told of counts as high enough")
    func nobodyTold() throws {
        let hazards = try Self.hazards(Self.street("abc") + Self.other)
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
    }

    @Test("turn-offs, and where it is too late, stay, also where only the shortest is shorter than the way under")
    func samePoints() throws {
        let drawing = DrawnNetwork.shorterUnderUnknown
        let (shown, shortest) = (try DrawnHazards(drawing, avoidsUnknown: true), try DrawnHazards(drawing))
        let detour = try shown.detour(before: "ab", from: "sj")
        #expect(try abs(detour.length - 1_500) < 0.5 && shortest.detour(before: "ab", from: "sj").length < 301)
        #expect(detour.extra > 0 && detour.hasShorterWay)
        #expect(shown.table.tooLate == shortest.table.tooLate && shown.table.leading == shortest.table.leading)
        #expect(shown.table.decisions == shortest.table.decisions)
        #expect(
            shown.table.hazards.map { $0.detours.map(\.arriving) }
                == shortest.table.hazards.map { $0.detours.map(\.arriving) })
    }

    @Test("a table that is made from one of other heights and unknown ones shows the detours of one made from nothing")
    func fromOtherClearances() throws {
        let heights = ["below_default", "5", "3.2"]
        var former: [HazardTable] = []
        // Each follows each.
        for step in [0, 1, 0, 2, 0, 3, 6, 3, 1, 4, 1, 3, 4, 0, 4, 7, 6, 8, 7, 5, 0] {
            let other = Self.other.replacing("residential", with: "residential maxheight=\(heights[step / 3])")
            let made = try Self.hazards(Self.street(heights[step % 3]) + other)
            let again = HazardTable(
                made.drawn.network, height: 400, avoiding: made.drawn.network.edgesBelowDefault, from: former)
            #expect(again.hazards == made.table.hazards && again.decisions == made.table.decisions, "step \(step)")
            former = [again]
        }
    }
}
