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

    /// Branches that lead to the same from here on.
    private struct Place: Hashable {
        var edge: EdgeID
        /// Nil for those that were behind the vehicle.
        var decisions: [HazardTable.Decision?]
    }

    private var branches: [PathBranch] = []
    private var queue = Heap<Entry>()
    private var best: [Place: (probability: Double, distance: Metres)] = [:]

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
            if branch.isMostProbable || isNew(branch) { return branch }
        }
        return nil
    }

    /// Whether no branch has come to the same place that is at least as short and as probable.
    private mutating func isNew(_ branch: PathBranch) -> Bool {
        let place = Place(edge: branch.edge, decisions: branch.pending.map(\.decision))
        if let known = best[place], known.probability >= branch.probability, known.distance <= branch.distance {
            return false
        }
        best[place] = (branch.probability, branch.distance)
        return true
    }
}
