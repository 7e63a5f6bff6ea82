/// A language that texts for drivers are written in. Its raw value is its ISO 639-1 code.
public enum Language: String, Sendable, Codable, CaseIterable {
    case english = "en"
    case german = "de"
    case spanish = "es"
    case french = "fr"

    /// Between whole and tenths.
    public var decimalSeparator: String { self == .english ? "." : "," }
}

/// How people in a vehicle read texts.
public struct TextStyle: Hashable, Sendable, Codable {
    public var units: UnitSystem
    public var language: Language

    public init(units: UnitSystem = .imperial, language: Language = .english) {
        self.units = units
        self.language = language
    }

    /// As a profile says it; what it leaves out as the fleet has it.
    public init(_ profile: HeightProfile?, otherwise fleet: TextStyle) {
        self.init(units: profile?.units ?? fleet.units, language: profile?.language ?? fleet.language)
    }

    /// - Parameter values: by the names that stand in braces.
    public func text(_ key: TextKey, _ values: [String: String] = [:]) -> String {
        TextTable.text(key, language, values)
    }
}
