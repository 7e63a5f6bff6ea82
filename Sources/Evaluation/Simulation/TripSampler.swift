import Fleet
package import Geo
package import Hashing
import Messages
package import Roads

/// Draws trips by chance; equal networks and seeds give equal trips, on every machine.
package struct TripSampler {
    /// So many draws without a result mean that the network has none.
    private static let triesMax = 200
    /// How far a trip goes on behind a low zone.
    private static let farther: Metres = 300
    /// A ring road is followed over at most so many edges behind a low zone.
    private static let fartherEdgesMax = 100

    private let network: RoadNetwork
    private let way: FastestWay
    private let edgeSampler: EdgeSampler
    private var random: SplitMix64
    /// Where natural trips begin and end; empty: anywhere.
    private var places: [EdgeID] = []
    /// As the driver of the next trip sees the roads.
    private var rules = WayRules()

    /// - Precondition: the network has edges.
    package init(_ network: RoadNetwork, seed: UInt64) {
        precondition(network.edgeCount > 0, "a network without roads has no trips")
        self.network = network
        way = FastestWay(network)
        edgeSampler = EdgeSampler(network)
        random = SplitMix64(seed: seed)
    }

    /// Goes on as if just made with another seed: what a number draws then does not hang on what was drawn before.
    package mutating func restart(_ random: SplitMix64) { self.random = random }

    /// From here on a driver of his own sees the roads: each edge takes him 0.8 to 1.25 times as long as it usually does, as one
    /// who knows some roads better than others, or likes them better, chooses his way.
    package mutating func drawDriver() {
        let seed = random.next()
        // By 1.25 more, which no choice depends on: no edge may be faster than usual.
        rules.slowdown = { [edgeSampler] edge in
            var random = SplitMix64(seed: seed, stream: edgeSampler.number(of: edge))
            return 1 + random.fraction() * (1.25 / 0.8 - 1)
        }
    }

    /// From here on natural trips go between places of a fleet, which are drawn first.
    package mutating func drawPlaces(_ count: Int) {
        places = []
        for _ in 0..<count { places.append(edge()) }
    }

    /// From anywhere to anywhere, or between the fleet's places, the fastest way as a car navigation finds it.
    ///
    /// - Parameters:
    ///   - lengthMin: of the trip.
    ///   - speed: nil: what is usual on each edge.
    /// - Returns: nil where the network is too small for such a trip.
    package mutating func anywhere(lengthMin: Metres = 2_000, speed: MetresPerSecond? = nil) -> Trip? {
        for _ in 0..<Self.triesMax {
            let (start, goal) = (place(), place())
            guard network.length(start) > 0, let edges = edges(from: [RoadPosition(edge: start, offset: 0)], to: goal)
            else { continue }
            let trip = Trip(network, edges: edges, through: [call(on: edges[edges.count - 1])], speed: speed)
            if trip.length >= lengthMin { return trip }
        }
        return nil
    }

    /// The fastest way on from where another trip has ended: back, where the road ends and nothing but a U-turn leads on.
    ///
    /// - Parameters:
    ///   - last: the edge on which it ended.
    ///   - lengthMin: of the trip.
    ///   - speed: nil: what is usual on each edge.
    /// - Returns: nil where no way leads on, or none so far.
    package mutating func onward(from last: EdgeID, lengthMin: Metres = 2_000, speed: MetresPerSecond? = nil) -> Trip? {
        for starts in starts(after: last) {
            for _ in 0..<Self.triesMax {
                let goal = edge()
                guard let edges = edges(from: starts, to: goal) else { continue }
                let trip = Trip(network, edges: edges, through: [call(on: edges[edges.count - 1])], speed: speed)
                if trip.length >= lengthMin { return trip }
            }
        }
        return nil
    }

    /// The same, by a low zone and on, as `passing` draws it.
    package mutating func onward(
        from last: EdgeID, passing table: HazardTable, speed: MetresPerSecond? = nil,
        where isWanted: (Hazard) -> Bool = { $0.isPublic && !$0.detours.isEmpty }
    ) -> Trip? {
        for starts in starts(after: last) {
            if let trip = passing(table, speed: speed, where: isWanted, from: { _, _ in starts }) { return trip }
        }
        return nil
    }

    /// The fastest way from somewhere `approach` metres away in a straight line to a low zone, through it, and on.
    ///
    /// - Parameters:
    ///   - isWanted: which hazards count.
    ///   - speed: nil: what is usual on each edge.
    /// - Returns: a trip that calls at the low edge, passes under at least one wanted hazard and begins before its last
    ///   turn-off; nil where there is none.
    package mutating func passing(
        _ table: HazardTable, approach: ClosedRange<Metres> = 3_000...8_000, speed: MetresPerSecond? = nil,
        where isWanted: (Hazard) -> Bool = { $0.isPublic && !$0.detours.isEmpty }
    ) -> Trip? {
        passing(table, speed: speed, where: isWanted) { draw, entry in
            let origin = draw.origin(of: draw.network.coordinate(draw.network.from(entry)), within: approach)
            return origin.map { [RoadPosition(edge: $0, offset: 0)] } ?? []
        }
    }

    /// - Parameter starts: where a trip to that entry may begin.
    private mutating func passing(
        _ table: HazardTable, speed: MetresPerSecond?, where isWanted: (Hazard) -> Bool,
        from starts: (inout TripSampler, EdgeID) -> [RoadPosition]
    ) -> Trip? {
        let wanted = table.hazards.indices.filter { isWanted(table.hazards[$0]) }
        guard !wanted.isEmpty else { return nil }
        for _ in 0..<Self.triesMax {
            let entry = table.hazards[wanted[random.index(below: wanted.count)]].entry
            let starts = starts(&self, entry)
            guard let edges = edges(from: starts, to: entry) else { continue }
            let whole = goOn(edges)
            let calls = [call(on: edges[edges.count - 1]), call(on: whole[whole.count - 1])]
            let trip = Trip(network, edges: whole, through: calls, speed: speed)
            let isPassed = trip.passes(network, table).contains { pass in
                wanted.contains(pass.hazard) && pass.detourDistance != nil
            }
            if isPassed { return trip }
        }
        return nil
    }

    private mutating func place() -> EdgeID { places.isEmpty ? edge() : places[random.index(below: places.count)] }

    private mutating func edge() -> EdgeID { edgeSampler.edge(&random) }

    /// Nearer, where the network does not reach so far.
    private mutating func origin(of place: Coordinate, within range: ClosedRange<Metres>) -> EdgeID? {
        for range in [range, range.lowerBound / 10...range.upperBound] {
            for _ in 0..<Self.triesMax {
                let edge = edge()
                if range.contains(network.coordinate(network.to(edge)).distance(to: place)) { return edge }
            }
        }
        return nil
    }

    /// A place on an edge where a trip calls; not in its middle, where a bridge may cross over it.
    private func call(on edge: EdgeID) -> Coordinate { network.coordinate(edge, offset: network.length(edge) / 4) }

    /// Where a vehicle can drive on that has come to an edge's end; after it, where it can turn round.
    private func starts(after edge: EdgeID) -> [[RoadPosition]] {
        let back = [network.reverse(network.original(edge))].compactMap(\.self)
        return [Array(network.successors(edge)), back].map { edges in
            edges.filter { network.length($0) > 0 }.map { RoadPosition(edge: $0, offset: 0) }
        }
    }

    /// The fastest way to a place on an edge, from either side.
    private func edges(from starts: [RoadPosition], to goal: EdgeID) -> [EdgeID]? {
        let offset = network.length(goal) / 4
        let back = network.reverse(goal).map { RoadPosition(edge: $0, offset: network.length($0) - offset) }
        let goals = [RoadPosition(edge: goal, offset: offset)] + [back].compactMap { $0 }
        return way.way(from: starts, to: goals, rules)?.edges
    }

    /// The straightest way on, which leads through a low zone and out of it.
    private func goOn(_ edges: [EdgeID]) -> [EdgeID] {
        var edges = edges
        var gone: Metres = 0
        for _ in 0..<Self.fartherEdgesMax where gone < Self.farther {
            guard let next = network.straightest(after: edges[edges.count - 1]) else { break }
            gone += network.length(next)
            edges.append(next)
        }
        return edges
    }
}
