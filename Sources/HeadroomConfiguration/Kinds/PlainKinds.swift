import Broker

// Words, numbers, switches and files.

extension SettingKind where Value == String {
    static var text: Self { Self("a text") { text, _ in text } }

    /// An absolute path; what is written relative starts from the configuration file's directory.
    static var file: Self { Self("the name of a file", role: .file) { text, node in node.path(text) } }

    /// As a file, but it need not exist.
    static var folder: Self { Self("the name of a folder") { text, node in node.path(text) } }

    /// A file that is made where there is none.
    static var newFile: Self {
        Self("the name of a file, and no address", role: .newFile) { text, node in
            text.contains("://") ? nil : node.path(text)
        }
    }
}

extension SettingKind where Value == Secret {
    static var secret: Self { Self("a text", role: .secret) { text, _ in Secret(text) } }
}

extension SettingKind where Value == Bool {
    static var flag: Self {
        Self("true or false") { text, _ in
            switch text {
            case "true", "True", "TRUE": true
            case "false", "False", "FALSE": false
            default: nil
            }
        }
    }
}

extension SettingKind where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self("a whole number from \(range.lowerBound) to \(range.upperBound)") { text, _ in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension SettingKind where Value == Double {
    static func number(_ range: ClosedRange<Double>) -> Self {
        Self("a number from \(decimal(range.lowerBound)) to \(decimal(range.upperBound))") { text, _ in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension SettingKind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    static var oneOf: Self {
        Self(alternatives(Value.allCases.map(\.rawValue))) { text, _ in Value(rawValue: text) }
    }
}

/// `a, b or c`.
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

/// Without the `.0` of a whole number.
func decimal(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
}
