public import Geo

/// Which units people in this vehicle read.
public enum UnitSystem: String, Sendable, Codable, CaseIterable {
    case metric, imperial
}

/// How high a vehicle is, who says so, and for how long it holds.
public struct HeightProfile: Hashable, Sendable, Codable {
    /// The highest part, rounded up to a centimetre; nil where the profile tells only units or groups.
    public var height: Centimetres?
    /// What is added for safety; nil: the configured margin.
    public var margin: Metres?
    /// `driver`, `dispatch`, `survey`, …: free text, at most 64 characters.
    public var source: String
    /// Nil: valid from its first arrival.
    public var measuredAt: Timestamp?
    /// Nil: until replaced.
    public var validFor: Seconds?
    /// Nil: the configured system.
    public var units: UnitSystem?
    /// Nil: the configured language.
    public var language: Language?
    public var groups: [String]

    public init(
        height: Centimetres?, margin: Metres? = nil, source: String = "unknown", measuredAt: Timestamp? = nil,
        validFor: Seconds? = nil, units: UnitSystem? = nil, language: Language? = nil, groups: [String] = []
    ) {
        self.height = height
        self.margin = margin
        self.source = source
        self.measuredAt = measuredAt
        self.validFor = validFor
        self.units = units
        self.language = language
        self.groups = groups
    }
}
