package import Geo
package import Roads
import Testing

/// A road network drawn in a few lines of text, built and opened as a real road file.
///
///     a 0 0                                        a node, metres east and north of a point in Michigan
///     ab tertiary name=Main+Street maxheight=3.2   a way along nodes, its `highway`, other tags (`+` is a space)
///
/// Nodes are single letters; `ab` is also the edge from `a` to `b`.
package struct Drawing {
    private static let origin = Coordinate(latitude: 42, longitude: -84)

    package let network: RoadNetwork
    private let points: [Character: Coordinate]
    private let ids: [Character: Int64]

    package init(_ text: String) throws {
        var points: [Character: Coordinate] = [:]
        var ids: [Character: Int64] = [:]
        var builder = RoadNetworkBuilder()
        var wayCount: Int64 = 0
        for words in text.split(separator: "\n").map({ $0.split(separator: " ") }) where words.count >= 2 {
            if words.count == 3, let east = Metres(words[1]), let north = Metres(words[2]) {
                let name = words[0].first!
                points[name] = Self.place(east, north)
                ids[name] = Int64(ids.count + 1)
            } else {
                wayCount += 1
                let tags = Dictionary(uniqueKeysWithValues: words.dropFirst(2).map(Self.tag))
                builder.add(
                    SourceWay(
                        id: 1000 + wayCount, nodes: try words[0].map { try #require(ids[$0], "no node \($0)") },
                        tags: tags.merging(["highway": String(words[1])]) { $1 }))
            }
        }
        builder.finishWays()
        for (name, id) in ids { builder.add(SourceNode(id: id, position: points[name]!)) }
        network = try RoadNetwork(RoadFileBuffer(builder.build().file))
        (self.points, self.ids) = (points, ids)
    }

    private static func tag(_ word: Substring) -> (String, String) {
        let mark = word.firstIndex(of: "=") ?? word.endIndex
        return (String(word[..<mark]), word[mark...].dropFirst().replacing("+", with: " ").description)
    }

    /// Anywhere, by metres east and north.
    package static func place(_ east: Metres, _ north: Metres) -> Coordinate {
        LocalPlane(latitude: origin.latitude).coordinate(Vector(east: east, north: north), from: origin)
    }

    /// The nodes of those names, one behind the other.
    package func line(_ names: String) throws -> [Coordinate] {
        try names.map { try #require(points[$0], "no node \($0)") }
    }

    /// The edge between two nodes that a truck may drive in this direction.
    package func edge(_ ends: String) throws -> EdgeID {
        let (from, to) = (ids[ends.first!], ids[ends.last!])
        let found = (0..<network.edgeCount).map { EdgeID($0) }.first { edge in
            network.osmID(network.from(edge)) == from && network.osmID(network.to(edge)) == to
        }
        return try #require(found, "no edge \(ends)")
    }
}

extension Drawing {
    /// A main road eastwards, a low bridge on it, and a detour that leaves 300 m before it, at `j`.
    ///
    ///                  q───────────────────p
    ///                  │                   │
    ///                  n────────m──────────y
    ///                  │        │          │
    ///     a────────────j───e=f──g──────────z        j at 4,000 m, the bridge in the middle of ef at 4,320 m
    package static func bridge(_ maxheight: String = "10'6\"", below: String = "tertiary") throws -> Drawing {
        try Drawing(
            """
            a 0 0
            j 4000 0
            e 4300 0
            f 4340 0
            g 4700 0
            z 6500 0
            n 4000 300
            m 4700 300
            y 6500 300
            q 4000 2000
            p 6500 2000
            aj tertiary name=Main+Street
            je \(below) name=Main+Street
            ef \(below) name=Main+Street maxheight=\(maxheight.replacing(" ", with: "+"))
            fgz tertiary name=Main+Street
            jn residential name=Bypass+Road
            nmy residential name=North+Road
            mg residential name=Mill+Lane
            yz residential name=East+Road
            nqpy residential name=Hill+Road
            """)
    }

    /// A low bridge on a main road eastwards, and two detours that leave at `j`: by North Road, the shorter one, under another bridge,
    /// and by Hill Road, where that is drawn.
    ///
    ///                  n══════════m
    ///     a────────────j───e=f────g──────────z
    ///                  p──────────q
    package static func detourUnder(_ maxheight: String, hasOther: Bool = true) throws -> Drawing {
        try Drawing(
            """
            a 0 0
            j 4000 0
            e 4300 0
            f 4340 0
            g 4700 0
            z 6500 0
            n 4000 300
            m 4700 300
            p 4000 -600
            q 4700 -600
            aj tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.2
            fgz tertiary name=Main+Street
            jn residential name=Bypass+Road
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
    package static func sideStreet(_ highway: String = "residential", maxheight: String = "3.2") throws -> Drawing {
        try Drawing(
            """
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
