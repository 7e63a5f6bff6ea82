public import Geo
import HeapModule

/// The decision turns that a truck can reach within some seconds by any legal way: what the guarantee rests on.
public struct ReachableDecisions {
    /// In the densest junction clusters a truck reaches some hundred edges in 40 s; beyond this the search ends.
    private static let edgesMax = 5_000

    private struct Entry: Comparable {
        var seconds: Seconds
        var metres: Metres
        var edge: EdgeID

        static func < (a: Entry, b: Entry) -> Bool { (a.seconds, a.edge) < (b.seconds, b.edge) }
    }

    private let network: RoadNetwork
    private let table: HazardTable
    private let model: TurnModel

    public init(_ network: RoadNetwork, _ table: HazardTable, _ model: TurnModel) {
        self.network = network
        self.table = table
        self.model = model
    }

    /// - Parameters:
    ///   - slack: how much farther along the truck may be than it was matched.
    ///   - seconds: driving time, each edge at the larger of `speed` and what is usual there.
    /// - Returns: for each hazard the decision that is reached first.
    public func upcomingHazards(
        from position: RoadPosition, slack: Metres = 0, within seconds: Seconds, speed: MetresPerSecond
    ) -> [UpcomingHazard] {
        var queue = Heap<Entry>()
        var seen = EdgeMap<Void>()
        var found: [Int: UpcomingHazard] = [:]
        func drive(_ edge: EdgeID, _ metres: Metres, after entry: Entry?) {
            let counted = entry == nil ? max(0, metres - slack) : metres
            let duration = counted / max(speed, network.usualSpeed(edge))
            queue.insert(
                Entry(seconds: (entry?.seconds ?? 0) + duration, metres: (entry?.metres ?? 0) + metres, edge: edge))
        }
        drive(position.edge, max(0, network.length(position.edge) - position.offset), after: nil)
        while let entry = queue.popMin(), entry.seconds <= seconds, seen.keys.count < Self.edgesMax {
            guard seen.set(entry.edge, ()) else { continue }
            for decision in table.decisions[entry.edge, default: []] where found[decision.hazard] == nil {
                found[decision.hazard] = upcomingHazard(decision, after: entry)
            }
            for next in network.successors(entry.edge) { drive(next, network.length(next), after: entry) }
        }
        return found.values.sorted { $0.hazard < $1.hazard }
    }

    private func upcomingHazard(_ decision: HazardTable.Decision, after entry: Entry) -> UpcomingHazard {
        let turn = model.turns(network, after: entry.edge).first { $0.next == decision.next }
        return UpcomingHazard(
            hazard: decision.hazard, decision: decision, distanceToDecision: entry.metres,
            secondsToDecision: entry.seconds,
            distanceToEntry: entry.metres + decision.distanceToEntry, probability: turn?.probability ?? 0,
            isOnPath: false)
    }
}
