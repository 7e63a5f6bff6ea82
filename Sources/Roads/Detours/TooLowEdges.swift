import Algorithms
public import Geo

/// The edges that a vehicle of one effective height does not fit under, or may not: what a hazard table is made of.
public struct TooLowEdges: Sendable {
    /// Shadows included.
    private let all: EdgeMap<Bool>
    /// Originals only, ascending.
    public let edges: [EdgeID]

    /// - Parameter height: effective height of the vehicle, rounded up. Clearances of unknown height are none here.
    public init(_ network: RoadNetwork, height: Centimetres) {
        self.init(network, network.byReading.limitedEdges.below(height))
    }

    /// The edges that carry a clearance of unknown height, as far as it is judged:
    /// `{ network.reading($0).verdict(height: 412, legalDefault: 400) == .unknown }`.
    ///
    /// - Parameter isJudged: asked once for each edge that such a clearance limits.
    public init(_ network: RoadNetwork, unknown isJudged: (ClearanceID) -> Bool) {
        self.init(network, network.byReading.unmeasuredEdges.filter { isJudged($0.clearance) }.map(\.edge))
    }

    private init(_ network: RoadNetwork, _ edges: some Sequence<EdgeID>) {
        self.edges = Set(edges).sorted()
        var all = EdgeMap<Bool>()
        all.reserveCapacity(self.edges.count)
        for edge in self.edges { all.set(edge, true) }
        for shadow in network.shadows where all[network.original(shadow)] != nil { all.set(shadow, true) }
        self.all = all
    }

    /// Those of both.
    package func union(_ other: TooLowEdges, _ network: RoadNetwork) -> TooLowEdges {
        TooLowEdges(network, chain(edges, other.edges))
    }

    /// Without those at which the network begins and whose structures all stand on later edges of the low road: a truck sets off there,
    /// or comes in over the border of the map, and may still turn off before them. No way leads to these edges.
    func withoutBeginnings(_ network: RoadNetwork, _ rules: DetourRules) -> TooLowEdges {
        let beginnings = edges.filter { network.predecessors($0).isEmpty }
        guard !beginnings.isEmpty else { return self }
        let shadowed = Set(network.shadows.map(network.original))
        let road = StraightRoad(network: network, tooLow: TooLowAnswers(self, network), rules: rules)
        let open = beginnings.filter { edge in
            let zone = road.lowZone(edge).edges
            return !shadowed.contains(edge)
                && !network.clearances(edge).contains { network.place(of: $0, on: zone)?.edge == edge }
        }
        return open.isEmpty ? self : TooLowEdges(network, Set(edges).subtracting(open))
    }

    public func contains(_ edge: EdgeID) -> Bool { all[edge] != nil }

    /// Whether a way leads over any of them.
    package func limits(_ way: [EdgeID]) -> Bool { way.contains(where: contains) }

    /// What has become of other edges that were too low.
    struct Difference {
        /// Too low now, and not before.
        var closed: Set<EdgeID>
        /// No longer too low.
        var freed: Set<EdgeID>
    }

    func difference(from former: TooLowEdges) -> Difference {
        Difference(closed: Set(edges).subtracting(former.edges), freed: Set(former.edges).subtracting(edges))
    }
}

extension RoadNetwork {
    /// Shadow edges; they stand behind those on the map.
    var shadows: [EdgeID] {
        var first = edgeCount
        while first > 0, edges[first - 1].original != UInt32(first - 1) { first -= 1 }
        return (first..<edgeCount).map { EdgeID($0) }
    }
}
