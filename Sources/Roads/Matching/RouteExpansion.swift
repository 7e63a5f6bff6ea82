import Geo
import HeapModule

/// The shortest legal ways from one position to the edges near the next fix, and then from another: what one search takes of
/// memory serves the next.
struct RouteExpansion {
    struct Route {
        var length: Metres
        var turnsRound: Bool
        fileprivate var way: Way
    }

    /// By which edges a route leads, as far as is needed to name them.
    fileprivate enum Way {
        /// On along the edge on which it starts.
        case onward
        /// To an edge, or a shadow, that the expansion has come to.
        case to(EdgeID)
        /// Back on the reverse of that edge.
        case back(EdgeID)
    }

    private struct Step {
        /// From the position to the edge's start.
        var distance: Metres
        var previous: EdgeID?
        var turnsRound: Bool
    }

    private struct Entry: Comparable {
        var distance: Metres
        var edge: EdgeID

        static func < (a: Entry, b: Entry) -> Bool { (a.distance, a.edge) < (b.distance, b.edge) }
    }

    /// Turning round competes with ways this much longer that need no turning.
    private static let turnRoundDetour: Metres = 100
    private static let edgesMax = 2_000
    /// Of most fixes the search comes to no more.
    private static let edgesUsual = 32
    /// Most ways lead over no more edges.
    private static let stepsUsual = 4
    /// So many times the slack is the farthest that noise pushes a vehicle backwards.
    private static let slackMax = 4.0

    private let network: RoadNetwork
    private let targets: [EdgeID]
    /// What begins farther away is not looked at.
    private let lengthMax: Metres
    private let mayTurnRound: Bool
    private var start: RoadPosition
    /// Where turning round leads; nil where that is not looked at.
    private var back: EdgeID?
    /// By edge on the map or shadow.
    private var steps = EdgeMap<Step>()
    /// The edges, shadows too, that stand for targets.
    private var reached: [(target: EdgeID, edge: EdgeID)] = []
    private var queue = Heap<Entry>()

    init(
        _ network: RoadNetwork, from start: RoadPosition, to targets: [EdgeID], lengthMax: Metres,
        mayTurnRound: Bool = true
    ) {
        self.network = network
        self.targets = targets
        self.lengthMax = lengthMax
        self.mayTurnRound = mayTurnRound
        self.start = start
        search(from: start)
    }

    /// Finds the ways from another position, to the same edges.
    mutating func search(from start: RoadPosition) {
        self.start = start
        back = mayTurnRound ? network.reverse(start.edge) : nil
        steps.removeAll()
        reached.removeAll(keepingCapacity: true)
        for next in network.successors(start.edge) {
            add(next, network.length(start.edge) - start.offset, after: start.edge, turnsRound: false)
        }
        if let back {
            for next in network.successors(back) {
                add(next, start.offset + Self.turnRoundDetour, after: back, turnsRound: true)
            }
        }
        var count = 0
        while let entry = queue.popMin(), count < Self.edgesMax {
            guard let step = steps[entry.edge], step.distance == entry.distance else { continue }
            count += 1
            let target = network.original(entry.edge)
            if targets.contains(target) { reached.append((target, entry.edge)) }
            for next in network.successors(entry.edge) {
                add(
                    next, entry.distance + network.length(entry.edge), after: entry.edge, turnsRound: step.turnsRound)
            }
        }
        if !queue.isEmpty { queue = Heap() }
    }

    private mutating func add(_ edge: EdgeID, _ distance: Metres, after previous: EdgeID, turnsRound: Bool) {
        guard distance <= lengthMax, distance < steps[edge]?.distance ?? .infinity else { return }
        // Most fixes are too far from the next junction for any.
        if steps.keys.isEmpty { steps.reserveCapacity(Self.edgesUsual) }
        steps.set(edge, Step(distance: distance, previous: previous, turnsRound: turnsRound))
        queue.insert(Entry(distance: distance, edge: edge))
    }

    /// - Parameter slack: how far noise often pushes a standing or slow vehicle backwards on its edge.
    /// - Returns: of negative length where the vehicle seems to have gone backwards by more than that.
    func route(to target: NearbyEdge, slack: Metres) -> Route? {
        if target.edge == network.original(start.edge), target.offset >= start.offset - Self.slackMax * slack {
            let driven = target.offset - start.offset
            // Beyond the slack backwards is unlikely, but for a standing vehicle not as unlikely as turning round.
            return Route(length: driven < 0 ? min(0, driven + slack) : driven, turnsRound: false, way: .onward)
        }
        if let edge = nearest(target.edge), let step = steps[edge] {
            let detour = step.turnsRound ? Self.turnRoundDetour : 0
            return Route(
                length: step.distance - detour + target.offset, turnsRound: step.turnsRound, way: .to(edge))
        }
        guard let back, back == target.edge else { return nil }
        let moved = (target.offset - (network.length(back) - start.offset)).magnitude
        return Route(length: moved, turnsRound: true, way: .back(back))
    }

    /// From the edge of the start to that of the end. Most routes are weighed and dropped without.
    func edges(of route: Route) -> [EdgeID] {
        switch route.way {
        case .onward: [start.edge]
        case .to(let edge): path(to: edge)
        case .back(let back): [start.edge, back]
        }
    }

    /// The nearest of the edges that stand for a target.
    private func nearest(_ target: EdgeID) -> EdgeID? {
        reached.lazy.filter { $0.target == target }.map(\.edge)
            .min { steps[$0]?.distance ?? .infinity < steps[$1]?.distance ?? .infinity }
    }

    private func path(to edge: EdgeID) -> [EdgeID] {
        var path = [edge]
        path.reserveCapacity(Self.stepsUsual)
        while let previous = steps[path[path.count - 1]]?.previous, path.count <= Self.edgesMax {
            path.append(previous)
            // The start and its reverse are stepped from; only a way round the block comes back to them.
            if previous == start.edge || previous == back { break }
        }
        path.reverse()
        return path
    }
}
