/// One thing wrong with the settings: where it stands, what it is, and what would be right.
public struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
    public var origin: SettingOrigin
    public var wrong: String
    public var right: String

    public init(_ origin: SettingOrigin, wrong: String, right: String) {
        self.origin = origin
        self.wrong = wrong
        self.right = right
    }

    /// `headroom.yaml:12:3: what is wrong; what would be right`.
    public var description: String { "\(origin.place): \(wrong); \(right)" }

    /// `headroom.yaml:12:3: warning: …`.
    public var asWarning: String { "\(origin.place): warning: \(wrong); \(right)" }
}

/// Everything that is wrong with the settings, in the order of the file, then of the environment.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    public let problems: [SettingsProblem]

    public init(_ problems: [SettingsProblem]) {
        self.problems = problems.sorted { $0.origin < $1.origin }
    }

    /// One problem a line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
