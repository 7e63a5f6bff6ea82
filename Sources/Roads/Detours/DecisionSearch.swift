import Geo

/// Goes back from the decisions before one hazard after another, along every way that leads there.
struct DecisionSearch {
    private let network: RoadNetwork
    private let table: HazardTable
    private let reach: Metres
    private let distances: EdgeDistances
    /// That a vehicle on an edge comes to the hazard in question.
    private let probabilities: EdgeDistances
    private let shares: TurnShares

    init(_ network: RoadNetwork, _ table: HazardTable, reach: Metres, _ memory: SearchMemory) {
        (self.network, self.table, self.reach) = (network, table, reach)
        (distances, probabilities, shares) = (memory.distances, memory.probabilities, memory.shares)
    }

    /// Where it is decided whether a vehicle comes to a hazard, and what is behind that: by hazard, in the order of the edges.
    mutating func sources(of hazards: Set<Int>) -> [Int: [DecisionDistances.Source]] {
        var behind: [Int: [(edge: EdgeID, distance: Metres)]] = [:]
        for (edge, list) in table.tooLate {
            for item in list where hazards.contains(item.hazard) {
                behind[item.hazard, default: []].append((edge, item.distanceToEntry))
            }
        }
        var arriving: [Int: Set<EdgeID>] = [:]
        for (edge, list) in table.decisions {
            for decision in list where hazards.contains(decision.hazard) {
                arriving[decision.hazard, default: []].insert(edge)
            }
        }
        return hazards.reduce(into: [:]) { sources, hazard in
            sources[hazard] = self.sources(
                of: hazard, behind: behind[hazard, default: []], arriving: arriving[hazard, default: []])
        }
    }

    private mutating func sources(
        of hazard: Int, behind: [(edge: EdgeID, distance: Metres)], arriving: Set<EdgeID>
    ) -> [DecisionDistances.Source] {
        probabilities.clear()
        let behind = behind.sorted { ($0.distance, $0.edge) < ($1.distance, $1.edge) }.map(\.edge)
        for edge in behind { probabilities[edge] = probability(of: hazard, after: edge) }
        let before = arriving.subtracting(behind).sorted()
        return (behind + before).sorted().map { edge in
            let isBehind = !arriving.contains(edge)
            let probability = probabilities[edge] ?? probability(of: hazard, after: edge)
            return DecisionDistances.Source(edge: edge, isBehind: isBehind, probability: probability)
        }
    }

    /// - Parameter note: what there is to say of one edge; of each once.
    mutating func find(
        _ hazard: Int, from sources: [DecisionDistances.Source], note: (DecisionDistances.Prospect) -> Void
    ) {
        probabilities.clear()
        let entry = table.hazards[hazard].entry
        for source in sources {
            probabilities[source.edge] = source.probability
            if source.isBehind {
                note(.init(on: source.edge, entry: entry, distance: -1, probability: source.probability))
            }
        }
        var frontier = Frontier(sources.lazy.filter { !$0.isBehind }.map(\.edge), distances)
        while let (edge, distance) = frontier.next() {
            let probability = probabilities[edge] ?? self.probability(of: hazard, after: edge)
            probabilities[edge] = probability
            note(.init(on: edge, entry: entry, distance: distance, probability: probability))
            let next = distance + network.length(edge)
            guard next <= reach else { continue }
            for previous in network.predecessors(edge)
            where probabilities[previous] == nil && table.entries[previous] != hazard {
                _ = frontier.add(previous, next)
            }
        }
    }

    /// By the next edges of which that is known: of the others it is farther than from here.
    private mutating func probability(of hazard: Int, after edge: EdgeID) -> Double {
        let turns = network.successors(edge)
        return turns.indices.reduce(0) { sum, turn in
            let known = table.entries[turns[turn]] == hazard ? 1 : probabilities[turns[turn]]
            return known.map { sum + $0 * shares.share(of: turn, after: edge) } ?? sum
        }
    }
}

/// How likely each turn is as the roads look, found once.
final class TurnShares {
    private let network: RoadNetwork
    private let model = TurnModel()
    /// By row of the table of turns, 0 where it has not been found yet.
    private let shares: ZeroedMemory<Float>

    init(_ network: RoadNetwork) {
        self.network = network
        shares = ZeroedMemory(count: network.successorRows.count)
    }

    /// - Parameter turn: position in the edge's successors.
    func share(of turn: Int, after edge: EdgeID) -> Double {
        if shares[turn] == 0 {
            let turns = network.successors(edge)
            for (row, found) in zip(turns.indices, model.turns(network, after: edge)) {
                shares[row] = Float(found.probability)
            }
        }
        return Double(shares[turn])
    }
}
