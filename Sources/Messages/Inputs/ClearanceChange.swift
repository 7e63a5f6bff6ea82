public import Clearances
public import Geo
public import Hashing
import Roads

/// A clearance that somebody entered, changed or took back while the gateway runs.
public struct ClearanceChange: Hashable, Sendable {
    @BytewiseText public var id: String
    /// Nil: it is taken back; what the map or a file says under this id holds again.
    public var clearance: PointClearance?
    /// Members of the entry that mean nothing here, as whoever wrote it is to be told.
    public var unknown: [String]

    public init(id: String, clearance: PointClearance?, unknown: [String] = []) {
        self.id = id
        self.clearance = clearance
        self.unknown = unknown
    }
}

/// What became of an entry that was registered by topic.
public struct Registration: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// In force from now on. The note says what whoever entered it should know, as that no road was found near it; `was`
        /// is the known clearance that it raises or lifts.
        case monitoring(note: String?, was: Centimetres? = nil)
        /// Not used; what was in force under this id stays.
        case failed(reason: String)
    }

    public enum Kind: String, Hashable, Sendable {
        case clearance, fence
    }

    public var kind: Kind
    @BytewiseText public var id: String
    public var outcome: Outcome
    /// Members of an entry in force that mean nothing here, misspelt ones with what was most likely meant.
    public var unknown: [String]

    public init(_ kind: Kind, id: String, _ outcome: Outcome, unknown: [String] = []) {
        self.kind = kind
        self.id = id
        self.outcome = outcome
        self.unknown = unknown
    }
}
