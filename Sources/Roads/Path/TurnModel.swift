import Geo
import func Foundation.exp

/// How likely drivers take each turn at a junction, without knowing where they are bound.
public struct TurnModel: Hashable, Sendable {
    /// Per right angle of turning.
    public var angleWeight = -1.6
    /// Per class that the next road is more important.
    public var classWeight = 0.55
    public var ontoLinkWeight = -1.0
    public var serviceWeight = -0.5
    public var sameRoadWeight = 0.2

    public init() {}

    /// The legal turns with their probabilities, which add up to 1; empty at a dead end.
    public func turns(_ network: RoadNetwork, after edge: EdgeID) -> [(next: EdgeID, probability: Double)] {
        let successors = network.successors(edge)
        if successors.count == 1 { return [(successors[successors.startIndex], 1)] }
        let weights = successors.map { exp(score(network, edge, $0)) }
        let total = weights.reduce(0, +)
        return zip(successors, weights).map { ($0, $1 / total) }
    }

    private func score(_ network: RoadNetwork, _ edge: EdgeID, _ next: EdgeID) -> Double {
        let rise = Double(network.roadClass(next).rawValue) - Double(network.roadClass(edge).rawValue)
        var score = angleWeight * network.turnAngle(edge, next) / 90 + classWeight * rise
        if network.isLink(next) && !network.isLink(edge) { score += ontoLinkWeight }
        if network.isService(next) || network.isDestinationOnly(next) { score += serviceWeight }
        if network.isSameRoad(edge, next) { score += sameRoadWeight }
        return score
    }
}
