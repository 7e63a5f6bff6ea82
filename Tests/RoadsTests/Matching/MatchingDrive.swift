import Geo
import Roads
import RoadsTestSupport

/// A drive over a drawn network, matched fix by fix as the engine does it.
struct MatchingDrive {
    let drawn: DrawnNetwork
    private let matcher: MapMatcher
    private(set) var candidates: [MatchCandidate] = []
    private var last: MatchObservation?

    init(_ drawing: String) throws {
        drawn = try DrawnNetwork(drawing)
        matcher = MapMatcher(drawn.network)
    }

    /// Metres east and north of where the drawing's origin lies.
    static func place(_ east: Metres, _ north: Metres) -> Coordinate {
        DrawnNetwork.place(east, north)
    }

    /// - Parameter elapsed: since the fix before; infinite: the errors of the two have nothing to do with each other.
    mutating func fix(
        _ east: Metres, _ north: Metres, course: Degrees? = nil, speed: MetresPerSecond? = nil, accuracy: Metres = 5,
        after elapsed: Seconds = .infinity
    ) {
        let observation = MatchObservation(
            position: Self.place(east, north), accuracy: accuracy, course: course, speed: speed)
        candidates =
            last.map { matcher.advance(candidates, from: $0, observation, elapsed: elapsed) }
            ?? matcher.start(observation)
        last = observation
    }

    /// As after a gap in the fixes: nothing of what was before counts.
    mutating func restart() { last = nil }

    /// The likeliest edge; `nowhere` where no road is near.
    var best: String { candidates.first.map { drawn.name($0.position.edge) } ?? "nowhere" }

    var certainty: Double { candidates.first?.probability ?? 0 }

    /// How likely the vehicle is on any of those edges.
    func probability(_ names: String...) -> Double {
        candidates.filter { names.contains(drawn.name($0.position.edge)) }.reduce(0) { $0 + $1.probability }
    }
}
