public import Geo
import func Foundation.exp
import func Foundation.log

/// Where a vehicle may be on the road, with how likely that is.
public struct MatchCandidate: Hashable, Sendable {
    public var position: RoadPosition
    /// Given all fixes so far; those of one fix add up to 1.
    public var probability: Double
    /// Edges driven since the fix before, the one it was on then and the present one included.
    public var route: [EdgeID]
    /// The shadow of the position's edge that stands for where the vehicle has come from (see `RoadNetwork.original`); nil where it
    /// is within no turn restriction over several edges, or that is not known.
    public var shadow: EdgeID?

    public init(position: RoadPosition, probability: Double, route: [EdgeID], shadow: EdgeID? = nil) {
        self.position = position
        self.probability = probability
        self.route = route
        self.shadow = shadow
    }

    /// Where its ways ahead begin: the position, on the shadow of its edge where there is one.
    public var start: RoadPosition { RoadPosition(edge: shadow ?? position.edge, offset: position.offset) }
}

/// What one fix tells the matcher.
public struct MatchObservation: Hashable, Sendable {
    public var position: Coordinate
    /// Radius of the 68 % circle.
    public var accuracy: Metres
    /// Only where the vehicle moves fast enough for it to mean something.
    public var course: Degrees?
    /// As the device has it; nil: it says nothing of that.
    public var speed: MetresPerSecond?

    public init(position: Coordinate, accuracy: Metres, course: Degrees?, speed: MetresPerSecond? = nil) {
        self.position = position
        self.accuracy = accuracy
        self.course = course
        self.speed = speed
    }
}

/// Online map matching with a hidden Markov model after Newson and Krumm, "Hidden Markov Map Matching Through Noise and
/// Sparseness" (2009): candidates are edges, the emission is the distance to the road (and the course), the transition
/// compares the way along the road with the straight line. Only the present column is kept. Unlike there, the errors of
/// successive fixes are correlated (see `repeated`).
public struct MapMatcher: Sendable {
    /// How far from a fix its road may be.
    public static let radius: ClosedRange<Metres> = 30...100
    /// Standard deviation of a fix; better accuracies are not believed (maps are drawn no better than that).
    static let deviation: ClosedRange<Metres> = 5...40
    /// The time in which the autocorrelation of a fix's error is taken to fall to 1/e. That errors of receivers are correlated, which an
    /// Ornstein-Uhlenbeck process describes better than white noise, is in Soundy et al., "Comparison of Enhanced Noise Model
    /// Performance Based on Analysis of Civilian GPS Data", Sensors 20 (2020) 6050. The time is ours: `evaluate --noise-correlation 30`
    /// matches more fixes to the road that was driven with it than with none.
    static let errorCorrelation: Seconds = 10
    static let courseDeviation: Degrees = 25
    /// A course that points the other way weighs at most this much, since courses go wrong at walking pace.
    static let coursePenaltyMax = 6.0
    /// Turning round on the road is rare: e⁻⁷, about one in a thousand fixes.
    static let turnRoundPenalty = 7.0
    static let candidatesMax = 8
    /// Candidates less likely than this are dropped.
    static let probabilityMin = 1e-4
    /// Speeds say no more than that of how much longer a way is than the straight line: some blocks' length.
    private static let windingMax: Metres = 500
    /// Of the difference that speeds explain. Not 0, as nobody knows whether the vehicle has stood between the fixes.
    private static let explainedWeight = 0.25
    /// What is so far below the best has no more than e⁻¹⁰ of its probability, and is dropped.
    private static let logRange = 10.0

    private let network: RoadNetwork

    public init(_ network: RoadNetwork) { self.network = network }

    /// The first fix, or the first after a gap: nothing but the distance and the course counts.
    public func start(_ observation: MatchObservation) -> [MatchCandidate] {
        let weighed = nearby(observation, among: nil).map { near in
            let emission = emission(near, observation)
            return WeightedCandidate(near: near, emission: emission, log: emission, route: [near.edge])
        }
        return Self.normalised(weighed).map(\.candidate)
    }

    /// The next fix.
    ///
    /// - Parameters:
    ///   - origin: the fix that was matched before; its course does not count.
    ///   - elapsed: since then; less only has that fix count for less. Not negative.
    ///   - surroundings: that are known; what they do not cover is looked up.
    /// - Returns: empty where no road is near. Where no road leads from any of the candidates before to one near the fix
    ///   (a map error, a ferry, an illegal turn), the match starts anew.
    public func advance(
        _ previous: [MatchCandidate], from origin: MatchObservation, _ observation: MatchObservation,
        elapsed: Seconds, among surroundings: Surroundings? = nil
    ) -> [MatchCandidate] {
        let moved = origin.position.distance(to: observation.position)
        let slack = 2 * Self.deviation(observation)
        // Between fixes that are a second apart, speeds explain no more than noise does.
        let driven = max(
            moved, min(Self.driven(from: origin, to: observation, elapsed) - slack, moved + Self.windingMax))
        let steps = steps(
            from: previous, observation, moved: moved, driven: driven, lengthMax: 1.6 * driven + 60 + 2 * slack,
            last: LastFix(observation: origin, correlation: exp(-elapsed / Self.errorCorrelation)),
            among: surroundings)
        if steps.isEmpty { return start(observation) }
        return steps.map { step in
            var candidate = step.candidate
            candidate.shadow = step.previous.flatMap { shadow(on: step.candidate.route, after: previous[$0]) }
            return candidate
        }
    }

    /// How far the vehicle has driven by its speeds at both fixes; 0 where they are not known.
    private static func driven(
        from origin: MatchObservation, to observation: MatchObservation, _ elapsed: Seconds
    ) -> Metres {
        guard elapsed.isFinite, let before = origin.speed, let now = observation.speed else { return 0 }
        return (before + now) / 2 * elapsed
    }

    /// The shadow of a route's last edge. A way is looked for from the edge on the map, so that a ban which the map has wrong, or
    /// which nobody keeps to, does not tear the match.
    private func shadow(on route: [EdgeID], after previous: MatchCandidate) -> EdgeID? {
        guard let first = route.first else { return nil }
        var edge = first == previous.position.edge ? previous.start.edge : first
        for next in route.dropFirst() {
            let target = network.original(next)
            edge = network.follower(of: edge) { network.original($0) == target } ?? target
        }
        return network.original(edge) == edge ? nil : edge
    }

    /// A candidate, and the one before from which the likeliest way leads to it.
    struct Step {
        var candidate: MatchCandidate
        /// Position among the candidates before; nil at a start.
        var previous: Int?
    }

    /// The next column, without a new start.
    ///
    /// - Parameters:
    ///   - driven: how far it may have come by its speeds, no less than `moved`, which is as the crow flies; nil: not known.
    ///   - lengthMax: a way longer than that is none.
    ///   - mayTurnRound: nor one that turns round on the road, if this is false.
    ///   - last: nil: the observation's error is independent of the one before.
    /// - Returns: empty where no road is near, or no way leads there.
    func steps(
        from previous: [MatchCandidate], _ observation: MatchObservation, moved: Metres, driven: Metres? = nil,
        lengthMax: Metres, mayTurnRound: Bool = true, last: LastFix? = nil, among surroundings: Surroundings? = nil
    ) -> [Step] {
        var best = nearby(observation, among: surroundings).map { near in
            WeightedCandidate(near: near, emission: emission(near, observation), log: -.infinity, route: [])
        }
        guard let first = previous.first, !best.isEmpty else { return [] }
        let slack = 2 * Self.deviation(observation)
        var routes = RouteExpansion(
            network, from: first.position, to: best.map(\.near.edge), lengthMax: lengthMax, mayTurnRound: mayTurnRound)
        var most = -Double.infinity
        for (index, candidate) in previous.enumerated() {
            let likelihood = log(candidate.probability) + (last.map { repeated($0, candidate, observation) } ?? 0)
            // No transition makes anything likelier.
            guard best.contains(where: { likelihood + $0.emission > $0.log }) else { continue }
            if index > 0 { routes.search(from: candidate.position) }
            for position in best.indices where likelihood + best[position].emission > best[position].log {
                guard let route = routes.route(to: best[position].near, slack: slack) else { continue }
                let weight =
                    likelihood + Self.transition(route, moved: moved, driven: driven ?? moved) + best[position].emission
                if weight > best[position].log {
                    best[position].log = weight
                    best[position].previous = index
                    most = max(most, weight)
                    best[position].route = weight < most - Self.logRange ? [] : routes.edges(of: route)
                }
            }
        }
        best.removeAll { $0.log == -.infinity }
        return Self.normalised(best)
    }

    struct LastFix {
        var observation: MatchObservation
        /// Of its error with that of the next, `0 ... 1`.
        var correlation: Double
    }

    private struct WeightedCandidate {
        var near: NearbyEdge
        var emission: Double
        /// −∞: no way leads there.
        var log: Double
        var route: [EdgeID]
        var previous: Int?
    }

    private static func deviation(_ observation: MatchObservation) -> Metres {
        min(max(observation.accuracy, deviation.lowerBound), deviation.upperBound)
    }

    private func nearby(_ observation: MatchObservation, among surroundings: Surroundings?) -> [NearbyEdge] {
        network.edges(within: Self.radius(observation), of: observation.position, among: surroundings)
    }

    private static func radius(_ observation: MatchObservation) -> Metres {
        min(max(4 * deviation(observation), radius.lowerBound), radius.upperBound)
    }

    /// What to look for a fix's candidates among, and for those of the next ones.
    ///
    /// - Parameters:
    ///   - origin: the fix before.
    ///   - known: those of an earlier one.
    /// - Returns: nil where fixes are so far apart that each is as well looked up by itself.
    public func surroundings(
        of observation: MatchObservation, after origin: MatchObservation, known: Surroundings?
    ) -> Surroundings? {
        guard observation.position.isValid, origin.position.isValid else { return nil }
        let radius = Self.radius(observation)
        if let known, known.cover(radius, of: observation.position, network) { return known }
        guard origin.position.distance(to: observation.position) <= Self.surroundingsMargin / 2 else { return nil }
        // Ahead of it, as far as it goes on as it came.
        let moved = max(origin.position.distance(to: observation.position), 1)
        let middle = origin.position.interpolated(
            to: observation.position, fraction: 1 + 0.6 * Self.surroundingsMargin / moved)
        return network.surroundings(of: middle, within: radius + Self.surroundingsMargin)
    }

    /// So much farther surroundings are found. A truck drives that in some five seconds, and a city has some thirty roads there.
    private static let surroundingsMargin: Metres = 60

    /// What the last fix's distance to a candidate took from the log likelihood and the observation, whose error is in part the same,
    /// takes once more. Of errors in a row the latest so counts in full, and of all before a part that grows with time: a second
    /// apart, ten fixes that lie nearer a parallel road are no ten reasons to believe in it, while behind a fork each tells all it knows.
    private func repeated(_ last: LastFix, _ candidate: MatchCandidate, _ observation: MatchObservation) -> Double {
        let foot = network.coordinate(candidate.position.edge, offset: candidate.position.offset)
        // No more than what it took: a fix where reception was bad says little, and so does what it has in common with a good one.
        let deviation = max(Self.deviation(last.observation), Self.deviation(observation))
        let off = last.observation.position.distance(to: foot) / deviation
        return last.correlation * 0.5 * off * off
    }

    private func emission(_ near: NearbyEdge, _ observation: MatchObservation) -> Double {
        let off = near.distance / Self.deviation(observation)
        guard let course = observation.course else { return -0.5 * off * off }
        let turned = angle(between: course, and: near.bearing) / Self.courseDeviation
        return -0.5 * off * off - min(0.5 * turned * turned, Self.coursePenaltyMax)
    }

    /// Newson and Krumm's exponential in the difference of route and straight line. Its scale grows with the distance,
    /// since roads bend between sparse fixes. What the speeds at both fixes explain of it counts for less: who drives round a block is
    /// not where a straight line leads.
    private static func transition(_ route: RouteExpansion.Route, moved: Metres, driven: Metres) -> Double {
        let scale = 5 + 0.05 * moved
        let explained = min(max(route.length - moved, 0), driven - moved)
        let difference = (route.length - moved).magnitude - (1 - explainedWeight) * explained
        let log = -difference / scale
        return route.turnsRound ? log - turnRoundPenalty : log
    }

    private static func normalised(_ weighed: [WeightedCandidate]) -> [Step] {
        var ranked = weighed.sorted { ($1.log, $0.near.edge) < ($0.log, $1.near.edge) }
        if ranked.count > candidatesMax { ranked.removeLast(ranked.count - candidatesMax) }
        guard let best = ranked.first?.log else { return [] }
        let total = ranked.reduce(0) { $0 + exp($1.log - best) }
        // The likelier ones come first.
        let count = ranked.firstIndex { exp($0.log - best) / total < probabilityMin } ?? ranked.count
        return ranked[..<count].map { item in
            let position = RoadPosition(edge: item.near.edge, offset: item.near.offset)
            let candidate = MatchCandidate(
                position: position, probability: exp(item.log - best) / total, route: item.route)
            return Step(candidate: candidate, previous: item.previous)
        }
    }
}
