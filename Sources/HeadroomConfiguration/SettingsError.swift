/// One thing wrong with the settings: where it stands, what it is, and what is expected.
package struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
    package var origin: SettingOrigin
    package var wrong: String
    package var right: String

    package init(_ origin: SettingOrigin, wrong: String, right: String) {
        self.origin = origin
        self.wrong = wrong
        self.right = right
    }

    /// `headroom.yaml:12:3: what is wrong; what to write instead`.
    package var description: String { "\(origin.place): \(wrong); \(right)" }

    /// `headroom.yaml:12:3: warning: …`.
    package var asWarning: String { "\(origin.place): warning: \(wrong); \(right)" }
}

/// Everything that is wrong with the settings, in the order of the file, then of the environment.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    package let problems: [SettingsProblem]

    package init(_ problems: [SettingsProblem]) {
        self.problems = problems.sorted { $0.origin < $1.origin }
    }

    /// One problem a line.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
