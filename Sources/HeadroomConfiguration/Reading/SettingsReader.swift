import Broker

/// Reads one setting after the other from the environment or the file into its member, and keeps what is wrong.
///
/// The calls in the methods `read…` of `Settings` are the table of all settings: each has its name, kind, and what it
/// is for there and nowhere else. The default in force is that of the member; a test compares the written one with it.
struct SettingsReader {
    /// The nodes by name: sections and what is in them.
    private var written: [String: SettingNode] = [:]
    private let root: SettingNode?
    private let environment: SettingsEnvironment
    /// What relative files start from.
    let directory: String

    private(set) var settings: [Setting] = []
    private(set) var sections: [String: String] = [:]
    /// Sections that may hold a list in place of keys: that of one of their settings.
    private var shortForms: Set<String> = []
    private(set) var problems: [SettingsProblem] = []
    /// What is allowed and most likely not meant.
    private(set) var warnings: [SettingsProblem] = []
    private var refused: Set<String> = []

    init(root: SettingNode? = nil, environment: [String: String] = [:], directory: String = ".") {
        self.root = root
        self.environment = SettingsEnvironment(environment)
        self.directory = directory
        // A name with a dot is refused as a key: it would be taken for a section's.
        for member in root?.members ?? [] where !member.value.name.contains(".") {
            written[member.value.name] = member.value
            for inner in member.value.members ?? [] { written[inner.value.name] = inner.value }
        }
    }

    /// Says what a section is about, before its settings are read.
    mutating func section(_ name: String, _ about: String) {
        sections[name] = about
    }

    /// Fills `member` with what is written for `name`: in the environment, or else in the file. Where nothing is written,
    /// it keeps its default. Both are read, so that a mistake in the file shows however it is overridden.
    ///
    /// - Parameters:
    ///   - short: the name of its section, where that may hold the setting's value in place of keys.
    ///   - standard: how the member's default is written, as in the environment; for people alone.
    mutating func callAsFunction<Value>(
        _ name: String, short: String? = nil, _ kind: SettingKind<Value>, into member: inout Value,
        default standard: String, _ about: String
    ) {
        if let short { shortForms.insert(short) }
        let shortNode = short.flatMap { written[$0] }.flatMap { $0.members == nil ? $0 : nil }
        let inEnvironment = variable(name, name, kind.form) ?? short.flatMap { variable($0, name, kind.form) }
        let fallback = self.standard(name, kind.form, standard)
        var node = fallback
        for source in [(written[name] ?? shortNode).map(Result.success), inEnvironment].compactMap(\.self) {
            do throws(SettingsError) {
                let candidate = try source.get()
                member = try kind.read(candidate)
                node = candidate
            } catch {
                problems += error.problems
                refused.insert(name)
            }
        }
        settings.append(
            Setting(name: name, about: about, form: kind.form, role: kind.role, node: node, standard: fallback))
    }

    /// Reports `wrong` where `name` is written, unless `holds`, or one of `others` was refused already.
    mutating func require(
        _ holds: Bool, of name: String, and others: String..., wrong: String, right: String
    ) {
        guard !holds, refused.isDisjoint(with: others + [name]) else { return }
        problems.append(SettingsProblem(origin(of: [name] + others), wrong: wrong, right: right))
    }

    /// Of a password and a file that holds it, the one in the environment wins over the one in the file; both in one place are
    /// refused.
    mutating func keepOne(_ password: inout Secret?, _ name: String, orOf file: inout String?, _ fileName: String) {
        guard password != nil, file != nil else { return }
        switch (isInEnvironment(name), isInEnvironment(fileName)) {
        case (true, false): file = nil
        case (false, true): password = nil
        default:
            let right = "keep \(fileName) or \(name)"
            require(false, of: name, and: fileName, wrong: "the password is given twice", right: right)
        }
    }

    private func isInEnvironment(_ name: String) -> Bool {
        if case .environment = origin(of: [name]) { true } else { false }
    }

    /// Says of `name` what is allowed and most likely not meant.
    mutating func warn(of name: String, wrong: String, right: String) {
        warnings.append(SettingsProblem(origin(of: [name]), wrong: wrong, right: right))
    }

    /// Where the first of them stands that is written anywhere.
    private func origin(of names: [String]) -> SettingOrigin {
        names.compactMap { name in settings.first { $0.name == name }?.origin }.first { $0 != .standard } ?? .standard
    }

    /// Reports every key and variable that no setting bears. To be called when all have been read.
    mutating func requireKnownNames() {
        let names = KnownNames(settings.map(\.name), shortForms: shortForms)
        problems += names.unknownKeys(in: root) + environment.unknownVariables(names)
    }

    /// - Parameter bearer: what the variable is named after.
    private func variable(
        _ bearer: String, _ name: String, _ form: SettingForm
    ) -> Result<SettingNode, SettingsError>? {
        let variable = SettingsEnvironment.variable(bearer)
        return environment[variable].map { text in
            Result { () throws(SettingsError) in
                try SettingNode.of(
                    text, name: name, form: form, origin: .environment(variable), directory: directory)
            }
        }
    }

    private func standard(_ name: String, _ form: SettingForm, _ text: String) -> SettingNode {
        do throws(SettingsError) {
            return try SettingNode.of(text, name: name, form: form, origin: .standard, directory: directory)
        } catch {
            preconditionFailure("A default must be YAML: \(error)")
        }
    }
}
