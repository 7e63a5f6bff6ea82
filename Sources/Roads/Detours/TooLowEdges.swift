import Clearances
public import Geo

/// The edges that a vehicle of one effective height does not fit under, or may not: what a hazard table is made of.
public struct TooLowEdges: Sendable {
    /// Shadows included.
    private let all: EdgeMap<Bool>
    /// Originals only, ascending.
    public let edges: [EdgeID]

    /// - Parameter height: effective height of the vehicle, rounded up. Clearances of unknown height are none here.
    public init(_ network: RoadNetwork, height: Centimetres) {
        self.init(network) { clearance in
            if case .limit(let limit) = network.reading(clearance) { height > limit } else { false }
        }
    }

    /// The edges that carry a clearance of any kind, as of those whose height is not known:
    /// `{ network.reading($0).verdict(height: 412, legalDefault: 400) == .unknown }`.
    ///
    /// - Parameter isTooLow: asked once for each edge that a clearance limits.
    public init(_ network: RoadNetwork, where isTooLow: (ClearanceID) -> Bool) {
        edges = Set(network.limitedEdges.filter { isTooLow($0.clearance) }.map(\.edge)).sorted()
        var all = EdgeMap<Bool>(capacity: edges.count)
        for edge in edges { all.set(edge, true) }
        for shadow in network.shadows where all[network.original(shadow)] != nil { all.set(shadow, true) }
        self.all = all
    }

    public func contains(_ edge: EdgeID) -> Bool { all[edge] != nil }

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

    /// The heights at which the set of too-low edges changes, ascending: all vehicles between two of them share it.
    public var distinctLimits: [Centimetres] {
        let limits = (0..<clearanceCount).compactMap { index -> Centimetres? in
            if case .limit(let limit) = reading(ClearanceID(index)) { limit } else { nil }
        }
        return Set(limits).sorted()
    }
}
