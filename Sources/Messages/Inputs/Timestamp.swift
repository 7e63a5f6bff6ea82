public import typealias Geo.Seconds

/// A moment: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Before anything that was ever reported.
    package static let distantPast = Timestamp(milliseconds: 0)

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

    /// The earlier of two moments, either of which may never come.
    package static func earlier(_ a: Timestamp?, _ b: Timestamp?) -> Timestamp? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }

    /// How long after `earlier` this moment is; negative where it is before.
    public func since(_ earlier: Timestamp) -> Seconds {
        Seconds(milliseconds - earlier.milliseconds) / 1000
    }

    @inlinable
    public func adding(_ seconds: Seconds) -> Timestamp {
        // As `rounded()` has it, which is a call of the C library.
        let exact = seconds * 1000
        let whole = Int64(exact)
        let part = exact - Double(whole)
        return Timestamp(milliseconds: milliseconds + whole + (part >= 0.5 ? 1 : part <= -0.5 ? -1 : 0))
    }

    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
