import Algorithms

/// The nodes that the kept ways name: sorted ids, each with its position once it has been read.
struct NodeTable {
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let found = Flags(rawValue: 1)
        static let used = Flags(rawValue: 2)
        /// Edges are split here.
        static let junction = Flags(rawValue: 4)
        /// A barrier that stops a truck.
        static let blocked = Flags(rawValue: 8)
        /// A barrier that is passed only to start or to end behind it.
        static let restricted = Flags(rawValue: 16)
    }

    let ids: [Int64]
    var points: [PointRecord]
    var flags: [Flags]

    init(ids unsorted: [Int64]) {
        var ids: [Int64] = []
        for id in unsorted.sorted() where ids.last != id { ids.append(id) }
        self.ids = ids
        points = Array(repeating: PointRecord(latitude: 0, longitude: 0), count: ids.count)
        flags = Array(repeating: [], count: ids.count)
    }

    /// Cuts edges at nodes that are here and at new ones. Indices change where there are new ones.
    mutating func cut(at known: Set<Int64>, and new: [(id: Int64, point: PointRecord)]) {
        if !new.isEmpty { widen(by: new) }
        for id in known {
            if let index = index(of: id) { flags[index].insert(.junction) }
        }
    }

    private mutating func widen(by new: [(id: Int64, point: PointRecord)]) {
        var widened = NodeTable(ids: ids + new.map(\.id))
        for (old, id) in ids.enumerated() {
            guard let index = widened.index(of: id) else { continue }
            widened.points[index] = points[old]
            widened.flags[index] = flags[old]
        }
        for node in new {
            guard let index = widened.index(of: node.id) else { continue }
            widened.points[index] = node.point
            widened.flags[index] = [.found, .junction]
        }
        self = widened
    }

    func index(of id: Int64) -> Int? {
        let index = ids.partitioningIndex { $0 >= id }
        return index < ids.count && ids[index] == id ? index : nil
    }

    /// The index of a node that was read.
    func found(_ id: Int64) -> Int? { index(of: id).flatMap { flags[$0].contains(.found) ? $0 : nil } }

    /// Marks where drivable ways meet: a node used twice, and the ends of every run of nodes that are there.
    mutating func use(_ run: ArraySlice<Int>) {
        for node in run {
            if flags[node].contains(.used) { flags[node].insert(.junction) }
            flags[node].insert(.used)
        }
        for end in [run.first, run.last].compactMap({ $0 }) { flags[end].insert(.junction) }
    }

    /// The way's nodes as indices, cut where nodes are missing; pieces of a single node are no road.
    func runs(of nodes: [Int64]) -> [ArraySlice<Int>] {
        nodes.map { found($0) ?? -1 }
            .split(separator: -1)
            .map { Self.withoutRepeats($0) }
            .filter { $0.count >= 2 }
    }

    /// A node that follows itself is a slip of the mapper's and no edge.
    private static func withoutRepeats(_ run: ArraySlice<Int>) -> ArraySlice<Int> {
        var kept: ArraySlice<Int> = []
        for node in run where kept.last != node { kept.append(node) }
        return kept
    }
}
