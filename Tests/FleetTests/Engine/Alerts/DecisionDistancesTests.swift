import FleetTestSupport
import Geo
import Roads
import Testing

@Suite("The distance from every edge to the nearest decision before each hazard")
struct DecisionDistancesTests {
    private static let reach: Metres = 600

    private func distances(_ town: GridTown, _ table: HazardTable, from others: [DecisionDistances] = [])
        -> DecisionDistances
    {
        DecisionDistances(town.network, table, reach: Self.reach, from: others) { _ in true }
    }

    /// What a search forward along legal turns finds, by hazard: to the end of the first edge on which something is decided.
    private func forward(_ town: GridTown, _ table: HazardTable, from edge: EdgeID) -> [Int: Metres] {
        var best: [EdgeID: Metres] = [edge: 0]
        var found: [Int: Metres] = [:]
        var open = [edge]
        while let next = open.min(by: { best[$0]! < best[$1]! }) {
            open.removeAll { $0 == next }
            let distance = best[next]!
            for decision in table.decisions[next, default: []] {
                found[decision.hazard] = min(found[decision.hazard] ?? .infinity, distance)
            }
            for successor in town.network.successors(next) {
                let beyond = distance + town.network.length(successor)
                guard beyond <= Self.reach, beyond < best[successor] ?? .infinity else { continue }
                best[successor] = beyond
                open.append(successor)
            }
        }
        return found
    }

    @Test("It is that of the shortest legal way that does not lead under the hazard first", arguments: UInt64(1)...4)
    func shortest(seed: UInt64) throws {
        let town = try GridTown(seed: seed)
        let table = HazardTable(town.network, height: 400)
        let distances = distances(town, table)
        var compared = 0
        for edge in (0..<town.network.edgeCount).map({ EdgeID($0) }) {
            let prospects = distances.prospects(on: edge)
            #expect(prospects.map(\.distance) == prospects.map(\.distance).sorted())
            #expect(prospects.allSatisfy { (0...1).contains($0.probability) })
            let truth = forward(town, table, from: edge)
            for prospect in prospects where prospect.distance >= 0 {
                compared += 1
                let hazard = prospect.hazard(in: table)
                let distance = try #require(truth[hazard])
                #expect(prospect.distance >= distance - 0.01)
                let decision = distances.nextDecision(before: hazard, after: edge, town.network, table)
                #expect(decision?.hazard == hazard)
            }
            // A way under the hazard itself is no way to it.
            for (hazard, distance) in truth where distance < Self.reach - 1 && table.entries[edge] != hazard {
                let isShown = prospects.contains { $0.hazard(in: table) == hazard }
                #expect(isShown || distance > 2 * GridTown.block, "\(edge) \(hazard) \(distance)")
            }
        }
        #expect(compared > 300)
    }

    @Test("Taken from those of other heights, it is the same as found anew")
    func others() throws {
        let town = try GridTown(seed: 3)
        let tables = [300, 340, 400].map { HazardTable(town.network, height: $0) }
        #expect(tables[0].hazards.count < tables[1].hazards.count)
        #expect(tables[1].hazards.count < tables[2].hazards.count)
        let fresh = tables.map { distances(town, $0) }
        let zones = tables.map { AlertZone(town.network, [$0], reach: Self.reach) }
        // Hazards come in between those that stay, and go from between them.
        for (index, others) in [(2, [0]), (0, [2]), (2, [2]), (1, [0, 2]), (1, [2, 0]), (0, [2, 1]), (2, [0, 1])] {
            let taken = distances(town, tables[index], from: others.map { fresh[$0] })
            let zone = AlertZone(town.network, [tables[index]], reach: Self.reach, from: others.map { zones[$0] })
            for edge in (0..<town.network.edgeCount).map({ EdgeID($0) }) {
                let (expected, found) = (fresh[index].prospects(on: edge), taken.prospects(on: edge))
                #expect(found.map { $0.hazard(in: tables[index]) } == expected.map { $0.hazard(in: tables[index]) })
                #expect(found.map(\.distance) == expected.map(\.distance))
                #expect(found.map(\.probability) == expected.map(\.probability))
                #expect(zone.distanceToDecision(after: edge) == zones[index].distanceToDecision(after: edge))
            }
        }
    }
}
