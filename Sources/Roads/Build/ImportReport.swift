import Clearances

/// What an import read, and what of it was not understood.
public struct ImportReport: Hashable, Sendable, Codable {
    public var ways = 0
    public var drivableWays = 0
    public var nodes = 0
    /// Nodes that ways name and the source does not hold, as at an extract's border.
    public var missingNodes = 0
    public var junctions = 0
    public var directedEdges = 0
    public var lengthKilometres = 0.0
    public var restrictions = 0
    /// Turn restrictions that are not used, by reason.
    public var restrictionsIgnored: [String: Int] = [:]
    public var clearances = 0
    /// By what the text says: `limit`, `legal-default`, `unknown`.
    public var clearancesByReading: [String: Int] = [:]
    /// Every `key=value` about heights that was read, with how often it stands there.
    public var heightTexts: [String: Int] = [:]
    /// Those of them that could not be understood, or cannot be true: judged as unknown, never as "no limit".
    public var heightTextsNotUnderstood: [String: Int] = [:]

    /// Clearances from files that a road was found for.
    public var clearancesSnapped = 0
    /// Clearances from files that no road was found for, by reason: kept, and judged by straight line.
    public var clearancesUnsnapped: [String: Int] = [:]
    /// The same by id.
    public var unsnapped: [String: SnappingError] = [:]
    /// Clearances that tell of the same structure as a lower one.
    public var clearancesMerged = 0
    /// Clearances from files that take the place of an OSM one.
    public var clearancesOverridden = 0
    /// Entries of clearance files that could not be used, by reason.
    public var clearancesRejected: [String: Int] = [:]

    /// What the base map shows, by kind.
    public var baseMap: [String: Int] = [:]
    /// What it does not show because it is too large.
    public var baseMapLeftOut = 0

    public init() {}

    /// One clearance from a file.
    mutating func count(_ clearance: PointClearance) {
        let text = "clearance=\(clearance.posted)"
        heightTexts[text, default: 0] += 1
        if case .unknown = clearance.reading { heightTextsNotUnderstood[text, default: 0] += 1 }
    }

    mutating func count(_ tags: MaxHeightTags) {
        for tag in tags.tags {
            let text = "\(tag.key)=\(tag.value)"
            heightTexts[text, default: 0] += 1
            if case .unknown = tag.reading { heightTextsNotUnderstood[text, default: 0] += 1 }
        }
    }

    mutating func count(_ reading: ClearanceReading) {
        clearances += 1
        let name =
            switch reading {
            case .limit: "limit"
            case .legalDefault: "legal-default"
            case .unknown: "unknown"
            }
        clearancesByReading[name, default: 0] += 1
    }
}
