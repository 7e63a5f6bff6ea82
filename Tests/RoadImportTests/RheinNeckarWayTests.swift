import Foundation
import Geo
import Hashing
import RoadImport
import Roads
import Testing

@Suite("Ways on a real extract", .needsRheinNeckar)
struct RheinNeckarWayTests {
    private let network: RoadNetwork
    private let ways: FastestWay

    init() throws {
        network = try RheinNeckar.network.get()
        ways = FastestWay(network)
    }

    /// A trip between two edges drawn by chance, no more than 6 km apart.
    private func trip(_ random: inout SplitMix64) -> [EdgeID] {
        while true {
            let ends = (0..<2).map { _ in
                network.original(EdgeID(Int.random(in: 0..<network.edgeCount, using: &random)))
            }
            let places = ends.map { network.coordinate(network.from($0)) }
            guard places[0].distance(to: places[1]) < 6_000, let edges = ways.edges(from: ends[0], to: ends[1])
            else { continue }
            return edges
        }
    }

    private func whole(_ edges: [EdgeID]) -> PlannedWay {
        PlannedWay(PlannedWay.Leg(edges: edges, start: 0, end: network.length(edges[edges.count - 1])))
    }

    @Test("the line of a trip, simplified and with 2 m of noise, gives the trip's edges back: 99 % of 200 trips' edges")
    func lines() throws {
        let matcher = LineMatcher(network, ways)
        var random = SplitMix64(seed: 7)
        var (driven, kept, others) = (0, 0, 0)
        for _ in 0..<200 {
            let edges = trip(&random)
            let line = Simplification(tolerance: 2)(whole(edges).line(network)).map { shifted($0, &random) }
            let matched = matcher.match(line).pieces.flatMap { $0.way.edges.map(network.original) }
            let difference = matched.difference(from: edges.map(network.original))
            driven += edges.count
            kept += edges.count - difference.removals.count
            others += difference.insertions.count
        }
        #expect(Double(kept) >= 0.99 * Double(driven))
        #expect(Double(others) <= 0.01 * Double(driven))
    }

    /// By 2 m on average.
    private func shifted(_ place: Coordinate, _ random: inout SplitMix64) -> Coordinate {
        let angle = Double.random(in: 0..<(2 * .pi), using: &random)
        let distance = Metres.random(in: 0...4, using: &random)
        return LocalPlane(latitude: place.latitude).coordinate(
            Vector(east: distance * cos(angle), north: distance * sin(angle)), from: place)
    }

    @Test(
        "a safe way passes under nothing too low, over legal turns; it is never the faster one"
    )
    func safe() throws {
        let low = TooLowEdges(network, height: 400)
        var random = SplitMix64(seed: 11)
        var longer = 0
        for _ in 0..<100 {
            let edges = trip(&random)
            let start = RoadPosition(edge: edges[0], offset: 0)
            let goal = RoadPosition(edge: network.original(edges[edges.count - 1]), offset: 0)
            guard let expected = ways.way(from: [start], to: [goal]),
                let safe = ways.way(from: [start], to: [goal], WayRules(avoiding: low))
            else { continue }
            #expect(!safe.edges.dropFirst().contains(where: low.contains))
            #expect(zip(safe.edges, safe.edges.dropFirst()).allSatisfy { network.successors($0).contains($1) })
            #expect(safe.duration(network) >= expected.duration(network) - 0.1)
            if safe.duration(network) > expected.duration(network) + 0.1 { longer += 1 }
            if expected.edges.dropFirst().contains(where: low.contains) { #expect(safe != expected) }
        }
        #expect(longer > 0, "no trip met a bridge: the test says nothing")
    }

    @Test("every edge is found by its key")
    func keys() throws {
        let index = EdgeIndex(network)
        for number in stride(from: 0, to: network.edgeCount, by: 97) {
            let key = network.key(EdgeID(number))
            #expect(index.edge(key).map(network.key) == key)
        }
    }
}

/// Douglas and Peucker's: what routing engines do to a line before they send it.
private struct Simplification {
    var tolerance: Metres

    func callAsFunction(_ line: [Coordinate]) -> [Coordinate] {
        guard let first = line.first, let last = line.last else { return [] }
        let inner = line.indices.dropFirst().dropLast()
        let distances = inner.map { index in
            let plane = LocalPlane(latitude: line[index].latitude)
            return projectOrigin(
                onto: plane.vector(from: line[index], to: first), plane.vector(from: line[index], to: last)
            ).distance
        }
        guard let farthest = distances.max(), farthest > tolerance, let position = distances.firstIndex(of: farthest)
        else { return [first, last] }
        return self(Array(line[...(position + 1)])).dropLast() + self(Array(line[(position + 1)...]))
    }
}
