import Geo
import Yams

/// The environment variables that settings can come from.
struct SettingsEnvironment {
    private static let prefix = "HEADROOM_"

    private let variables: [String: String]

    init(_ environment: [String: String]) {
        variables = environment.filter { name, value in
            name.hasPrefix(Self.prefix) && !Self.isServiceLink(name, value)
        }
    }

    /// `HEADROOM_BROKER_PASSWORD` for `broker.password`.
    static func variable(_ name: String) -> String {
        prefix + name.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }

    subscript(variable: String) -> String? { variables[variable] }

    /// A variable that is no setting's is a misspelt one.
    func unknownVariables(_ names: KnownNames) -> [SettingsProblem] {
        let known = (names.names + names.shortForms.sorted()).map(Self.variable)
        return Set(variables.keys).subtracting(known).sorted().map { variable in
            let near = Spelling.nearest(to: variable, among: known)
            let right = near.map { "did you mean \($0)?" } ?? "a variable is named after a key, such as \(known[0])"
            return SettingsProblem(.environment(variable), wrong: "unknown variable", right: right)
        }
    }

    /// Kubernetes and Docker tell every container about a service that is called `headroom`, in variables of this
    /// form. They are no settings, and the only ones with the prefix that are let pass.
    private static func isServiceLink(_ name: String, _ value: String) -> Bool {
        name == "HEADROOM_SERVICE_HOST" || name.hasPrefix("HEADROOM_SERVICE_PORT")
            || (name == "HEADROOM_PORT" && value.contains("://"))
            || (name.hasPrefix("HEADROOM_PORT_") && name.dropFirst("HEADROOM_PORT_".count).first?.isNumber == true)
    }
}

extension SettingNode {
    /// A text from outside a file. Lists are separated by commas, or written as YAML in brackets.
    static func of(
        _ text: String, name: String, form: SettingForm, origin: SettingOrigin, directory: String
    ) throws(SettingsError) -> SettingNode {
        let isYAML = form == .group || form == .groups || (form == .list && text.hasPrefix("["))
        if isYAML {
            return try ConfigurationFile.node(text, name: name, origin: origin, directory: directory)
        }
        let node = form == .text || text.isEmpty ? Node(text) : Node(separated(text).map { Node($0) })
        return SettingNode(node, name: name, origin: origin, directory: directory)
    }

    private static func separated(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { item in
            String(item.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }
    }
}
