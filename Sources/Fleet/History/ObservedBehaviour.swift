import Geo
import Roads

/// What the fleet's vehicles did where one is now, asked of the fleet's history for one vehicle at one fix.
///
/// A class, since every hazard asks about the same few edges: what is found is kept for the next.
final class ObservedBehaviour {
    /// So many vehicles count as much as what is known otherwise: as the turns of `TurnModel`.
    static let priorPasses = 3.0

    private let history: HazardHistory
    /// `HazardPassages.earlierEdge` of the vehicle.
    private let earlierEdge: UInt64?
    private let network: RoadNetwork
    private let rule: EngineSettings.Alerts.History
    private var known: [EdgeID: Record?] = [:]

    init(
        _ history: HazardHistory, from earlierEdge: UInt64?, _ network: RoadNetwork,
        _ rule: EngineSettings.Alerts.History
    ) {
        (self.history, self.earlierEdge, self.network, self.rule) = (history, earlierEdge, network, rule)
    }

    /// What is known of an edge, the less specific first.
    struct Record {
        fileprivate let places: [HazardHistory.Place]
        fileprivate let rule: EngineSettings.Alerts.History

        /// Clearances under which somebody drove from there.
        var clearances: Set<UInt32> {
            Set(places.flatMap(\.rows).filter { $0.count.passes > 0 }.map(\.clearance))
        }

        /// That the vehicle comes to a clearance: as all who were on the edge and as those who came from where it came, each
        /// weighed by how many they are (a beta prior of `priorPasses`).
        ///
        /// - Parameter otherwise: that it does as far as the roads tell.
        func probability(of clearance: UInt32, otherwise: Double) -> Double {
            places.reduce(otherwise) { known, place in
                let (all, under) = place.passes(under: clearance)
                return (Double(under) + ObservedBehaviour.priorPasses * known)
                    / (Double(all) + ObservedBehaviour.priorPasses)
            }
        }

        /// Whether enough vehicles came by, and so few of them drove under that rule 2 need not raise an alarm: of those who
        /// came from where this vehicle came where they are enough, else of all.
        func isRarelyDrivenUnder(_ clearance: UInt32) -> Bool {
            guard let known = places.map({ $0.passes(under: clearance) }).last(where: { $0.all >= rule.passes }) else {
                return false
            }
            return Double(known.under) < rule.rate * Double(known.all)
        }
    }

    /// Nil where nobody has come by.
    func record(on edge: EdgeID) -> Record? {
        if let record = known[edge] { return record }
        let record = find(edge)
        known[edge] = .some(record)
        return record
    }

    private func find(_ edge: EdgeID) -> Record? {
        let key = PlaceKey.edge(network.original(edge), network)
        guard let all = history.place(key) else { return nil }
        let some = earlierEdge.flatMap { history.place(PlaceKey.edge(key, from: $0)) }
        return Record(places: [all] + (some.map { [$0] } ?? []), rule: rule)
    }
}
