/// One thing wrong with the settings, and where it stands.
package struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
    package var origin: SettingOrigin
    /// `fleet.qos: expected a whole number from 0 to 2, got "3"`.
    package var wrong: String
    /// What to write instead; nil where `wrong` says what is expected.
    package var right: String?

    package init(_ origin: SettingOrigin, wrong: String, right: String? = nil) {
        self.origin = origin
        self.wrong = wrong
        self.right = right
    }

    /// `headroom.yaml:12:3: what is wrong; what to write instead`.
    package var description: String { "\(origin.place): \(text)" }

    /// `headroom.yaml:12:3: warning: …`.
    package var asWarning: String { "\(origin.place): warning: \(text)" }

    private var text: String { wrong + (right.map { "; \($0)" } ?? "") }
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
