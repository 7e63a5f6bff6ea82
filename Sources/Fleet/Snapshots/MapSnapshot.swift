public import Clearances
public import Hashing
public import Messages
public import Roads

/// Which entry is in force under an id.
public enum EntryOrigin: String, Sendable {
    /// It is taken back by whoever can write the file.
    case file
    /// It was published by dispatch, on a retained topic.
    case topic
}

/// A fence in force and where it comes from.
public struct FenceSnapshot: Hashable, Sendable {
    public var fence: Fence
    public var origin: EntryOrigin
}

/// What vehicles are judged by: roads and clearances, and the fences. It changes rarely and is shared as it is.
public struct MapSnapshot: Sendable {
    /// With all clearances in force laid over it; nil without a road file.
    public var network: RoadNetwork?
    /// Clearances of files and topics, by id; those of the road file are in `network`.
    public var clearances: [BytewiseText: (clearance: PointClearance, origin: EntryOrigin)]
    /// By id.
    public var fences: [BytewiseText: FenceSnapshot]
    /// Another number, another snapshot; within one run.
    public var clearanceRevision: Int
    public var fenceRevision: Int

    public init() {
        clearances = [:]
        fences = [:]
        (clearanceRevision, fenceRevision) = (-1, -1)
    }
}

extension Engine {
    /// Brings a snapshot up to date.
    ///
    /// - Returns: whether anything has changed.
    public func update(_ snapshot: inout MapSnapshot) -> Bool {
        let before = (snapshot.clearanceRevision, snapshot.fenceRevision)
        if snapshot.clearanceRevision != map.revision {
            snapshot.network = map.network
            snapshot.clearances = map.entries.origins
            snapshot.clearanceRevision = map.revision
        }
        if snapshot.fenceRevision != catalogue.revision {
            snapshot.fences = catalogue.snapshots
            snapshot.fenceRevision = catalogue.revision
        }
        return before != (snapshot.clearanceRevision, snapshot.fenceRevision)
    }
}
