import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Which edge may follow which")
struct TurnTests {
    /// A crossing with four arms, and a block behind its northern and eastern arm.
    ///
    ///         n───k
    ///         │   │
    ///     w───x───e
    ///         │
    ///         s
    private static let crossing = """
        x 0 0
        n 0 100
        e 100 0
        s 0 -100
        w -100 0
        k 100 100
        wx residential
        xe residential
        sx residential
        xn residential
        nk residential
        ke residential

        """

    private func crossing(_ restrictions: String...) throws -> DrawnNetwork {
        try DrawnNetwork(Self.crossing + restrictions.joined(separator: "\n"))
    }

    @Test("everything but a U-turn, also at a dead end")
    func noUTurn() throws {
        let drawn = try crossing()
        #expect(try drawn.successors("sx") == ["xe", "xn", "xw"])
        #expect(try drawn.successors("xs").isEmpty)
        for edge in drawn.edges {
            #expect(!drawn.network.successors(edge).contains { $0 == drawn.network.reverse(edge) })
        }
    }

    @Test(
        "a U-turn by a way that is drawn over another is none either; one round a block is no U-turn",
        arguments: [
            ("ab service", ["bc", "bd"]), ("ba service", ["bc", "bd"]), ("ab service oneway=-1", ["bc", "bd"]),
            ("axb service", ["ba", "bc", "bd"]),
        ])
    func noUTurnByDoubledWay(way: String, successors: [String]) throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0
            c 200 0
            d 100 100
            x 50 50
            abc residential
            bd residential
            \(way)
            """)
        let network = drawn.network
        for edge in drawn.edges where drawn.name(edge) == "ab" {
            #expect(network.successors(edge).map(drawn.name).sorted() == successors)
        }
    }

    @Test("predecessors mirror successors, and arrivals are all edges that end at a node")
    func mirrored() throws {
        let drawn = try crossing("no_left_turn sx xn ke", "only_straight_on wx x xe", "no_right_turn sx xe ke")
        let network = drawn.network
        let all = (0..<network.edgeCount).map { EdgeID($0) }
        for edge in all {
            for next in network.successors(edge) { #expect(network.predecessors(next).contains(edge)) }
            for previous in network.predecessors(edge) { #expect(network.successors(previous).contains(edge)) }
            #expect(network.arrivals(network.to(edge)).contains(edge))
        }
        #expect(
            all.reduce(0) { $0 + network.successors($1).count } == all.reduce(0) { $0 + network.predecessors($1).count }
        )
    }

    @Test(
        "one-way roads are driven as they point",
        arguments: [("yes", "ab"), ("-1", "ba"), ("reverse", "ba"), ("1", "ab")])
    func oneway(value: String, edge: String) throws {
        let drawn = try DrawnNetwork("a 0 0\nb 100 0\nab residential oneway=\(value)")
        #expect(drawn.edgeNames == [edge])
        #expect(drawn.network.reverse(try drawn.edge(edge)) == nil)
        #expect(drawn.network.startBearing(try drawn.edge(edge)) == (edge == "ab" ? 90 : 270))
    }

    @Test(
        "a ban takes one turn, an order leaves one, at its node and from its road only",
        arguments: [
            ("no_left_turn sx x wx", ["xe", "xn"]), ("no_straight_on sx x xn", ["xe", "xw"]),
            ("only_right_turn sx x xe", ["xe"]), ("no_entry sx x xe", ["xn", "xw"]),
            ("no_exit sx x xn", ["xe", "xw"]), ("only_straight_on sx x xn", ["xn"]),
        ])
    func viaNode(restriction: String, successors: [String]) throws {
        let drawn = try crossing(restriction)
        #expect(try drawn.successors("sx") == successors)
        #expect(try drawn.successors("wx") == ["xe", "xn", "xs"])
        #expect(try drawn.successors("nx") == ["xe", "xs", "xw"])
    }

    @Test("two bans on one road both hold")
    func twoBans() throws {
        #expect(try crossing("no_left_turn sx x wx", "no_right_turn sx x xe").successors("sx") == ["xn"])
    }

    @Test(
        "restrictions that are not for trucks are not used, and counted as such",
        arguments: [
            "no_left_turn sx x wx except=hgv", "no_left_turn sx x wx except=bus;hgv",
            "no_left_turn sx x wx except=bus;+hgv",
            "no_left_turn sx x wx except=motor_vehicle",
        ])
    func except(restriction: String) throws {
        let drawn = try crossing(restriction)
        #expect(try drawn.successors("sx") == ["xe", "xn", "xw"])
        #expect(drawn.report.restrictionsIgnored == ["not for trucks": 1])
    }

    @Test("except for others leaves it in force for trucks")
    func exceptOthers() throws {
        #expect(try crossing("no_left_turn sx x wx except=bus;psv").successors("sx") == ["xe", "xn"])
    }

    @Test("restriction:hgv is for trucks, under either type, and outweighs restriction")
    func forTrucks() throws {
        for tags in ["", " type=restriction:hgv", " restriction=no_u_turn"] {
            let drawn = try crossing("a_truck_turn sx x wx restriction:hgv=no_left_turn\(tags)")
            #expect(try drawn.successors("sx") == ["xe", "xn"], "\(tags)")
        }
    }

    @Test(
        "what cannot be understood bans nothing, and is counted by reason",
        arguments: [
            ("give_way sx x wx", "unknown kind"), ("no_left_turn_on_red sx x wx", "unknown kind"),
            ("only_right_turn_on_red sx x xe", "unknown kind"), ("no_left_turn sx", "members missing"),
            ("no_left_turn sx wx", "members missing"),
            ("no_left_turn sx k wx", "members are no connected drivable roads"),
            ("no_left_turn sx nk wx", "members are no connected drivable roads"),
        ])
    func notUnderstood(restriction: String, reason: String) throws {
        let drawn = try crossing(restriction)
        #expect(try drawn.successors("sx") == ["xe", "xn", "xw"])
        #expect(drawn.report.restrictions == 1)
        #expect(drawn.report.restrictionsIgnored == [reason: 1])
    }

    @Test("a ban via a way holds for those who come from its road, and for nobody else")
    func banViaWay() throws {
        let drawn = try crossing("no_right_turn sx xn nk")
        #expect(try drawn.allows("sx", "xn"))
        #expect(try !drawn.allows("sx", "xn", "nk"))
        #expect(try drawn.allows("wx", "xn", "nk"))
        #expect(try drawn.allows("ex", "xn", "nk"))
    }

    @Test("a ban via several ways holds to its end, and not before")
    func banViaWays() throws {
        let drawn = try crossing("no_right_turn sx xn nk ke")
        #expect(try drawn.allows("sx", "xn", "nk"))
        #expect(try !drawn.allows("sx", "xn", "nk", "ke"))
        #expect(try drawn.allows("wx", "xn", "nk", "ke"))
    }

    @Test("an order via a way leaves its road nothing else, and others everything")
    func orderViaWay() throws {
        let drawn = try crossing("only_right_turn sx xe ke")
        #expect(try drawn.successors("sx") == ["xe"])
        #expect(try drawn.allows("sx", "xe", "ek"))
        #expect(try drawn.successors("wx") == ["xe", "xn", "xs"])
        #expect(try drawn.allows("wx", "xe", "ek"))
    }

    @Test("shadows stand for edges on the map: same place, same length, same height, same arrivals")
    func shadows() throws {
        let drawn = try DrawnNetwork(
            Self.crossing.replacing("xn residential", with: "xn residential maxheight=3.0") + "no_right_turn sx xn nk")
        let network = drawn.network
        let shadows = (0..<network.edgeCount).map { EdgeID($0) }.filter { network.original($0) != $0 }
        try #require(shadows.count == 1)
        let original = network.original(shadows[0])
        #expect(original == (try drawn.edge("xn")))
        #expect(network.key(shadows[0]) == network.key(original))
        #expect(network.length(shadows[0]) == network.length(original))
        #expect(network.clearances(shadows[0]) == network.clearances(original))
        #expect(network.predecessors(shadows[0]).map(drawn.name) == ["sx"])
        #expect(!network.successors(try drawn.edge("sx")).contains(original))
        #expect(TooLowEdges(network, height: 301).contains(shadows[0]))
        #expect(
            TooLowEdges(network, height: 301).edges.map(drawn.name)
                == ["nx", "xn"].sorted { try! drawn.edge($0) < drawn.edge($1) })
        #expect(network.edges(within: 10, of: network.coordinate(original, offset: 50)).map(\.edge).count == 2)
    }

    @Test("two bans that overlap on one way are both kept in mind")
    func overlappingBans() throws {
        let drawn = try crossing("no_right_turn sx xn nk", "no_right_turn xn nk ke")
        #expect(try !drawn.allows("sx", "xn", "nk"))
        #expect(try drawn.allows("wx", "xn", "nk"))
        #expect(try !drawn.allows("wx", "xn", "nk", "ke"))
        #expect(try drawn.allows("ex", "xn"))
    }

    @Test("a U-turn ban by way and node changes nothing: it is never legal, and straight on stays so")
    func noUTurnViaNode() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0
            c 200 0
            d 100 100
            abc residential
            bd residential
            no_u_turn abc b abc
            """)
        #expect(try drawn.successors("ab") == ["bc", "bd"])
        #expect(try drawn.successors("cb") == ["ba", "bd"])
    }

    @Test("a U-turn ban across a divided road's link holds")
    func noUTurnViaWay() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0
            c 200 0
            f 0 20
            e 100 20
            d 200 20
            abc primary oneway=yes
            def primary oneway=yes
            be primary_link
            no_u_turn abc be def
            """)
        #expect(try drawn.allows("ab", "be"))
        #expect(try !drawn.allows("ab", "be", "ef"))
        #expect(try drawn.allows("de", "eb", "bc"))
    }

    @Test("an order onto a road that runs through its node, not cut there, allows either direction")
    func orderOntoRoadThrough() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            x 100 0
            b 200 0
            s 100 -100
            n 100 100
            axb residential
            sx residential
            xn residential
            only_left_turn sx x axb
            """)
        #expect(try drawn.successors("sx") == ["xa", "xb"])
    }
}
