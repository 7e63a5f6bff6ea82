/// Why weekly hours cannot be used; for whoever wrote them.
public enum WeeklyHoursProblem: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownZone(String)
    /// The piece of the text that says something else than days and times, or nothing at all.
    case notUnderstood(String)
    /// Neither days nor times.
    case empty
    case tooLong(characters: Int)

    public var description: String {
        switch self {
        case .unknownZone(let zone):
            "\"\(zone.prefix(64))\" is no known time zone; an IANA name such as America/Detroit would be"
        case .notUnderstood(let piece):
            "\"\(piece)\" is not understood; days and times are, such as \(Self.example)"
        case .empty:
            "no days and no times are given; they would be such as \(Self.example)"
        case .tooLong(let characters):
            "\(characters) characters are too many; there may be \(WeeklyHours.weekCharacters), "
                + "in days and times such as \(Self.example)"
        }
    }

    private static let example = "Mo-Fr 06:00-18:00; Sa 08:00-12:00"
}
