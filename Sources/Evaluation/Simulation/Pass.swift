import Clearances
import Fleet
package import Geo
import Messages
package import Roads

/// Where a trip comes to a hazard: the truth that alerts are measured against.
package struct Pass: Hashable, Sendable {
    /// Position in `HazardTable.hazards`.
    package var hazard: Int
    /// It and the hazards by which the same structure is entered elsewhere: one alert tells of all of them.
    package var entries: Set<Int>
    /// The last turn-off on this trip; nil where the trip began after it.
    package var decision: HazardTable.Decision?
    /// Along the trip to the junction of the last turn-off; nil where the trip began after it.
    package var decisionDistance: Metres?
    /// Along the trip to where the low edge begins.
    package var entryDistance: Metres
    /// Along the trip to the first structure; nil where the trip leaves the low edge before it.
    package var structureDistance: Metres?
    /// Along the trip to where it leaves the low zone, or ends.
    package var zoneEnd: Metres

    /// Along the trip to the detour point; nil where the hazard has no detour, or the trip began after it.
    package var detourDistance: Metres? { decision?.detour == nil ? nil : decisionDistance }
}

extension Pass {
    /// Whether an alert is about the structure that this pass comes to, by whichever entry it tells of.
    ///
    /// - Parameter chain: the alert's.
    package func isSubject(ofAlertWith chain: [String], _ network: RoadNetwork, _ table: HazardTable) -> Bool {
        chain.first == network.clearance(table.structure(hazard)).id
    }
}

extension Trip {
    /// The hazards on the trip's own edges, in driving order.
    package func passes(_ network: RoadNetwork, _ table: HazardTable) -> [Pass] {
        edges.indices.compactMap { index in
            guard let hazard = table.entries[edges[index]] else { return nil }
            // From within the low zone an edge is not entered.
            if index > 0, table.tooLow.contains(edges[index - 1]) { return nil }
            let last = lastDecision(before: index, hazard, table)
            let zone = zone(from: index, table.hazards[hazard], network)
            let entries = table.hazards.indices.filter { table.structure($0) == table.structure(hazard) }
            return Pass(
                hazard: hazard, entries: Set(entries), decision: last?.decision,
                decisionDistance: last.map { edgeStarts[$0.index + 1] },
                entryDistance: edgeStarts[index],
                structureDistance: structure(zone, table.hazards[hazard], network),
                zoneEnd: zone.endIndex < edges.count ? edgeStarts[zone.endIndex] : length)
        }
    }

    /// Back from the entry over edges from which it is too late.
    private func lastDecision(
        before entry: Int, _ hazard: Int, _ table: HazardTable
    ) -> (decision: HazardTable.Decision, index: Int)? {
        for index in (0..<entry).reversed() {
            let decisions = table.decisions[edges[index], default: []]
            if let decision = decisions.first(where: { $0.hazard == hazard && $0.next == edges[index + 1] }) {
                return (decision, index)
            }
            guard table.tooLate[edges[index], default: []].contains(where: { $0.hazard == hazard }) else { return nil }
        }
        return nil
    }

    /// The positions of the edges on which the trip, from the entry on, keeps to the low zone.
    private func zone(from entry: Int, _ hazard: Hazard, _ network: RoadNetwork) -> Range<Int> {
        let zone = Set(hazard.zone.map(network.original))
        return entry..<(edges[entry...].firstIndex { !zone.contains(network.original($0)) } ?? edges.count)
    }

    private func structure(_ zone: Range<Int>, _ hazard: Hazard, _ network: RoadNetwork) -> Metres? {
        for index in zone {
            let edge = network.original(edges[index])
            let feet = network.clearances(edge).filter(hazard.clearances.contains).compactMap { id in
                let position = network.clearance(id).position
                return network.foot(of: position, on: edge, LocalPlane(latitude: position.latitude))?.offset
            }
            if let nearest = feet.min() { return edgeStarts[index] + nearest }
        }
        return nil
    }
}
