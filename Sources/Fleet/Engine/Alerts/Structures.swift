import Geo
import Messages
import Roads

/// Where the structures of one hazard stand along its low zone.
struct Structures {
    /// A fix this far behind a structure has it behind for certain.
    private static let behind: Metres = 3

    private let network: RoadNetwork
    private let table: HazardTable
    private let entry: EdgeID
    private let zone: [EdgeID]
    /// In driving order.
    private let places: [RoadPosition]

    init(_ network: RoadNetwork, _ table: HazardTable, _ hazard: Hazard) {
        self.network = network
        self.table = table
        entry = network.original(hazard.entry)
        zone = hazard.zone.map(network.original)
        places = hazard.clearances.compactMap { [zone] id in network.place(of: id, on: zone) }
    }

    /// Whether a position is within the zone, and the last structure ahead of it.
    func areAhead(of position: RoadPosition) -> Bool { places.last.map { isAhead($0, of: position) } ?? false }

    /// From a position within the zone to where its next low edge begins; 0 on one, which is too low from its start.
    func distanceToLowEdge(from position: RoadPosition) -> Metres {
        let ahead = zone.drop { $0 != position.edge }.prefix { !table.tooLow.contains($0) }
        return max(0, ahead.reduce(-position.offset) { $0 + network.length($1) })
    }

    /// Whether a position is between two structures, and another hazard, which begins before the next one, tells of the rest: who has
    /// come there by another road has only that before him.
    func isBetween(_ position: RoadPosition) -> Bool {
        guard position.edge != entry, let here = zone.firstIndex(of: position.edge),
            let next = places.firstIndex(where: { isAhead($0, of: position) }), next > 0,
            let there = zone.firstIndex(of: places[next].edge)
        else { return false }
        return zone[here...there].contains { table.entries[$0] != nil }
    }

    private func isAhead(_ place: RoadPosition, of position: RoadPosition) -> Bool {
        guard let here = zone.firstIndex(of: position.edge), let there = zone.firstIndex(of: place.edge) else {
            return false
        }
        return here < there || here == there && position.offset < place.offset + Self.behind
    }

    /// Whether there are several, which a vehicle may come between from another road.
    var isChain: Bool { places.count > 1 }

    /// Whether no other hazard begins within the low zone, which would tell of the rest of it: nobody comes into it from
    /// another road then, but may set off there.
    var isEnteredOnce: Bool { zone.dropFirst().allSatisfy { table.entries[$0] == nil } }

    /// Whether a candidate has driven along the entry of the low zone since the fix before, is on it with all structures ahead,
    /// or is behind it and can have come there by no other.
    func entered(_ candidate: MatchCandidate) -> Bool {
        let position = candidate.position
        if position.edge == entry, let first = places.first, first.edge != entry || position.offset < first.offset {
            return true
        }
        if position.edge != entry, isEnteredOnce, areAhead(of: position) { return true }
        return zip(candidate.route, candidate.route.dropFirst()).contains { edge, next in
            [edge, next].map(network.original).contains(entry) && network.reverse(edge) != network.original(next)
        }
    }

    /// Whether a candidate has driven past one of the structures since the fix before, and whether that was the last one. Who
    /// turned round on the road of a structure may have done so before it.
    func passed(_ candidate: MatchCandidate) -> (any: Bool, last: Bool) {
        let end = candidate.position
        let behind = places.map { place in
            if place.edge == end.edge { return end.offset >= place.offset + Self.behind && !candidate.route.isEmpty }
            return zip(candidate.route, candidate.route.dropFirst()).contains { edge, next in
                network.original(edge) == place.edge && network.reverse(edge) != network.original(next)
            }
        }
        return (behind.contains(true), behind.last ?? false)
    }
}
