import BinaryCoding
import Roads

/// Whether a vehicle has driven past the structures that an open alert is about.
///
/// Beside a parallel road, and in a tunnel, no candidate may be likelier than all others when the structure is passed; which
/// road it was the matcher knows some fixes later. So each candidate is followed from there on.
struct StructurePassage: Hashable, Sendable {
    /// More likely than not, over all candidates together: behind a bridge a vehicle may be on one of several roads.
    private static let certainty = 0.5

    /// Whether a structure of the hazard is behind the vehicle.
    private(set) var wentUnder = false
    /// Where those candidates are that have driven past the last structure, while it is likelier that the vehicle has not.
    private(set) var beyond: [EdgeKey] = []

    /// Takes a fix into account.
    ///
    /// - Parameter structures: those of the hazards by which a candidate may have come to them.
    /// - Returns: whether the last one is behind the vehicle.
    mutating func take(
        _ candidates: [MatchCandidate], _ structures: [Structures], _ network: RoadNetwork
    ) -> Bool {
        guard !candidates.isEmpty, !structures.isEmpty || !beyond.isEmpty else { return false }
        var (any, last) = (0.0, 0.0)
        var beyond: [EdgeKey] = []
        for candidate in candidates {
            let passed = structures.map { $0.passed(candidate) }
            let isBeyond = passed.contains { $0.last } || remainsBeyond(candidate, structures, network)
            if isBeyond || passed.contains(where: { $0.any }) { any += candidate.probability }
            guard isBeyond else { continue }
            last += candidate.probability
            beyond.append(network.key(network.original(candidate.position.edge)))
        }
        self.beyond = beyond
        if any >= Self.certainty { wentUnder = true }
        return last >= Self.certainty
    }

    /// Whether the candidate was there and has neither turned round nor come before the structure again.
    private func remainsBeyond(
        _ candidate: MatchCandidate, _ structures: [Structures], _ network: RoadNetwork
    ) -> Bool {
        let route = candidate.route
        guard !beyond.isEmpty, let before = route.first, beyond.contains(network.key(network.original(before))) else {
            return false
        }
        let hasTurnedRound = zip(route, route.dropFirst()).contains { network.reverse($0) == network.original($1) }
        return !hasTurnedRound && structures.allSatisfy { $0.ahead(of: candidate.position) == nil }
    }
}

extension StructurePassage: BinaryCodable {
    /// The bit of the first byte that says that edges follow; the other one is `wentUnder`.
    private static let hasEdges: UInt8 = 2

    func encode(to encoder: inout BinaryEncoder) {
        encoder.append(byte: (wentUnder ? 1 : 0) | (beyond.isEmpty ? 0 : Self.hasEdges))
        if !beyond.isEmpty { beyond.encode(to: &encoder) }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let byte = try decoder.byte()
        guard byte <= 3 else { throw decoder.unreadable("what of an alert's structures is behind, 0 to 3") }
        wentUnder = byte & 1 == 1
        beyond = byte & Self.hasEdges == 0 ? [] : try decoder.decode()
    }
}
