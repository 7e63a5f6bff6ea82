/// Why weekly hours cannot be used; for whoever wrote them.
public enum WeeklyHoursError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownZone(String)
    /// The piece of the text that says something else than days and times, or nothing at all.
    case notUnderstood(String)
    /// Neither days nor times.
    case empty
    case tooLong(characters: Int)

    public var description: String {
        switch self {
        case .unknownZone(let zone):
            "expected an IANA time zone such as America/Detroit, got \"\(zone.prefix(64))\""
        case .notUnderstood(let piece):
            "expected days and times such as \(Self.example), got \"\(piece)\""
        case .empty:
            "expected days and times such as \(Self.example), got none"
        case .tooLong(let characters):
            "expected days and times such as \(Self.example) in at most \(WeeklyHours.weekCharacters) characters, "
                + "got \(characters)"
        }
    }

    private static let example = "Mo-Fr 06:00-18:00; Sa 08:00-12:00"
}
