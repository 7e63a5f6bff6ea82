import Algorithms
import Clearances
public import Geo

/// A network's clearances by what they say, looked through once for all heights that ask.
struct ClearancesByReading: Sendable {
    /// Limits that are known, the lowest first.
    let limits: [Centimetres]
    /// Originals only; an edge may be there several times.
    let limitedEdges: ByLimit<EdgeID>
    /// Those that say of no height that a vehicle does not fit, ascending; with the edges that they limit.
    let unmeasured: [ClearanceID]
    let unmeasuredEdges: [(edge: EdgeID, clearance: ClearanceID)]
    /// Those that no road was found for, ascending.
    let unsnapped: [ClearanceID]
    private let measuredUnsnapped: ByLimit<ClearanceID>
    private let unmeasuredUnsnapped: [ClearanceID]

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
        limitedEdges = ByLimit(edges)
        unsnapped = all.filter { network.status($0) == .unsnapped }
        var measuredUnsnapped: [Centimetres: [ClearanceID]] = [:]
        var unmeasuredUnsnapped: [ClearanceID] = []
        for clearance in unsnapped {
            if case .limit(let limit) = network.reading(clearance) {
                measuredUnsnapped[limit, default: []].append(clearance)
            } else {
                unmeasuredUnsnapped.append(clearance)
            }
        }
        self.measuredUnsnapped = ByLimit(measuredUnsnapped)
        self.unmeasuredUnsnapped = unmeasuredUnsnapped
    }

    /// Those that no road was found for but such as say that a vehicle of an effective height fits, ascending.
    func unsnapped(below height: Centimetres) -> [ClearanceID] {
        (measuredUnsnapped.below(height) + unmeasuredUnsnapped).sorted()
    }
}

/// Things by their limit, so that those below a height are found without a look at the others.
struct ByLimit<Item> {
    /// Ascending; each limit ends before `items` at the same position in `ends`.
    private let limits: [Centimetres]
    private let ends: [Int]
    private let items: [Item]

    init(_ items: [Centimetres: [Item]]) {
        let groups = items.sorted { $0.key < $1.key }
        limits = groups.map(\.key)
        ends = Array(groups.reductions(0) { $0 + $1.value.count }.dropFirst())
        self.items = groups.flatMap(\.value)
    }

    /// Those of lower limits, the lowest first.
    func below(_ height: Centimetres) -> ArraySlice<Item> {
        let position = limits.partitioningIndex { $0 >= height }
        return items[..<(position == 0 ? 0 : ends[position - 1])]
    }
}

extension ByLimit: Sendable where Item: Sendable {}

extension RoadNetwork {
    /// The heights at which the set of too-low edges changes, ascending: all vehicles between two of them share it.
    public var distinctLimits: [Centimetres] { byReading.limits }

    /// Clearances of which no height is known, ascending.
    public var unmeasuredClearances: [ClearanceID] { byReading.unmeasured }

    /// Clearances that no road was found for, ascending.
    public var unsnappedClearances: [ClearanceID] { byReading.unsnapped }

    /// Clearances that no road was found for, but such as say that a vehicle of an effective height fits, ascending.
    public func unsnappedClearances(below height: Centimetres) -> [ClearanceID] { byReading.unsnapped(below: height) }

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
