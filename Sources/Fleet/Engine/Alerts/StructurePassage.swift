import BinaryCoding
import Roads

/// Whether a vehicle has driven past the structures that an open alert is about.
///
/// Beside a parallel road, and in a tunnel, no candidate may be likelier than all others when the structure is passed; which
/// road it was the matcher knows some fixes later. So each candidate is followed from there on.
struct StructurePassage: Hashable, Sendable {
    /// More likely than not, over all candidates together: behind a bridge a vehicle may be on one of several roads.
    private static let certainty = 0.5

    /// Of a chain, a vehicle that may have come in by its entry is taken to have, where it drives past one of the later structures.
    private static let entryMin = 0.25

    /// Whether the vehicle has come into a chain by its entry: who comes to a later structure from another road has not driven past
    /// the first.
    private(set) var hasEntered = false
    /// Whether a structure of the hazard is behind the vehicle, as far as its newest fix tells.
    private(set) var wentUnder = false
    /// Where those candidates are of which the opposite holds: one of them may turn out to be right.
    private(set) var exceptions: [EdgeKey] = []
    /// Whether the last one is, which ends the alert; a fix that comes too late to do so leaves it to the next one in time.
    private(set) var wentThrough = false
    /// Where those candidates are that have driven past the last structure, while it is likelier that the vehicle has not.
    private(set) var beyond: [EdgeKey] = []

    /// Takes a fix into account.
    ///
    /// - Parameter structures: those of the hazards by which a candidate may have come to them.
    /// - Returns: whether the last one is behind the vehicle.
    @discardableResult
    mutating func take(
        _ candidates: [MatchCandidate], _ structures: [Structures], _ network: RoadNetwork
    ) -> Bool {
        let isFollowing = !beyond.isEmpty || !exceptions.isEmpty
        guard !candidates.isEmpty, !structures.isEmpty || isFollowing else { return wentThrough }
        let entered = candidates.filter { candidate in structures.contains { $0.isChain && $0.entered(candidate) } }
        if entered.reduce(0, { $0 + $1.probability }) >= Self.entryMin { hasEntered = true }
        let reached = structures.filter { hasEntered || !$0.isChain }
        var (any, last) = (0.0, 0.0)
        var (under, others, beyond): ([EdgeKey], [EdgeKey], [EdgeKey]) = ([], [], [])
        for candidate in candidates {
            let edge = network.key(network.original(candidate.position.edge))
            let passed = reached.map { $0.passed(candidate) }
            let isBeyond = passed.contains { $0.last } || remainsBeyond(candidate, structures, network)
            if isBeyond || passed.contains(where: { $0.any }) || hadGoneUnder(candidate, network) {
                any += candidate.probability
                under.append(edge)
            } else {
                others.append(edge)
            }
            guard isBeyond else { continue }
            last += candidate.probability
            beyond.append(edge)
        }
        self.beyond = beyond
        wentUnder = any >= Self.certainty
        exceptions = wentUnder ? others : under
        if last >= Self.certainty { wentThrough = true }
        return wentThrough
    }

    /// Notes that the structure is behind, where no road tells.
    mutating func noteThrough() { (wentUnder, wentThrough) = (true, true) }

    /// Whether the candidate had gone under before this fix. One that comes from none of the candidates then, as after a gap, is taken
    /// to be as the vehicle most probably was.
    private func hadGoneUnder(_ candidate: MatchCandidate, _ network: RoadNetwork) -> Bool {
        let isException = exceptions.contains(before(candidate, network))
        return wentUnder ? !isException : isException && !hasTurnedRound(candidate, network)
    }

    /// Whether the candidate was there and has neither turned round nor come before the structure again.
    private func remainsBeyond(
        _ candidate: MatchCandidate, _ structures: [Structures], _ network: RoadNetwork
    ) -> Bool {
        guard !beyond.isEmpty, beyond.contains(before(candidate, network)) else { return false }
        return !hasTurnedRound(candidate, network)
            && !structures.contains { $0.areAhead(of: candidate.position) }
    }

    /// Where the candidate was at the fix before; one of which no route is known is there still.
    private func before(_ candidate: MatchCandidate, _ network: RoadNetwork) -> EdgeKey {
        network.key(network.original(candidate.route.first ?? candidate.position.edge))
    }

    private func hasTurnedRound(_ candidate: MatchCandidate, _ network: RoadNetwork) -> Bool {
        zip(candidate.route, candidate.route.dropFirst()).contains { network.reverse($0) == network.original($1) }
    }
}

extension StructurePassage: BinaryCodable {
    /// Bits of the first byte.
    private enum Bit {
        static let wentUnder: UInt8 = 1
        /// Edges follow.
        static let hasEdges: UInt8 = 2
        static let hasEntered: UInt8 = 4
        static let wentThrough: UInt8 = 8
        /// Edges of exceptions follow. Stores have had records without.
        static let hasExceptions: UInt8 = 16
    }

    func encode(to encoder: inout BinaryEncoder) {
        encoder.append(
            byte: (wentUnder ? Bit.wentUnder : 0) | (beyond.isEmpty ? 0 : Bit.hasEdges)
                | (hasEntered ? Bit.hasEntered : 0) | (wentThrough ? Bit.wentThrough : 0)
                | (exceptions.isEmpty ? 0 : Bit.hasExceptions))
        if !beyond.isEmpty { beyond.encode(to: &encoder) }
        if !exceptions.isEmpty { exceptions.encode(to: &encoder) }
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        let byte = try decoder.byte()
        guard byte <= 31 else { throw decoder.unreadable("what of an alert's structures is behind, 0 to 31") }
        wentUnder = byte & Bit.wentUnder != 0
        hasEntered = byte & Bit.hasEntered != 0
        wentThrough = byte & Bit.wentThrough != 0
        beyond = byte & Bit.hasEdges == 0 ? [] : try decoder.decode()
        exceptions = byte & Bit.hasExceptions == 0 ? [] : try decoder.decode()
    }
}
