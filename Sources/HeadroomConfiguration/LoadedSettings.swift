extension Settings {
    /// Reads the file at `path`, where there is one, and the variables in `environment`, which win over the file.
    ///
    /// The files that settings name are not looked for: `LoadedSettings.validated` does that.
    /// - Parameter path: nil for defaults and environment alone.
    /// - Throws: everything that is wrong, in one error.
    package static func load(
        path: String?, environment: [String: String]
    ) throws(SettingsError) -> LoadedSettings {
        let directory = ConfigurationFile.directory(of: path)
        var root: SettingNode?
        if let path { root = try ConfigurationFile.root(path) }
        var reader = SettingsReader(root: root, environment: environment, directory: directory)
        let settings = Settings(&reader)
        settings.requireSense(&reader)
        reader.requireKnownNames()
        guard reader.problems.isEmpty else { throw SettingsError(reader.problems) }
        return LoadedSettings(
            settings: settings, origins: reader.settings, warnings: reader.warnings, directory: directory)
    }
}

/// Settings, and where each came from.
package struct LoadedSettings: Sendable {
    package let settings: Settings
    /// Every setting in force, in the order of `config/headroom.yaml`.
    package let origins: [Setting]
    /// What is allowed and most likely not meant.
    package let warnings: [SettingsProblem]
    /// What relative files start from.
    let directory: String

    /// Every setting in force and where it came from, one a line: `alerts.distance: 1 mi   # headroom.yaml:12`.
    package var printed: String {
        let lines = origins.map { (text: "\($0.name): \($0.text)", origin: $0.origin.summary) }
        // A long value may stand out: most lines stay readable.
        let width = min(lines.map(\.text.count).max() ?? 0, 60)
        return lines.map { line in
            let gap = String(repeating: " ", count: max(width - line.text.count, 0) + 2)
            return "\(line.text)\(gap)# \(line.origin)"
        }.joined(separator: "\n")
    }
}
