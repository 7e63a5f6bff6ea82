import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("A detour ends where it comes back to the road behind the low zone")
struct RejoinTests {
    /// A one-way road with the bridge at 300 to 400 m; a street round it comes back `join` metres past the far side, and
    /// a dead end joins the road `stub` metres past it.
    private static func oneway(join: Metres, stub: Metres?) -> String {
        let places = [("k", join), ("t", stub)].compactMap { name, past in past.map { (name: name, past: $0) } }
        let road = places.sorted { $0.past < $1.past }
        return """
            s -1000 0
            j 0 0
            a 300 0
            b 400 0
            e 3000 0
            u 0 200
            v \(400 + join) 200
            \(road.map { "\($0.name) \(400 + $0.past) 0" }.joined(separator: "\n"))
            z \(400 + (stub ?? 0)) -100
            sja primary oneway=yes
            ab primary oneway=yes maxheight=3.2
            b\(road.map(\.name).joined())e primary oneway=yes
            juvk residential
            \(stub == nil ? "" : "zt residential")
            """
    }

    @Test(
        "within 200 m past the far side, and on to the first node that another edge joins",
        arguments: [
            (150, nil, true), (190, 100, true), (250, 100, false), (900, 190, false),
            // A divided road may have none for longer.
            (250, nil, true), (900, nil, true), (290, 300, true), (500, 300, false),
        ] as [(Metres, Metres?, Bool)])
    func rejoin(join: Metres, stub: Metres?, counts: Bool) throws {
        let hazards = try DrawnHazards(Self.oneway(join: join, stub: stub))
        guard counts else {
            #expect(try hazards.hazard("ab").detours.isEmpty)
            return
        }
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 800 + join, extra: 400, along: ["jk"])
    }

    @Test("the shortest way to any of the rejoin points counts, not the one to the far side")
    func nearestRejoin() throws {
        let hazards = try DrawnHazards(
            Self.oneway(join: 100, stub: nil) + """

                f 0 -900
                g 400 -900
                jfgb residential
                """)
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 900, extra: 400, along: ["jk"])
    }
}
