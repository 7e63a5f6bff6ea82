import Clearances

/// What a network's clearances are while others than the road file's are in force: those behind them, those in their
/// place, and what follows for edges and statuses. Only what differs from the file is in here.
struct ClearanceOverlay: Sendable {
    /// Clearances of the file from 0 to this; the appended ones follow.
    let mappedCount: Int
    private(set) var appended: [LiveClearance] = []
    private var appendedStatuses: [ClearanceStatus] = []
    private(set) var replaced: [ClearanceID: Clearance] = [:]
    /// Of the replaced ones, and of those that tell of a structure with others of the overlay.
    private var mappedStatuses: [ClearanceID: ClearanceStatus] = [:]
    /// All that limits an edge, also what of the file still does; originals only, in the order of a road file.
    var limits: [LimitRecord] = []

    init(mappedCount: Int) { self.mappedCount = mappedCount }

    mutating func append(_ clearance: LiveClearance, _ status: ClearanceStatus) -> ClearanceID {
        appended.append(clearance)
        appendedStatuses.append(status)
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

    /// Nil where the file's holds.
    func clearance(_ id: ClearanceID) -> Clearance? {
        Int(id.index) < mappedCount ? replaced[id] : appended[Int(id.index) - mappedCount].placed
    }

    /// What that clearance says; nil where the file's holds.
    func reading(_ id: ClearanceID) -> ClearanceReading? {
        Int(id.index) < mappedCount ? replaced[id]?.reading : appended[Int(id.index) - mappedCount].clearance.reading
    }

    /// Nil where the file's holds.
    func status(_ id: ClearanceID) -> ClearanceStatus? {
        Int(id.index) < mappedCount ? mappedStatuses[id] : appendedStatuses[Int(id.index) - mappedCount]
    }
}
