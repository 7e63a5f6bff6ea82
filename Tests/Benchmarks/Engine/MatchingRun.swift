import Fleet
import Messages
import Roads

/// The map matcher alone: fixes in, places on the road out, for each vehicle after its fix before.
struct MatchingRun {
    private struct Matched {
        var candidates: [MatchCandidate]
        var observation: MatchObservation
        var time: Timestamp
        /// As the engine keeps them.
        var surroundings: Surroundings?
    }

    let network: RoadNetwork
    let ways: any Ways

    /// - Returns: what it took, and of how many fixes a road was found.
    func result(rounds: Int, warmUp: Int) -> (cost: Cost, matched: Int) {
        var ways = ways
        var vehicles: [VehicleAddress: Matched] = [:]
        var (cost, matched) = (Cost(), 0)
        for round in 0..<warmUp + rounds {
            if round == warmUp { (cost, matched) = (Cost(), 0) }
            let fixes = ways.next()
            var before = fixes.map { vehicles[$0.address] }
            measure(fixes, &before, &cost)
            for (fix, place) in zip(fixes, before) {
                vehicles[fix.address] = place
                matched += place?.candidates.isEmpty == false ? 1 : 0
            }
        }
        return (cost, matched)
    }

    @inline(never)
    private func measure(_ fixes: [VehicleFix], _ places: inout [Matched?], _ cost: inout Cost) {
        let matcher = MapMatcher(network)
        cost.add(fixes: fixes.count) {
            for index in fixes.indices {
                let fix = fixes[index].fix
                let observation = MatchObservation(fix)
                guard let last = places[index] else {
                    places[index] = Matched(
                        candidates: matcher.start(observation), observation: observation, time: fix.time)
                    continue
                }
                let surroundings = matcher.surroundings(
                    of: observation, after: last.observation, known: last.surroundings)
                let candidates = matcher.advance(
                    last.candidates, from: last.observation, observation, elapsed: fix.time.since(last.time),
                    among: surroundings)
                places[index] = Matched(
                    candidates: candidates, observation: observation, time: fix.time, surroundings: surroundings)
            }
        }
    }
}
