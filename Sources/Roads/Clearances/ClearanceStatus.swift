import Clearances

/// What a clearance of a road file counts for.
public enum ClearanceStatus: Hashable, Sendable {
    /// It limits the edges that carry it.
    case inForce
    /// No road could be found for it: it limits no edge and is judged by straight line.
    case unsnapped
    /// It tells of the same structure as another one, which is no higher and counts where both hold.
    case merged(into: ClearanceID)

    /// The clearance that counts for the structure of one of this status.
    func lowest(of clearance: ClearanceID) -> ClearanceID {
        if case .merged(let lowest) = self { lowest } else { clearance }
    }
}

extension ClearanceRecord {
    /// In the row: 0 in force, `UInt32.max` unsnapped, else the other's position plus one.
    var status: ClearanceStatus {
        switch structure {
        case 0: .inForce
        case .max: .unsnapped
        default: .merged(into: ClearanceID(structure - 1))
        }
    }

    static func structure(_ status: ClearanceStatus) -> UInt32 {
        switch status {
        case .inForce: 0
        case .unsnapped: .max
        case .merged(let other): other.index + 1
        }
    }
}
