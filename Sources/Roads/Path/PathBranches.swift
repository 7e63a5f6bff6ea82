import Geo
import HeapModule

/// One edge at the end of a branch of the tree of paths.
struct PathBranch {
    /// A hazard whose last turn-off was passed on this branch and whose low edge has not been reached yet.
    struct Pending {
        var hazard: Int
        /// Nil where the vehicle itself is past it.
        var decision: HazardTable.Decision?
        var distanceToDecision: Metres?
    }

    var edge: EdgeID
    /// Edges between it and the one that the truck is on.
    var step: Int
    /// From the truck to the edge's start; negative on the edge that it is on.
    var start: Metres
    /// From the truck to the edge's end.
    var distance: Metres
    var probability: Double
    var isMostProbable: Bool
    var pending: [Pending]
    /// Position in `PathBranches` of the branch that was followed along the same edge before.
    fileprivate var before: Int?

    init(
        edge: EdgeID, step: Int, start: Metres, distance: Metres, probability: Double, isMostProbable: Bool,
        pending: [Pending]
    ) {
        (self.edge, self.step, self.start, self.distance) = (edge, step, start, distance)
        (self.probability, self.isMostProbable, self.pending) = (probability, isMostProbable, pending)
    }

    /// Whether the same hazards, last turned off from at the same places, are pending.
    fileprivate func leadsOn(as other: PathBranch) -> Bool {
        pending.elementsEqual(other.pending) { $0.decision == $1.decision }
    }

    /// How near what may be found on the branch is decided: behind a last turn-off that is that turn-off.
    fileprivate var distanceToDecision: Metres {
        pending.isEmpty ? distance : pending.reduce(distance) { min($0, $1.distanceToDecision ?? 0) }
    }
}

/// Branches still to be followed. The one with the nearest decision comes first, so that a limit on their number takes away
/// the farthest hazards and no near one.
struct PathBranches {
    private struct Entry: Comparable {
        var decision: Metres
        var distance: Metres
        /// Position in `branches`.
        var index: Int

        static func < (a: Entry, b: Entry) -> Bool {
            (a.decision, a.distance, a.index) < (b.decision, b.distance, b.index)
        }
    }

    private var branches: [PathBranch] = []
    private var queue = Heap<Entry>()
    /// By edge the position in `branches` of the latest that was followed there.
    private var followed = EdgeMap<Int>()

    /// Most searches add no more.
    private static let branchesUsual = 32

    init(_ first: PathBranch) {
        branches.reserveCapacity(Self.branchesUsual)
        add(first)
    }

    mutating func add(_ branch: PathBranch) {
        queue.insert(
            Entry(decision: branch.distanceToDecision, distance: branch.distance, index: branches.count))
        branches.append(branch)
    }

    mutating func next() -> PathBranch? {
        while let entry = queue.popMin() {
            let branch = branches[entry.index]
            // The most probable path may be a known way, which comes by the same place twice to go on elsewhere.
            if branch.isMostProbable { return branch }
            let before = followed[branch.edge]
            if isNew(branch, after: before) {
                branches[entry.index].before = before
                followed.set(branch.edge, entry.index)
                return branch
            }
        }
        return nil
    }

    /// Whether no branch has come to the same place that is at least as short and as probable: of those with the same decisions the
    /// latest is the best.
    private func isNew(_ branch: PathBranch, after before: Int?) -> Bool {
        var index = before
        while let position = index {
            let known = branches[position]
            if known.leadsOn(as: branch) {
                return known.probability < branch.probability || known.distance > branch.distance
            }
            index = known.before
        }
        return true
    }
}
