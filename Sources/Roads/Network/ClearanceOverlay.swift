import Clearances

/// What a network's clearances are while others than the road file's are in force: those behind them, those in their
/// place, and what follows for edges and statuses. Only what differs from the file is in here.
struct ClearanceOverlay: Sendable {
    /// Clearances of the file from 0 to this; the appended ones follow.
    let mappedCount: Int
    private(set) var appended: [Clearance] = []
    private(set) var replaced: [ClearanceID: Clearance] = [:]
    /// The statuses of the appended ones, of the replaced ones, and of those that tell of a structure with them.
    var statuses: [ClearanceID: ClearanceStatus] = [:]
    /// By edge, originals only: all that limits it; empty where nothing does any longer.
    private(set) var limits: [EdgeID: [ClearanceID]] = [:]
    /// The edges of `limits`, ascending.
    private var edges: [EdgeID] = []

    init(mappedCount: Int) { self.mappedCount = mappedCount }

    mutating func append(_ clearance: Clearance) -> ClearanceID {
        appended.append(clearance)
        return ClearanceID(mappedCount + appended.count - 1)
    }

    mutating func replace(_ id: ClearanceID, by clearance: Clearance) { replaced[id] = clearance }

    mutating func setLimits(_ limits: [EdgeID: [ClearanceID]]) {
        self.limits = limits
        edges = limits.keys.sorted()
    }

    /// Nil where the file's holds.
    func clearance(_ id: ClearanceID) -> Clearance? {
        Int(id.index) < mappedCount ? replaced[id] : appended[Int(id.index) - mappedCount]
    }

    /// - Parameter mapped: the file's limits, sorted by edge.
    func merged(into mapped: [(edge: EdgeID, clearance: ClearanceID)]) -> [(edge: EdgeID, clearance: ClearanceID)] {
        var merged: [(edge: EdgeID, clearance: ClearanceID)] = []
        merged.reserveCapacity(mapped.count + edges.count)
        var kept = mapped.makeIterator()
        var next = kept.next()
        for edge in edges {
            while let limit = next, limit.edge <= edge {
                if limit.edge < edge { merged.append(limit) }
                next = kept.next()
            }
            for clearance in limits[edge] ?? [] { merged.append((edge, clearance)) }
        }
        while let limit = next {
            merged.append(limit)
            next = kept.next()
        }
        return merged
    }
}
