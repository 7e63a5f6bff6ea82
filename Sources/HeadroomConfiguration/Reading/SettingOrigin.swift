/// Where a setting was written.
package enum SettingOrigin: Hashable, Sendable {
    /// Nowhere: the default is in force.
    case standard
    /// In the configuration file; lines and columns count from 1, and line 0 stands for the file as a whole.
    case file(String, line: Int, column: Int)
    /// In that environment variable.
    case environment(String)

    /// `default`, `headroom.yaml:12` or `environment HEADROOM_BROKER_URL`.
    package var summary: String {
        switch self {
        case .standard: "default"
        case .file(let path, let line, _): "\(path):\(line)"
        case .environment(let variable): "environment \(variable)"
        }
    }

    /// What messages begin with: `headroom.yaml:12:3`, `headroom.yaml` or `HEADROOM_BROKER_URL`.
    package var place: String {
        switch self {
        case .standard: "default"
        case .file(let path, 0, _): path
        case .file(let path, let line, let column): "\(path):\(line):\(column)"
        case .environment(let variable): variable
        }
    }
}

extension SettingOrigin: Comparable {
    /// In reading order: defaults, the file from its top, the environment by name.
    package static func < (a: SettingOrigin, b: SettingOrigin) -> Bool { a.order < b.order }

    private var order: (Int, String, Int, Int) {
        switch self {
        case .standard: (0, "", 0, 0)
        case .file(let path, let line, let column): (1, path, line, column)
        case .environment(let variable): (2, variable, 0, 0)
        }
    }
}
