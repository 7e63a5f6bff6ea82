package import Geo
package import Roads
import RoadsTestSupport

/// A network drawn as `DrawnNetwork` is, at a point in Michigan.
///
///     a 0 0                                        a node, metres east and north of that point
///     ab tertiary name=Main+Street maxheight=3.2   a way along nodes, its `highway`, other tags (`+` is a space)
///
/// Nodes are single letters; `ab` is also the edge from `a` to `b`.
package struct Drawing {
    private static let origin = Coordinate(latitude: 42, longitude: -84)

    private let drawn: DrawnNetwork

    package var network: RoadNetwork { drawn.network }

    package init(_ text: String) throws { drawn = try DrawnNetwork(text, origin: Self.origin) }

    /// Anywhere, by metres east and north.
    package static func place(_ east: Metres, _ north: Metres) -> Coordinate {
        DrawnNetwork.place(east, north, from: origin)
    }

    /// The nodes of those names, one behind the other.
    package func line(_ names: String) throws -> [Coordinate] {
        try names.map { try drawn.position(node: String($0)) }
    }

    /// The edge between two nodes that a truck may drive in this direction.
    package func edge(_ ends: String) throws -> EdgeID { try drawn.edge(ends) }
}

extension Drawing {
    /// The lines of a main road eastwards, of a low bridge on it and of the street that turns off 300 m before that,
    /// at `j`; and the place `m`, for the way back.
    ///
    ///                  n        m
    ///                  │
    ///     a────────────j───e=f──g──────────z        j at 4,000 m, the bridge in the middle of ef at 4,320 m
    package static func mainStreet(_ maxheight: String, below: String = "tertiary") -> String {
        """
        a 0 0
        j 4000 0
        e 4300 0
        f 4340 0
        g 4700 0
        z 6500 0
        n 4000 300
        m 4700 300
        aj tertiary name=Main+Street
        je \(below) name=Main+Street
        ef \(below) name=Main+Street maxheight=\(maxheight.replacing(" ", with: "+"))
        fgz tertiary name=Main+Street
        jn residential name=Bypass+Road

        """
    }

    /// The main road, and a detour that leaves at `j`.
    ///
    ///                  q───────────────────p
    ///                  │                   │
    ///                  n────────m──────────y
    ///                  │        │          │
    ///     a────────────j───e=f──g──────────z
    package static func bridge(_ maxheight: String = "10'6\"", below: String = "tertiary") throws -> Drawing {
        try Drawing(
            mainStreet(maxheight, below: below) + """
                y 6500 300
                q 4000 2000
                p 6500 2000
                nmy residential name=North+Road
                mg residential name=Mill+Lane
                yz residential name=East+Road
                nqpy residential name=Hill+Road
                """)
    }

    /// The main road, and two detours that leave at `j`: by North Road, the shorter one, under another bridge, and by
    /// Hill Road, where that is drawn.
    ///
    ///                  n══════════m
    ///     a────────────j───e=f────g──────────z
    ///                  p──────────q
    package static func detourUnder(_ maxheight: String, hasOther: Bool = true) throws -> Drawing {
        try Drawing(
            mainStreet("3.2") + """
                p 4000 -600
                q 4700 -600
                nm residential name=North+Road maxheight=\(maxheight)
                mg residential name=Mill+Lane
                \(hasOther ? "jpqg residential name=Hill+Road" : "")
                """)
    }

    /// A main road eastwards past a side street, `sd`, that leads under a low bridge, 200 m from the corner; the
    /// next corner, `w`, is the detour.
    ///
    ///     a────────s────w────────z
    ///              b    │        │
    ///              ║    │        │     bc is low
    ///              c    │        │
    ///              d────v────────y
    ///
    /// - Parameter first: lines before all of these, by which every edge has another number and every way another id.
    package static func sideStreet(
        _ highway: String = "residential", maxheight: String = "3.2", after first: String = ""
    ) throws -> Drawing {
        try Drawing(
            """
            \(first)
            a 0 0
            s 2000 0
            w 2500 0
            z 5000 0
            b 2000 -200
            c 2000 -230
            d 2000 -1500
            v 2500 -1500
            y 5000 -1500
            aswz primary name=Main+Street
            sb \(highway) name=Mill+Lane
            bc \(highway) name=Mill+Lane maxheight=\(maxheight)
            cd residential name=Mill+Lane
            dvyz residential name=South+Road
            wv residential name=Bypass+Road
            """)
    }
}
