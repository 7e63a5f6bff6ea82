import Clearances

/// What a network's clearances are while others than the road file's are in force: those behind them, those in their
/// place, and what follows for edges and statuses. Only what differs from the file is in here.
struct ClearanceOverlay: Sendable {
    /// Clearances of the file from 0 to this; the appended ones follow.
    let mappedCount: Int
    private(set) var appended: [Clearance] = []
    private var appendedStatuses: [ClearanceStatus] = []
    private(set) var replaced: [ClearanceID: Clearance] = [:]
    /// Of the replaced ones, and of those that tell of a structure with others of the overlay.
    private var mappedStatuses: [ClearanceID: ClearanceStatus] = [:]
    /// By edge, originals only: all that limits it; empty where nothing does any longer.
    private(set) var limits: [EdgeID: [ClearanceID]] = [:]
    /// Every edge that carries a clearance, with it, those of the file included; sorted by edge, originals only. Kept, as each
    /// height asks for them.
    private(set) var limitedEdges: [(edge: EdgeID, clearance: ClearanceID)] = []

    init(mappedCount: Int) { self.mappedCount = mappedCount }

    mutating func append(_ clearance: Clearance) -> ClearanceID {
        appended.append(clearance)
        appendedStatuses.append(.inForce)
        return ClearanceID(mappedCount + appended.count - 1)
    }

    mutating func replace(_ id: ClearanceID, by clearance: Clearance) { replaced[id] = clearance }

    mutating func setStatus(_ status: ClearanceStatus, of id: ClearanceID) {
        if Int(id.index) < mappedCount {
            mappedStatuses[id] = status
        } else {
            appendedStatuses[Int(id.index) - mappedCount] = status
        }
    }

    /// - Parameter mapped: the file's limits, sorted by edge.
    mutating func setLimits(
        _ limits: [EdgeID: [ClearanceID]], over mapped: [(edge: EdgeID, clearance: ClearanceID)]
    ) {
        self.limits = limits
        limitedEdges = merged(into: mapped)
    }

    /// Nil where the file's holds.
    func clearance(_ id: ClearanceID) -> Clearance? {
        Int(id.index) < mappedCount ? replaced[id] : appended[Int(id.index) - mappedCount]
    }

    /// What that clearance says; nil where the file's holds.
    func reading(_ id: ClearanceID) -> ClearanceReading? {
        Int(id.index) < mappedCount ? replaced[id]?.reading : appended[Int(id.index) - mappedCount].reading
    }

    /// Nil where the file's holds.
    func status(_ id: ClearanceID) -> ClearanceStatus? {
        Int(id.index) < mappedCount ? mappedStatuses[id] : appendedStatuses[Int(id.index) - mappedCount]
    }

    private func merged(
        into mapped: [(edge: EdgeID, clearance: ClearanceID)]
    ) -> [(edge: EdgeID, clearance: ClearanceID)] {
        var merged: [(edge: EdgeID, clearance: ClearanceID)] = []
        merged.reserveCapacity(mapped.count + limits.count)
        var kept = mapped.makeIterator()
        var next = kept.next()
        for (edge, clearances) in limits.sorted(by: { $0.key < $1.key }) {
            while let limit = next, limit.edge <= edge {
                if limit.edge < edge { merged.append(limit) }
                next = kept.next()
            }
            for clearance in clearances { merged.append((edge, clearance)) }
        }
        while let limit = next {
            merged.append(limit)
            next = kept.next()
        }
        return merged
    }
}
