import Geo

/// What a planned way may lead over.
public struct WayRules: Sendable {
    /// Never driven, and neither is a direction that is closed to trucks; a vehicle that stands on such an edge may still leave it.
    /// Nil: heights are ignored, and such a direction is only not passed through.
    public var avoided: TooLowEdges?
    /// What may not be passed through is driven only to leave the start or to come to the goal.
    public var through: ThroughPolicy
    /// How many times as long as usual an edge on the map takes, at least 1; nil: all take as long as usual.
    public var slowdown: (@Sendable (EdgeID) -> Double)?

    public init(
        avoiding avoided: TooLowEdges? = nil, through: ThroughPolicy = .strict,
        slowdown: (@Sendable (EdgeID) -> Double)? = nil
    ) {
        self.avoided = avoided
        self.through = through
        self.slowdown = slowdown
    }
}

/// The rules of one search, asked edge by edge.
struct Passage {
    let network: RoadNetwork
    let rules: WayRules
    /// Ends whose surroundings count as theirs, open to all or not.
    var enclosed: Set<NodeID> = []

    /// The grounds that a public road within a yard belongs to are hardly larger.
    private static let groundsMax: Metres = 500

    /// What driving along the edge takes.
    func seconds(_ edge: EdgeID) -> Seconds {
        let usual = network.length(edge) / network.usualSpeed(edge)
        return rules.slowdown.map { usual * max(1, $0(network.original(edge))) } ?? usual
    }

    func isAvoided(_ edge: EdgeID) -> Bool {
        guard let avoided = rules.avoided else { return false }
        return avoided.contains(edge) || network.isClosed(edge)
    }

    /// Whether the edge only leads out of the start, or to the goal.
    func isConfined(_ edge: EdgeID) -> Bool {
        if network.mayPassThrough(edge, rules.through) { return false }
        if enclosed.isEmpty { return true }
        let place = network.coordinate(network.to(edge))
        return !enclosed.contains { network.coordinate($0).distance(to: place) <= Self.groundsMax }
    }
}
