public import Geo

/// A way that a vehicle is known to take – a planned route – and where on it the vehicle is.
public struct KnownWay: Hashable, Sendable {
    /// A candidate less likely than this does not keep a vehicle on the way.
    static let keepProbabilityMin = 0.1
    /// One less likely than this does not bring it back there.
    static let returnProbabilityMin = 0.3
    /// A match this near beside the way may be noise, once; frontage roads lie within.
    static let besideMax: Metres = 50
    /// Farther ahead on the way than twice the driven distance and this a vehicle on it cannot have come, so that it is
    /// not taken to be where the way passes the same place later.
    static let aheadSlack: Metres = 500

    /// Where on a way a vehicle is: what is kept of one that can be found again.
    public struct Progress: Hashable, Sendable {
        /// Position among the edges of the way.
        public var step: Int
        /// On that edge; nil where the vehicle is not on the way.
        public var offset: Metres?
        /// Whether the last fix was beside the way.
        public var isBeside: Bool

        public init(step: Int, offset: Metres?, isBeside: Bool) {
            (self.step, self.offset, self.isBeside) = (step, offset, isBeside)
        }
    }

    /// In driving order, shadows included; where the vehicle turns round, an edge is followed by its reverse.
    public let edges: [EdgeID]
    /// Position in `edges` of the one that the vehicle is on, or was last.
    public private(set) var step = 0
    /// Where the vehicle is, on an edge of the way; nil where it is not on the way.
    public private(set) var position: RoadPosition?
    /// Whether the last fix was beside the way.
    private var isBeside = false

    public init(_ edges: [EdgeID]) { self.edges = edges }

    /// The same way as it was followed before.
    ///
    /// - Parameter progress: of that way; of another one, the vehicle is found on this one by its next fix.
    public init(_ edges: [EdgeID], _ progress: Progress) {
        self.edges = edges
        guard edges.indices.contains(progress.step) else { return }
        step = progress.step
        position = progress.offset.map { RoadPosition(edge: edges[progress.step], offset: $0) }
        isBeside = progress.isBeside
    }

    public var isFollowed: Bool { position != nil }

    public var progress: Progress { Progress(step: step, offset: position?.offset, isBeside: isBeside) }

    /// The edges from the present one to the end; empty where the vehicle is not on the way.
    public var remaining: ArraySlice<EdgeID> { isFollowed ? edges[step...] : [] }

    /// Follows the vehicle along the way: forward only, past edges that sparse fixes skip, and beside it for one fix.
    /// A vehicle that left the way and comes back is on it again, ahead or behind of where it left.
    ///
    /// - Parameter candidates: of the next fix, the likeliest first.
    /// - Returns: whether the vehicle is on the way.
    public mutating func keep(to candidates: [MatchCandidate], _ network: RoadNetwork) -> Bool {
        if isFollowed {
            for candidate in candidates where candidate.probability >= Self.keepProbabilityMin {
                if let step = stepAhead(to: candidate, network) { return follow(step, candidate.position.offset) }
            }
            if !isBeside, let beside = candidates.first.flatMap({ placeBeside($0, network) }) {
                isBeside = true
                (step, position) = (beside.step, beside.position)
                return true
            }
        }
        for candidate in candidates where candidate.probability >= Self.returnProbabilityMin {
            if let step = stepAnywhere(candidate.position.edge, network) {
                return follow(step, candidate.position.offset)
            }
        }
        position = nil
        return false
    }

    private mutating func follow(_ step: Int, _ offset: Metres) -> Bool {
        self.step = step
        position = RoadPosition(edge: edges[step], offset: offset)
        isBeside = false
        return true
    }

    /// Where on the way a vehicle that keeps to it is now.
    private func stepAhead(to candidate: MatchCandidate, _ network: RoadNetwork) -> Int? {
        let steps = stepsInReach(candidate, network)
        let found = steps.filter { network.original(edges[$0]) == candidate.position.edge }
        // One that drove round the block is back on the edge that it comes from.
        let hasLeft =
            candidate.route.count > 1
            && candidate.route.first.map(network.original) == network.original(edges[step])
        return (hasLeft ? found.first { $0 > step } : nil) ?? found.first
    }

    private func stepsInReach(_ candidate: MatchCandidate, _ network: RoadNetwork) -> Range<Int> {
        let driven = candidate.route.reduce(0) { $0 + network.length($1) }
        var left = 2 * driven + Self.aheadSlack
        var end = step + 1
        while end < edges.count, left > 0 {
            left -= network.length(edges[end])
            end += 1
        }
        return step..<end
    }

    private func placeBeside(
        _ candidate: MatchCandidate, _ network: RoadNetwork
    ) -> (step: Int, position: RoadPosition)? {
        let place = network.coordinate(candidate.position.edge, offset: candidate.position.offset)
        let plane = LocalPlane(latitude: place.latitude)
        var best: (step: Int, foot: NearbyEdge)?
        for step in stepsInReach(candidate, network) {
            guard let foot = network.foot(of: place, on: edges[step], plane) else { continue }
            if foot.distance < best?.foot.distance ?? Self.besideMax { best = (step, foot) }
        }
        return best.map { ($0.step, RoadPosition(edge: edges[$0.step], offset: $0.foot.offset)) }
    }

    private func stepAnywhere(_ edge: EdgeID, _ network: RoadNetwork) -> Int? {
        edges.indices.dropFirst(step).first { network.original(edges[$0]) == edge }
            ?? edges.indices.prefix(step).last { network.original(edges[$0]) == edge }
    }
}

extension RoadNetwork {
    /// The wanted one of what may follow `edge`. A restriction over several edges is kept in mind, but not held against a
    /// route whose planner did not know of it.
    func follower(of edge: EdgeID, where isWanted: (EdgeID) -> Bool) -> EdgeID? {
        successors(edge).first(where: isWanted) ?? successors(original(edge)).first(where: isWanted)
    }
}
