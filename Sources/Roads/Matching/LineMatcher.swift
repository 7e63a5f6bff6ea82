public import Geo

/// Finds the edges that a line of a routing engine drives: map matching over all of it (Viterbi), exact where the
/// line passes loops, parallel roads and junctions.
public struct LineMatcher {
    /// Samples lie so far apart: near enough that a drive round a small roundabout is seen.
    private static let stepMax: Metres = 20
    /// The samples of a longer line (1,000 km) lie farther apart, so that memory and time stay within bounds.
    private static let samplesMax = 50_000
    /// A line longer than this (Lisbon to Moscow) is not matched: its samples would lie too far apart.
    private static let lengthMax: Metres = 5_000_000
    /// Samples beside all roads are passed over for so long; an error of the map is hardly longer.
    private static let skipMax: Metres = 300
    /// Over a longer gap the fastest way is taken for what the line means, where it is about as long. Engines that leave
    /// out points of straight roads leave gaps of this size.
    private static let gapMax: Metres = 5_000

    /// Lines are drawn within some metres of their roads, on another map farther beside; this also tells frontage roads.
    private static let accuracy: Metres = 10
    /// For a line that breaks at that: of simplified ones many points are gone.
    private static let accuracyCoarse: Metres = 40

    private let network: RoadNetwork
    private let way: FastestWay
    private let matcher: MapMatcher

    /// - Parameter way: its memory is shared.
    public init(_ network: RoadNetwork, _ way: FastestWay) {
        self.network = network
        self.way = way
        matcher = MapMatcher(network)
    }

    /// How long a way may be that stands for `length` metres of the line.
    static func wayMax(_ length: Metres) -> Metres { 1.3 * length + 40 }

    /// - Parameter line: in driving order, points from few metres to many kilometres apart.
    public func match(_ line: [Coordinate]) -> MatchedLine {
        let sampling = LineSampling(line)
        if sampling.length > Self.lengthMax {
            let gap = MatchedLine.Gap(range: 0...sampling.length, reason: .tooLong)
            return MatchedLine(pieces: [], gaps: [gap], length: sampling.length)
        }
        let matched = match(sampling, accuracy: Self.accuracy)
        if matched.pieces.count == 1 { return matched }
        let coarse = match(sampling, accuracy: Self.accuracyCoarse)
        return coarse.gapLength < matched.gapLength ? coarse : matched
    }

    private func match(_ sampling: LineSampling, accuracy: Metres) -> MatchedLine {
        let step = max(Self.stepMax, sampling.length / Double(Self.samplesMax))
        let samples = sampling.samples(stepMax: step, accuracy: accuracy)
        var pieces: [MatchedLine.Piece] = []
        var next = 0
        while next < samples.count {
            let (piece, end) = piece(samples[next...])
            if let piece { append(piece, to: &pieces) }
            next = end
        }
        return MatchedLine(pieces: pieces, gaps: gaps(between: pieces, sampling), length: sampling.length)
    }

    /// The piece that begins at the first sample, and where to look for the next one.
    private func piece(_ samples: ArraySlice<LineSampling.Sample>) -> (piece: MatchedLine.Piece?, end: Int) {
        guard let first = samples.first, var chain = MatchChain(first, matcher) else {
            return (nil, samples.startIndex + 1)
        }
        var end = samples.startIndex + 1
        for (index, sample) in zip(samples.indices, samples).dropFirst() {
            if chain.advance(to: sample, matcher) {
                end = index + 1
            } else if sample.distance - chain.end > Self.skipMax {
                break
            }
        }
        return (chain.piece(network), end)
    }

    /// Joins a piece to the one before, where a way between them is what the line means.
    private func append(_ piece: MatchedLine.Piece, to pieces: inout [MatchedLine.Piece]) {
        guard let last = pieces.last else {
            pieces.append(piece)
            return
        }
        let gap = piece.range.lowerBound - last.range.upperBound
        guard gap <= Self.gapMax, let bridge = way.way(from: [last.way.end], to: [piece.way.start]),
            bridge.length(network) <= Self.wayMax(gap)
        else {
            pieces.append(piece)
            return
        }
        var way = last.way
        way.append(bridge)
        way.append(piece.way)
        pieces[pieces.count - 1] = MatchedLine.Piece(
            way: way, range: last.range.lowerBound...piece.range.upperBound)
    }

    private func gaps(between pieces: [MatchedLine.Piece], _ sampling: LineSampling) -> [MatchedLine.Gap] {
        let starts = [0] + pieces.map(\.range.upperBound)
        let ends = pieces.map(\.range.lowerBound) + [sampling.length]
        return zip(starts, ends).filter { $0 < $1 }.map { start, end in
            let middle = sampling.point(at: (start + end) / 2)
            let isNear = !network.edges(within: MapMatcher.radius.lowerBound, of: middle).isEmpty
            return MatchedLine.Gap(range: start...end, reason: isNear ? .noWay : .offNetwork)
        }
    }
}
