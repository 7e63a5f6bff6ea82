extension JSONValue {
    /// As an error message shows it: what was written, or of what kind it is.
    var shown: String {
        if let string { return Self.shown(string) }
        if let integer { return "\(integer)" }
        if let double { return "\(double)" }
        if let bool { return "\(bool)" }
        return isObject ? "an object" : isNull ? "null" : "a list"
    }

    /// Cut off where it is longer than a line.
    static func shown(_ text: String) -> String { text.count > 64 ? "\"\(text.prefix(64))…\"" : "\"\(text)\"" }
}
