import Algorithms
import Clearances
public import Geo

/// A network's clearances by what they say, looked through once for all heights that ask.
struct ClearancesByReading: Sendable {
    /// Limits that are known, the lowest first; each limit ends before `limitedEdges` at the same position in `ends`.
    let limits: [Centimetres]
    private let ends: [Int]
    /// Originals only.
    private let limitedEdges: [EdgeID]
    /// Those that say of no height that a vehicle does not fit, ascending; with the edges that they limit.
    let unmeasured: [ClearanceID]
    let unmeasuredEdges: [(edge: EdgeID, clearance: ClearanceID)]
    /// Those that no road was found for, ascending.
    let unsnapped: [ClearanceID]

    init(_ network: RoadNetwork) {
        let all = (0..<network.clearanceCount).map { ClearanceID($0) }
        var limits: Set<Centimetres> = []
        var unmeasured: [ClearanceID] = []
        for clearance in all {
            if case .limit(let limit) = network.reading(clearance) {
                limits.insert(limit)
            } else {
                unmeasured.append(clearance)
            }
        }
        var edges: [Centimetres: [EdgeID]] = [:]
        var unmeasuredEdges: [(edge: EdgeID, clearance: ClearanceID)] = []
        for (edge, clearance) in network.limitedEdges {
            if case .limit(let limit) = network.reading(clearance) {
                edges[limit, default: []].append(edge)
            } else {
                unmeasuredEdges.append((edge, clearance))
            }
        }
        (self.unmeasured, self.unmeasuredEdges) = (unmeasured, unmeasuredEdges)
        self.limits = limits.sorted()
        limitedEdges = self.limits.flatMap { edges[$0, default: []] }
        ends = self.limits.reduce(into: []) { $0.append(($0.last ?? 0) + edges[$1, default: []].count) }
        unsnapped = all.filter { network.status($0) == .unsnapped }
    }

    /// Edges that carry a limit below a height; an edge may be there several times.
    func edges(below height: Centimetres) -> ArraySlice<EdgeID> {
        let position = limits.partitioningIndex { $0 >= height }
        return limitedEdges[..<(position == 0 ? 0 : ends[position - 1])]
    }
}

extension RoadNetwork {
    /// The heights at which the set of too-low edges changes, ascending: all vehicles between two of them share it.
    public var distinctLimits: [Centimetres] { byReading.limits }

    /// Clearances of which no height is known, ascending.
    public var unmeasuredClearances: [ClearanceID] { byReading.unmeasured }

    /// Clearances that no road was found for, ascending.
    public var unsnappedClearances: [ClearanceID] { byReading.unsnapped }

    /// Whether `unsnappedClearances` are those of another network on the same road file, and say the same.
    public func hasSameUnsnapped(as other: RoadNetwork) -> Bool {
        let pairs = zip(unsnappedClearances, other.unsnappedClearances)
        return unsnappedClearances.count == other.unsnappedClearances.count
            && pairs.allSatisfy { own, known in
                let live = overlay?.live(own)
                return live === other.overlay?.live(known) && (live != nil || own == known)
            }
    }
}
