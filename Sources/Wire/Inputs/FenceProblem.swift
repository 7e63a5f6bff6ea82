/// Why a Feature is no fence, in one sentence for whoever wrote it.
public struct FenceProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The member that is wrong, such as `properties.hours.week` or `geometry.coordinates[0][17]`; empty: the Feature as a
    /// whole.
    public var place: String
    /// What is wrong with it, and what would be right.
    public var text: String

    public init(_ place: String, _ text: String) {
        self.place = place
        self.text = text
    }

    public var description: String { place.isEmpty ? text : "\(place): \(text)" }
}

extension JSONValue {
    /// As a problem shows it: what was written, or of what kind it is.
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
