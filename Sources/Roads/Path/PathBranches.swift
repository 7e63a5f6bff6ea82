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
    /// In `PathBranches.pending`. Without an array of its own a branch costs little to copy.
    var pending: Range<Int>
    /// Position in `PathBranches` of the one that was followed along the same edge before.
    var before: Int?
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

    /// What is pending on all branches.
    var pending: [PathBranch.Pending] = []
    private var branches: [PathBranch] = []
    private var queue = Heap<Entry>()
    /// By edge the position in `branches` of the latest that was followed there.
    private var followed = EdgeMap<Int>()

    /// Most searches add no more.
    private static let branchesUsual = 32

    mutating func add(_ branch: PathBranch) {
        if branches.isEmpty { branches.reserveCapacity(Self.branchesUsual) }
        // Behind a last turn-off that is where it is decided what is found.
        let decision = branch.pending.reduce(branch.distance) { min($0, pending[$1].distanceToDecision ?? 0) }
        queue.insert(Entry(decision: decision, distance: branch.distance, index: branches.count))
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
            if pending[known.pending].elementsEqual(pending[branch.pending], by: { $0.decision == $1.decision }) {
                return known.probability < branch.probability || known.distance > branch.distance
            }
            index = known.before
        }
        return true
    }
}
