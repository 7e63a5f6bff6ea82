import Geo
import Messages
import Roads

/// Chains of low zones, of which one alert tells, and where their structures stand.
extension AlertStateMachine {
    /// The hazards of open alerts by whose entry the vehicle has come in, or does now: where they are chains, they tell of what
    /// follows.
    func chains(of alerts: [OpenAlert], enteredBy candidates: [MatchCandidate]) -> [Int] {
        let entered = self.entered(candidates.prefix(1))
        return alerts.indices.compactMap { index in
            guard let hazard = hazards.index(of: alerts[index].subject) else { return nil }
            return alerts[index].passage.hasEntered || entered.contains(hazard) ? hazard : nil
        }
    }

    /// Hazards on whose low road the vehicle surely is, and all of whose structures an open alert tells of.
    func chains(of alerts: [OpenAlert], _ candidates: [MatchCandidate], onlyAlarms: Bool) -> [Int] {
        possibleChains(of: alerts, candidates, onlyAlarms: onlyAlarms)
            .filter { $0.probability >= HazardWatch.certainty }.map(\.hazard)
    }

    /// The same with how likely the vehicle is there, where it may be. Who has come between two of the structures by another road is
    /// told of the rest apart.
    func possibleChains(
        of alerts: [OpenAlert], _ candidates: [MatchCandidate], onlyAlarms: Bool
    ) -> [(hazard: Int, probability: Double)] {
        // By position: an alert is many texts, and costs much to copy.
        return alerts.indices.compactMap { index in
            guard !onlyAlarms || alerts[index].last.attention == .alarm,
                let hazard = hazards.index(of: alerts[index].subject)
            else { return nil }
            let hasEntered = alerts[index].passage.hasEntered
            // Where one edge of the low road ends, the vehicle may be on that or on the next one.
            let probability = candidates.reduce(0) { sum, candidate in
                let position = candidate.position
                let isThere =
                    hazards.table.zones[position.edge, default: []].contains(hazard)
                    && (hasEntered || !structures(hazard).isBetween(position))
                return isThere ? sum + candidate.probability : sum
            }
            return probability > 0 ? (hazard, probability) : nil
        }
    }

    /// Whether a hazard is a later part of a chain that the vehicle is in the middle of and an open alert tells of.
    func isChained(_ hazard: Int, to chains: [Int]) -> Bool {
        guard !chains.isEmpty else { return false }
        let table = hazards.table
        let around = table.zones[network.original(table.hazards[hazard].entry), default: []]
        return chains.contains { around.contains($0) && table.structure($0) != table.structure(hazard) }
    }

    /// Hazards that begin where the vehicle has driven since the fix before.
    func entered(_ candidates: some Sequence<MatchCandidate>) -> [Int] {
        var entered: [Int] = []
        for candidate in candidates where candidate.route.count > 1 {
            for (before, next) in zip(candidate.route, candidate.route.dropFirst())
            where network.reverse(before) != network.original(next) {
                if let hazard = hazards.table.entries[next] { entered.append(hazard) }
            }
        }
        return entered
    }

    /// What the vehicle may have driven past, by the entry that it was told of or by one that it has just driven by.
    func structures(_ hazard: Int, _ entered: [Int], _ candidates: [MatchCandidate]) -> [Structures] {
        let table = hazards.table
        var driven: [Int] = []
        for other in [hazard] + entered
        where !driven.contains(other) && table.structure(other) == table.structure(hazard)
            && isDriven(table.hazards[other].zone, candidates)
        {
            driven.append(other)
        }
        return driven.map { structures($0) }
    }

    func structures(_ hazard: Int) -> Structures {
        Structures(network, hazards.table, hazards.table.hazards[hazard])
    }

    /// Whether a candidate has driven on an edge of a low zone: where none has, nobody has driven past anything there.
    private func isDriven(_ zone: [EdgeID], _ candidates: [MatchCandidate]) -> Bool {
        zone.contains { edge in
            let edge = network.original(edge)
            return candidates.contains { candidate in
                candidate.position.edge == edge || candidate.route.contains { network.original($0) == edge }
            }
        }
    }
}
