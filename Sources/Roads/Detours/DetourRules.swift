public import Geo

/// What may be part of a detour, beside being high enough.
public enum ThroughPolicy: String, Hashable, Sendable, CaseIterable {
    /// No private, customers', destination or delivery roads, no parking aisles or driveways.
    case strict
    /// Those too.
    case all
    /// Neither those nor any service road or living street.
    case noservice
}

/// How detours are looked for.
public struct DetourRules: Hashable, Sendable {
    public var through: ThroughPolicy
    /// A detour longer than this does not count.
    public var lengthMax: Metres
    /// How far past the far side a detour may rejoin.
    public var rejoinDistance: Metres

    public init(through: ThroughPolicy = .strict, lengthMax: Metres = 30_000, rejoinDistance: Metres = 200) {
        self.through = through
        self.lengthMax = lengthMax
        self.rejoinDistance = rejoinDistance
    }
}

extension RoadNetwork {
    /// Whether a detour may lead over an edge, heights aside. The map does not say which way a reversible road may be driven now:
    /// a way may lead over it, but a strict detour does not rely on it.
    package func mayDetour(over edge: EdgeID, _ policy: ThroughPolicy) -> Bool {
        mayPassThrough(edge, policy) && (policy == .all || !isReversible(edge))
    }

    /// Whether a way may lead over an edge rather than only start or end there, heights aside.
    public func mayPassThrough(_ edge: EdgeID, _ policy: ThroughPolicy) -> Bool {
        switch policy {
        case .all: !isClosed(edge)
        case .strict: !isDestinationOnly(edge)
        case .noservice: !isDestinationOnly(edge) && roadClass(edge).rawValue > RoadClass.livingStreet.rawValue
        }
    }

    /// The next edge with the smallest turn; of equal ones the first. Nil at a dead end.
    package func straightest(after edge: EdgeID) -> EdgeID? {
        var best: (angle: Degrees, edge: EdgeID)?
        for next in successors(edge) {
            let angle = turnAngle(edge, next)
            if angle < best?.angle ?? .infinity { best = (angle, next) }
        }
        return best?.edge
    }

    /// The edge before with the smallest turn; of equal ones the first. Nil where the network starts.
    package func straightest(before edge: EdgeID) -> EdgeID? {
        var best: (angle: Degrees, edge: EdgeID)?
        for previous in predecessors(edge) {
            let angle = turnAngle(previous, edge)
            if angle < best?.angle ?? .infinity { best = (angle, previous) }
        }
        return best?.edge
    }
}
