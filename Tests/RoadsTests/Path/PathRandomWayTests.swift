import Geo
import Hashing
import Roads
import RoadsTestSupport
import Testing

@Suite("On random grids the search from both ends finds ways as fast as the slow reference")
struct PathRandomWayTests {
    private static let size = 7

    @Test("between all pairs of some edges, whatever may be passed through and is low", arguments: 0..<40)
    func sameAsReference(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let drawn = try DrawnNetwork(Self.drawing(&random))
        let network = drawn.network
        let low = TooLowEdges(network, height: 400)
        let rules = WayRules(avoiding: seed % 2 == 0 ? low : nil, through: seed % 3 == 0 ? .all : .strict)
        let ways = FastestWay(network)
        let edges = (0..<8).map { _ in drawn.edges.randomElement(using: &random)! }
        for start in edges {
            let reference = SlowTimes(network, from: start, rules)
            for goal in edges where goal != start {
                let places = [RoadPosition(edge: goal, offset: network.length(goal))]
                let way = ways.way(from: [RoadPosition(edge: start, offset: 0)], to: places, rules)
                let wanted = reference.seconds(to: goal)
                // Where the rule leaves no way, one over private roads near the ends may be found: see the yard.
                guard let wanted else { continue }
                let found = try #require(way, "\(drawn.name(start)) to \(drawn.name(goal))")
                #expect(abs(found.duration(network) - wanted) < 0.01)
                #expect(zip(found.edges, found.edges.dropFirst()).allSatisfy { network.successors($0).contains($1) })
            }
        }
    }

    /// Seven by seven crossings; streets missing, one-way, low, private or fast; turns banned by way of a street.
    private static func drawing(_ random: inout SplitMix64) -> String {
        var lines: [String] = []
        var streets: [(String, String)] = []
        for row in 0..<size {
            for column in 0..<size {
                let shift = Int.random(in: -40...40, using: &random)
                lines.append("r\(row)c\(column) \(150 * column + shift) \(150 * row - shift)")
                if column > 0 { streets.append(("r\(row)c\(column - 1)", "r\(row)c\(column)")) }
                if row > 0 { streets.append(("r\(row - 1)c\(column)", "r\(row)c\(column)")) }
            }
        }
        streets = streets.filter { _ in !random.happens(0.15) }
        for street in streets {
            var kind = random.happens(0.1) ? "primary" : "residential"
            if random.happens(0.15) { kind += " oneway=yes" }
            if random.happens(0.15) { kind += " access=private" }
            if random.happens(0.1) { kind += " maxheight=3.2" }
            lines.append("\(street.0)-\(street.1) \(kind)")
        }
        for first in streets.shuffled(using: &random).prefix(12) {
            guard let second = streets.first(where: { $0.0 == first.1 }),
                let third = streets.last(where: { $0.0 == second.1 })
            else { continue }
            lines.append("no_turn \(name(first)) \(name(second)) \(name(third))")
        }
        return lines.joined(separator: "\n")
    }

    private static func name(_ street: (String, String)) -> String { "\(street.0)-\(street.1)" }
}

/// Driving times by the words of the rule and nothing else: first over roads that may not be passed through, then over those
/// that may, then over those that may not, relaxed until nothing changes.
private struct SlowTimes {
    private enum Phase: Int, CaseIterable { case leaving, through, arriving }

    private let network: RoadNetwork
    /// By phase and edge.
    private var times: [[EdgeID: Seconds]] = [[:], [:], [:]]

    init(_ network: RoadNetwork, from start: EdgeID, _ rules: WayRules) {
        self.network = network
        let isConfined = { (edge: EdgeID) in !network.mayPassThrough(edge, rules.through) }
        let first = isConfined(start) ? Phase.leaving : .through
        times[first.rawValue][start] = network.length(start) / network.usualSpeed(start)
        var pending = [(start, first)]
        while let (edge, phase) = pending.popLast() {
            let seconds = times[phase.rawValue][edge] ?? .infinity
            for next in network.successors(edge) where rules.avoided?.contains(next) != true {
                let phases: [Phase] =
                    switch (phase, isConfined(next)) {
                    case (.leaving, true): [.leaving]
                    case (.through, true), (.arriving, true): [.arriving]
                    case (.leaving, false), (.through, false): [.through]
                    case (.arriving, false): []
                    }
                for phase in phases {
                    let reached = seconds + network.length(next) / network.usualSpeed(next)
                    guard reached < times[phase.rawValue][next] ?? .infinity else { continue }
                    times[phase.rawValue][next] = reached
                    pending.append((next, phase))
                }
            }
        }
    }

    func seconds(to goal: EdgeID) -> Seconds? {
        times.flatMap { $0.filter { network.original($0.key) == goal }.values }.min()
    }
}
