extension Settings {
    /// A configuration file to start from: every key with its default, and what it is for. `config/headroom.yaml` is
    /// this text.
    package static var commentedDefaults: String {
        var reader = SettingsReader()
        _ = Settings(&reader)
        var lines = comment(introduction, indent: "")
        var section = ""
        for setting in reader.settings {
            let names = setting.name.split(separator: ".").map(String.init)
            if names[0] != section {
                section = names[0]
                lines.append("")
                if let about = reader.sections[section] {
                    lines += comment(about, indent: "") + ["\(section):"]
                }
            }
            let indent = names.count > 1 ? "  " : ""
            let value = setting.standard.isEmpty ? "" : " \(setting.standard)"
            lines += comment(setting.about, indent: indent) + ["\(indent)\(names[names.count - 1]):\(value)"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let introduction = """
        The settings of headroom. Every key stands here with its default; what you do not set keeps it.
        headroom check-config FILE says what is wrong in a file, with --print what is in force and where it came from.
        Files are relative to this one, wherever they are named.
        Lengths are metres, or have a unit: 4.11 m, 13'6", 3 in, 1 mi, 30 km. \
        Durations are seconds, or have a unit: 250 ms, 60 s, 5 min, 24 h, 90 d.
        Every key can be set by environment too, and then wins over this file: HEADROOM_BROKER_URL for broker.url; \
        lists are separated by commas.
        """

    /// Lines of at most 112 characters that begin with `# `. A line that begins with a space or `- ` is an example, and
    /// kept as it stands.
    private static func comment(_ text: String, indent: String) -> [String] {
        text.split(separator: "\n").flatMap { line -> [String] in
            line.hasPrefix(" ") || line.hasPrefix("- ") ? [String(line)] : wrapped(line)
        }.map { "\(indent)# \($0)" }
    }

    private static func wrapped(_ line: Substring) -> [String] {
        line.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + word.count < 108 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
