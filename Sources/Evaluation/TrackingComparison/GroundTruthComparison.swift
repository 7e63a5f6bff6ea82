import Fleet
import Geo
import Messages

/// What was said, beside what truly happened.
struct GroundTruthComparison: Equatable {
    /// What happened and was not said; in order of what and when.
    private(set) var missed: [GroundTruthEvent] = []
    /// What was said and did not happen.
    private(set) var unfounded: [GroundTruthEvent] = []
    /// What was said of each thing that happened, and how much later it lies; negative where it lies before.
    private(set) var delays: [Seconds] = []

    init(truth: [GroundTruthEvent], said: [GroundTruthEvent]) {
        let truths = Dictionary(grouping: truth) { $0.what }
        let saids = Dictionary(grouping: said) { $0.what }
        for what in Set(truths.keys).union(saids.keys).sorted() {
            compare(
                truths[what, default: []].sorted { $0.at < $1.at }, saids[what, default: []].sorted { $0.at < $1.at })
        }
    }

    private mutating func compare(_ truth: [GroundTruthEvent], _ said: [GroundTruthEvent]) {
        let pairs = GroundTruthPairs(truth.map(\.at), said.map(\.at)).pairs
        delays += pairs.map { said[$0.said].at.since(truth[$0.truth].at) }
        missed += truth.indices.filter { index in !pairs.contains { $0.truth == index } }.map { truth[$0] }
        unfounded += said.indices.filter { index in !pairs.contains { $0.said == index } }.map { said[$0] }
    }
}

/// Pairs what happened several times with what was said of it: in order, as many pairs as can be, as near to each other as
/// can be.
struct GroundTruthPairs {
    private(set) var pairs: [(truth: Int, said: Int)] = []

    /// - Parameters: both rise.
    init(_ truth: [Timestamp], _ said: [Timestamp]) {
        // costs[i][j]: of the first i and the first j, all of the fewer paired.
        var costs = Array(repeating: Array(repeating: 0.0, count: said.count + 1), count: truth.count + 1)
        for i in truth.indices {
            for j in said.indices {
                let paired = costs[i][j] + said[j].since(truth[i]).magnitude
                let passed = i > j ? costs[i][j + 1] : costs[i + 1][j]
                costs[i + 1][j + 1] = i == j ? paired : min(paired, passed)
            }
        }
        var (i, j) = (truth.count, said.count)
        while i > 0, j > 0 {
            let isPair = i == j || costs[i][j] < (i > j ? costs[i - 1][j] : costs[i][j - 1])
            if isPair { pairs.insert((i - 1, j - 1), at: 0) }
            (i, j) = (isPair || i > j ? i - 1 : i, isPair || i < j ? j - 1 : j)
        }
    }
}
