public import Geo
public import Roads

/// Draws trips by chance; equal networks and seeds give equal trips, on every machine.
public struct TripDraw {
    /// So many draws without a result mean that the network has none.
    private static let triesMax = 200
    /// How far a trip goes on behind a low zone.
    private static let farther: Metres = 300
    /// A ring road is followed over at most so many edges behind a low zone.
    private static let fartherEdgesMax = 100

    private let network: RoadNetwork
    private let way: FastestWay
    private var random: SplitMix64

    /// - Precondition: the network has edges.
    public init(_ network: RoadNetwork, seed: UInt64) {
        precondition(network.edgeCount > 0, "a network without roads has no trips")
        self.network = network
        way = FastestWay(network)
        random = SplitMix64(seed: seed)
    }

    /// Goes on as if just made with another seed: what a number draws then does not hang on what was drawn before.
    public mutating func restart(_ random: SplitMix64) { self.random = random }

    /// From anywhere to anywhere, the fastest way.
    ///
    /// - Parameters:
    ///   - lengthMin: of the trip.
    ///   - speed: nil: what is usual on each edge.
    /// - Returns: nil where the network is too small for such a trip.
    public mutating func anywhere(lengthMin: Metres = 2_000, speed: MetresPerSecond? = nil) -> Trip? {
        for _ in 0..<Self.triesMax {
            let (start, goal) = (edge(), edge())
            guard network.length(start) > 0, let edges = way.edges(from: start, to: goal) else { continue }
            let trip = Trip(network, edges: edges, speed: speed)
            if trip.length >= lengthMin { return trip }
        }
        return nil
    }

    /// The fastest way from somewhere `approach` metres away in a straight line to a low zone, through it, and on.
    ///
    /// - Parameters:
    ///   - isWanted: which hazards count.
    ///   - speed: nil: what is usual on each edge.
    /// - Returns: a trip that passes under at least one wanted hazard and begins before its last way out; nil where
    ///   there is none.
    public mutating func passing(
        _ table: HazardTable, approach: ClosedRange<Metres> = 3_000...8_000, speed: MetresPerSecond? = nil,
        where isWanted: (Hazard) -> Bool = { $0.isPublic && !$0.detours.isEmpty }
    ) -> Trip? {
        let wanted = table.hazards.indices.filter { isWanted(table.hazards[$0]) }
        guard !wanted.isEmpty else { return nil }
        for _ in 0..<Self.triesMax {
            let hazard = wanted[random.index(below: wanted.count)]
            let entry = table.hazards[hazard].entry
            guard let origin = origin(within: approach, of: network.coordinate(network.from(entry))),
                let edges = way.edges(from: origin, to: entry)
            else { continue }
            let trip = Trip(network, edges: goOn(edges, through: table.hazards[hazard].zone), speed: speed)
            let passes = trip.passes(network, table)
            if passes.contains(where: { $0.hazard == hazard && $0.detourDistance != nil }) { return trip }
        }
        return nil
    }

    /// An edge on the map: each as likely as any other.
    private mutating func edge() -> EdgeID {
        network.original(EdgeID(random.index(below: network.edgeCount)))
    }

    private mutating func origin(within range: ClosedRange<Metres>, of place: Coordinate) -> EdgeID? {
        for _ in 0..<Self.triesMax {
            let edge = edge()
            if range.contains(network.coordinate(network.to(edge)).distance(to: place)) { return edge }
        }
        return nil
    }

    /// Along the zone, then the straightest way.
    private func goOn(_ edges: [EdgeID], through zone: [EdgeID]) -> [EdgeID] {
        var edges = edges
        for wanted in zone.dropFirst() {
            let next = network.successors(edges[edges.count - 1]).first {
                network.original($0) == network.original(wanted)
            }
            guard let next else { break }
            edges.append(next)
        }
        var gone: Metres = 0
        for _ in 0..<Self.fartherEdgesMax where gone < Self.farther {
            guard let next = network.straightest(after: edges[edges.count - 1]) else { break }
            gone += network.length(next)
            edges.append(next)
        }
        return edges
    }
}
