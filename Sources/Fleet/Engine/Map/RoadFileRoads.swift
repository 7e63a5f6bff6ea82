import Roads

/// The roads of one road file, and what follows from them whatever the clearances are.
struct RoadFileRoads {
    /// As the file has it.
    let network: RoadNetwork
    /// How this fleet turned at junctions.
    private(set) var turnModel: TurnModel
    /// For turns by OSM ids; made on first use.
    private var edgeIndex: EdgeIndex?
    /// For routes; made on first use.
    private var ways: (planner: RoutePlanner, matcher: LineMatcher, onward: OnwardWays)?

    init(_ network: RoadNetwork, _ turnModel: TurnModel = TurnModel()) {
        (self.network, self.turnModel) = (network, turnModel)
    }

    /// - Parameter network: with all clearances in force.
    mutating func guide(on network: RoadNetwork) -> RouteGuide {
        let ways = ways ?? Self.ways(self.network)
        self.ways = ways
        return RouteGuide(network: network, planner: ways.planner, matcher: ways.matcher, onward: ways.onward)
    }

    private static func ways(
        _ network: RoadNetwork
    ) -> (planner: RoutePlanner, matcher: LineMatcher, onward: OnwardWays) {
        let way = FastestWay(network)
        let planner = RoutePlanner(network, way)
        return (planner, LineMatcher(network, way), OnwardWays(network, planner))
    }

    /// As they are kept, and hold for any road file of the same streets.
    var turns: [TurnCounts.Row] { turnModel.counts.rows(network) }

    mutating func forgetTurns() { turnModel.counts = TurnCounts() }

    /// - Parameter turns: as they were kept.
    mutating func add(_ turns: [TurnCounts.Row]) {
        guard !turns.isEmpty else { return }
        let index = edgeIndex ?? EdgeIndex(network)
        edgeIndex = index
        turnModel.counts.add(turns, index)
    }

    /// Counts the turns that a vehicle has taken since its fix before, where its place is certain.
    mutating func countTurns(along roads: [MatchedRoad]) -> [TurnCounts.Row] {
        guard let candidate = roads.first?.candidate, candidate.route.count > 1,
            candidate.probability >= HazardWatch.certainty
        else { return [] }
        return turnModel.counts.add(candidate.route, network)
    }
}
