import Clearances

/// What a network's clearances are while others than the road file's are in force: those behind them, those in their
/// place, and what follows for edges and statuses. Only what differs from the file is in here.
struct ClearanceOverlay: Sendable {
    /// Clearances of the file from 0 to this; the appended ones follow.
    let mappedCount: Int
    /// All that are laid over the file's, by id.
    let live: [LiveClearance]
    /// Where those are among them that no clearance of the file shares its id with: the appended ones.
    private let positions: [Int]
    /// What they say, side by side: to look at each object takes ten times as long.
    private let appendedReadings: [ClearanceReading]
    private var appendedStatuses: [ClearanceStatus]
    private(set) var replaced: [ClearanceID: (live: LiveClearance, clearance: Clearance)] = [:]
    /// Of the replaced ones, and of those that tell of a structure with others of the overlay.
    private var mappedStatuses: [ClearanceID: ClearanceStatus] = [:]
    /// By the clearance of the file that counts for a structure: how many live ones may tell of it too.
    var touches: [ClearanceID: Int] = [:]
    /// All that limits an edge, also what of the file still does; originals only, in the order of a road file.
    var limits: [LimitRecord]

    /// Nothing, over a road file.
    init(_ network: RoadNetwork) {
        mappedCount = network.clearanceRows.count
        (live, positions, appendedReadings, appendedStatuses) = ([], [], [], [])
        limits = Array(network.limits)
    }

    /// Others in place of those of an overlay on the same road file: what it says of those that stay is taken over.
    ///
    /// - Parameters:
    ///   - live: by id.
    ///   - positions: of those that are appended.
    ///   - kept: where these were among the appended ones of `former`; nil: they were not.
    ///   - number: of an appended one by its number in `former`; nil: it is gone.
    init(
        _ former: ClearanceOverlay, live: [LiveClearance], positions: [Int], kept: [Int?],
        number: (ClearanceID) -> ClearanceID?
    ) {
        func renumbered(_ status: ClearanceStatus) -> ClearanceStatus {
            // Where the one that counts is gone, those merged into it are looked at anew.
            guard case .merged(let lowest) = status else { return status }
            return number(lowest).map { .merged(into: $0) } ?? .inForce
        }
        mappedCount = former.mappedCount
        (self.live, self.positions) = (live, positions)
        appendedReadings = zip(positions, kept).map { position, kept in
            kept.map { former.appendedReadings[$0] } ?? live[position].clearance.reading
        }
        appendedStatuses = kept.map { $0.map { renumbered(former.appendedStatuses[$0]) } ?? .inForce }
        replaced = former.replaced
        mappedStatuses = former.mappedStatuses.mapValues(renumbered)
        touches = former.touches
        limits = []
    }

    mutating func replace(_ id: ClearanceID, by live: LiveClearance, _ clearance: Clearance) {
        replaced[id] = (live, clearance)
    }

    mutating func restore(_ id: ClearanceID) { replaced[id] = nil }

    /// - Parameter status: nil: the file's holds again.
    mutating func setStatus(_ status: ClearanceStatus?, of id: ClearanceID) {
        if Int(id.index) < mappedCount {
            mappedStatuses[id] = status
        } else {
            appendedStatuses[Int(id.index) - mappedCount] = status ?? .inForce
        }
    }

    /// Those of the file of which it says what they count for.
    var mappedWithStatus: [ClearanceID] { Array(mappedStatuses.keys) }

    var appendedCount: Int { positions.count }

    /// The live one in force under a number; nil where the file's holds.
    func live(_ id: ClearanceID) -> LiveClearance? {
        Int(id.index) < mappedCount ? replaced[id]?.live : live[positions[Int(id.index) - mappedCount]]
    }

    /// Nil where the file's holds.
    func clearance(_ id: ClearanceID) -> Clearance? {
        Int(id.index) < mappedCount ? replaced[id]?.clearance : live[positions[Int(id.index) - mappedCount]].placed
    }

    /// What that clearance says; nil where the file's holds.
    func reading(_ id: ClearanceID) -> ClearanceReading? {
        Int(id.index) < mappedCount ? replaced[id]?.clearance.reading : appendedReadings[Int(id.index) - mappedCount]
    }

    /// Nil where the file's holds.
    func status(_ id: ClearanceID) -> ClearanceStatus? {
        Int(id.index) < mappedCount ? mappedStatuses[id] : appendedStatuses[Int(id.index) - mappedCount]
    }
}
