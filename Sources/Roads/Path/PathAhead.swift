public import Geo

/// Looks along the most probable path, and along every path that is likely enough, for hazards.
public struct PathAhead {
    /// A path that never ends (a roundabout, a long motorway) is followed over at most so many edges; where every branch
    /// counts, the edges of a city within a mile or so.
    private static let edgesMax = 5_000
    /// Most searches come to no more.
    private static let turnsUsual = 32

    private let network: RoadNetwork
    private let table: HazardTable
    private let model: TurnModel
    private let minProbability: Double
    private let zone: AlertZone?

    /// - Parameter zone: that of the table, and maybe of others: paths that lead nowhere near a hazard are given up at once.
    ///   Nil: all are followed as far as the reach, and nothing else comes of it.
    public init(
        _ network: RoadNetwork, _ table: HazardTable, _ model: TurnModel, minProbability: Double,
        zone: AlertZone? = nil
    ) {
        self.network = network
        self.table = table
        self.model = model
        self.minProbability = minProbability
        self.zone = zone
    }

    /// The hazards that lie on the path, each with the nearest place to leave it.
    ///
    /// - Parameter reach: how far the last turn-off may lie ahead; the low edge may lie farther.
    public func upcomingHazards(from position: RoadPosition, reach: Metres) -> [UpcomingHazard] {
        search(from: position, reach: reach, where: { leadsToDecision($0, reach) }) { turns, branch in
            model.find(&turns, network, after: branch.edge)
        }
    }

    /// Whether there is anything to find behind a branch. Sums of lengths differ by how they are rounded.
    private func leadsToDecision(_ branch: PathBranch, _ reach: Metres) -> Bool {
        guard let zone, branch.pending.isEmpty, reach < zone.reach - 1 else { return true }
        return branch.distance + zone.distanceToDecision(after: network.original(branch.edge)) <= reach + 1
    }

    /// The same along a way that is known, and nothing beyond its end.
    ///
    /// - Parameter way: edges in driving order from the one that the position lies on, as `KnownWay.remaining` has them.
    ///   One that begins elsewhere says nothing of this vehicle: its path is the most probable one.
    public func upcomingHazards(
        from position: RoadPosition, reach: Metres, along way: ArraySlice<EdgeID>
    ) -> [UpcomingHazard] {
        guard let first = way.first, network.original(first) == network.original(position.edge) else {
            return upcomingHazards(from: position, reach: reach)
        }
        let start = RoadPosition(edge: first, offset: position.offset)
        return search(from: start, reach: reach, where: { _ in true }) { turns, branch in
            if let next = way.dropFirst(branch.step + 1).first { turns.append((next, 1)) }
        }
    }

    /// - Parameters:
    ///   - isFollowed: whether anything can be found behind a branch.
    ///   - findTurns: adds what may follow at the end of a branch, with probabilities.
    private func search(
        from position: RoadPosition, reach: Metres, where isFollowed: (PathBranch) -> Bool,
        _ findTurns: (_ turns: inout [TurnModel.Turn], PathBranch) -> Void
    ) -> [UpcomingHazard] {
        var branches = PathBranches()
        let first = first(from: position, &branches)
        guard isFollowed(first) else { return [] }
        branches.add(first)
        // Of all branches one behind the other: to empty the list costs more than to let it grow.
        var turns: [TurnModel.Turn] = []
        turns.reserveCapacity(Self.turnsUsual)
        var found: [UpcomingHazard] = []
        var count = 0
        while let branch = branches.next(), count < Self.edgesMax {
            count += 1
            guard branch.distance <= reach || !branch.pending.isEmpty,
                branch.distance <= reach + table.rules.lengthMax
            else { continue }
            let before = turns.count
            findTurns(&turns, branch)
            let best = turns[before...].max { $0.probability < $1.probability }?.next
            for turn in turns[before...] {
                let isMostProbable = branch.isMostProbable && turn.next == best
                let probability = branch.probability * turn.probability
                guard isMostProbable || probability >= minProbability else { continue }
                let child = child(
                    of: branch, onto: turn.next, probability, isMostProbable: isMostProbable, reach: reach,
                    &branches, found: &found)
                if isFollowed(child) { branches.add(child) }
            }
        }
        return Self.nearest(found)
    }

    /// The edge that a truck is on, and what lies before it that it can no longer turn off from.
    private func first(from position: RoadPosition, _ branches: inout PathBranches) -> PathBranch {
        for it in table.tooLate[position.edge, default: []] { branches.pending.append(.init(hazard: it.hazard)) }
        let end = max(0, network.length(position.edge) - position.offset)
        return PathBranch(
            edge: position.edge, step: 0, start: -position.offset, distance: end, probability: 1,
            isMostProbable: true, pending: branches.pending.indices)
    }

    private func child(
        of branch: PathBranch, onto next: EdgeID, _ probability: Double, isMostProbable: Bool, reach: Metres,
        _ branches: inout PathBranches, found: inout [UpcomingHazard]
    ) -> PathBranch {
        let start = start(of: next, after: branch)
        let first = branches.pending.count
        func take(_ item: PathBranch.Pending) {
            if table.entries[next] == item.hazard {
                found.append(
                    UpcomingHazard(
                        hazard: item.hazard, decision: item.decision, distanceToDecision: item.distanceToDecision,
                        distanceToEntry: max(0, start), probability: probability, isOnPath: isMostProbable))
            }
            if table.tooLate[next]?.contains(where: { $0.hazard == item.hazard }) == true {
                branches.pending.append(item)
            }
        }
        for index in branch.pending { take(branches.pending[index]) }
        // On most roads nothing is decided.
        if branch.distance <= reach, let decisions = table.decisions[branch.edge] {
            for decision in decisions where decision.next == next {
                take(.init(hazard: decision.hazard, decision: decision, distanceToDecision: branch.distance))
            }
        }
        return PathBranch(
            edge: next, step: branch.step + 1, start: start, distance: start + network.length(next),
            probability: probability, isMostProbable: isMostProbable, pending: first..<branches.pending.count)
    }

    /// Where a known way turns round on a road, it does so somewhere on the edge: at once, so that nothing behind is told
    /// too late.
    private func start(of next: EdgeID, after branch: PathBranch) -> Metres {
        guard let back = network.reverse(branch.edge), network.original(next) == back else { return branch.distance }
        return abs(branch.start) - network.length(next)
    }

    /// One prospect for each hazard: the one nearest to its last turn-off, which is the one to speak about.
    private static func nearest(_ found: [UpcomingHazard]) -> [UpcomingHazard] {
        var byHazard: [Int: UpcomingHazard] = [:]
        for upcomingHazard in found {
            let known = byHazard[upcomingHazard.hazard]
            let isNearer = (upcomingHazard.distanceToDecision ?? -1) < (known?.distanceToDecision ?? -1)
            if known == nil || isNearer { byHazard[upcomingHazard.hazard] = upcomingHazard }
            guard let known else { continue }
            byHazard[upcomingHazard.hazard]?.isOnPath = known.isOnPath || upcomingHazard.isOnPath
            byHazard[upcomingHazard.hazard]?.probability = max(known.probability, upcomingHazard.probability)
        }
        return byHazard.values.sorted { $0.hazard < $1.hazard }
    }
}
