import Hashing
import Roads

/// Draws edges of the map by chance. Equal draws give the same edges however a road file numbers them: here they have the order
/// of their ways' OSM ids.
struct EdgeSampler {
    /// Those that have shadows once more for each.
    private let edges: [EdgeID]
    /// By edge on the map, its place in `edges`.
    private let places: [UInt32]

    init(_ network: RoadNetwork) {
        let keyed = (0..<network.edgeCount).map { index in
            let (edge, original) = (EdgeID(index), network.original(EdgeID(index)))
            return (isShadow: edge == original ? 0 : 1, way: network.key(original).way, edge: original)
        }
        edges = keyed.sorted(by: <).map(\.edge)
        var places = [UInt32](repeating: 0, count: edges.count)
        for (place, edge) in edges.enumerated().reversed() { places[Int(edge.index)] = UInt32(place) }
        self.places = places
    }

    func edge(_ random: inout SplitMix64) -> EdgeID { edges[random.index(below: edges.count)] }

    /// A number that the edge has whatever else is drawn.
    ///
    /// - Parameter edge: on the map.
    func number(of edge: EdgeID) -> Int { Int(places[Int(edge.index)]) }
}
