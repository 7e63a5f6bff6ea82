import Geo
import HeapModule
import Messages
import Roads

/// How likely a vehicle comes to each hazard by the likeliest single way there: what rule 1 compares with
/// `alerts.min_probability`.
struct LikeliestWays {
    private static let edgesMax = 5_000
    /// Less is told as nothing.
    private static let probabilityMin = 0.005

    private struct Entry: Comparable {
        var probability: Double
        /// From the vehicle to the edge's end.
        var distance: Metres
        var edge: EdgeID

        static func < (a: Entry, b: Entry) -> Bool { (a.probability, b.edge) < (b.probability, a.edge) }
    }

    /// By position in the table's `hazards`.
    private(set) var probabilities: [Int: Double] = [:]

    init(
        _ network: RoadNetwork, _ table: HazardTable, _ model: TurnModel, from position: RoadPosition,
        within reach: Metres
    ) {
        let rest = max(0, network.length(position.edge) - position.offset)
        var queue: Heap = [Entry(probability: 1, distance: rest, edge: position.edge)]
        var seen: Set<EdgeID> = []
        while let entry = queue.popMax(), seen.count < Self.edgesMax {
            guard seen.insert(entry.edge).inserted else { continue }
            if let hazard = table.entries[entry.edge], probabilities[hazard] == nil {
                probabilities[hazard] = entry.probability
            }
            guard entry.distance < reach else { continue }
            for (next, share) in model.turns(network, after: entry.edge)
            where entry.probability * share >= Self.probabilityMin {
                queue.insert(
                    Entry(
                        probability: entry.probability * share, distance: entry.distance + network.length(next),
                        edge: next))
            }
        }
    }
}
