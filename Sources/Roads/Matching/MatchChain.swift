import Geo

/// Samples of a line that are matched without a gap: the columns of Viterbi's algorithm.
struct MatchChain {
    private var columns: [[MapMatcher.Step]]
    private let start: Metres
    /// The distance of the last sample from the start of the line.
    private(set) var end: Metres

    /// Nil where no road is near.
    init?(_ sample: LineSampling.Sample, _ matcher: MapMatcher) {
        let candidates = matcher.start(sample.observation)
        if candidates.isEmpty { return nil }
        columns = [candidates.map { MapMatcher.Step(candidate: $0, previous: nil) }]
        start = sample.distance
        end = sample.distance
    }

    /// - Returns: whether a way leads there that is about as long as the line; else nothing has changed.
    mutating func advance(to sample: LineSampling.Sample, _ matcher: MapMatcher) -> Bool {
        let moved = sample.distance - end
        let steps = matcher.steps(
            from: columns[columns.count - 1].map(\.candidate), sample.observation, moved: moved,
            lengthMax: LineMatcher.wayMax(moved), mayTurnRound: sample.turnsRound)
        if steps.isEmpty { return false }
        columns.append(steps)
        end = sample.distance
        return true
    }

    /// The likeliest way through all columns; nil where the line does not drive along it.
    func piece(_ network: RoadNetwork) -> MatchedLine.Piece? {
        let track = track()
        guard track.count > 1 else { return nil }
        var assembly = LegAssembly(network, from: track[0].position)
        for candidate in track.dropFirst() { assembly.drive(to: candidate) }
        let way = assembly.trimmed()
        // A line that only crosses a road, or runs beside its end, does not drive along it.
        guard 2 * way.length(network) >= end - start else { return nil }
        return MatchedLine.Piece(way: way, range: start...end)
    }

    /// One candidate of each column.
    private func track() -> [MatchCandidate] {
        var track: [MatchCandidate] = []
        var position: Int? = 0
        for column in columns.reversed() {
            guard let current = position else { break }
            track.append(column[current].candidate)
            position = column[current].previous
        }
        return track.reversed()
    }
}
