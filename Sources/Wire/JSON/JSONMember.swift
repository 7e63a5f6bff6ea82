import Fleet
import Geo

/// Members by name and type. All read null as absent and throw `wrongType` where a member is of another type.
extension JSONValue {
    /// Throws `outOfRange` beyond `range`.
    func number(
        _ name: StaticString,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) throws(Rejection) -> Double? {
        guard let member = self[name] else { return nil }
        guard let number = member.double else { throw .wrongType }
        guard range.contains(number) else { throw .outOfRange }
        return number
    }

    /// Throws `outOfRange` below `minimum`.
    func integer(_ name: StaticString, atLeast minimum: Int) throws(Rejection) -> Int? {
        guard let member = self[name] else { return nil }
        guard let integer = member.integer else { throw .wrongType }
        guard integer >= minimum else { throw .outOfRange }
        return integer
    }

    /// Throws `outOfRange` for a text of more than `characters`.
    func text(_ name: StaticString, atMost characters: Int) throws(Rejection) -> String? {
        guard let member = self[name] else { return nil }
        return try member.text(atMost: characters)
    }

    /// This string itself; see `text(_:atMost:)`.
    func text(atMost characters: Int) throws(Rejection) -> String {
        guard let string else { throw .wrongType }
        guard string.count <= characters else { throw .outOfRange }
        return string
    }

    /// Throws `outOfRange` for a word that is none of the choices.
    func choice<Choice: RawRepresentable<String>>(_ name: StaticString) throws(Rejection) -> Choice? {
        guard let member = self[name] else { return nil }
        guard let word = member.string else { throw .wrongType }
        guard let choice = Choice(rawValue: word) else { throw .outOfRange }
        return choice
    }

    /// RFC 3339, or a number: epoch seconds, from 10¹¹ on milliseconds.
    ///
    /// Throws `unreadableTime` for other texts, `outOfRange` for a number outside the years 0 to 9999.
    func time(_ name: StaticString) throws(Rejection) -> Timestamp? {
        guard let member = self[name] else { return nil }
        if let number = member.double {
            let milliseconds = (number >= 1e11 ? number : number * 1000).rounded()
            guard let time = Int64(exactly: milliseconds).map(Timestamp.init), RFC3339.range.contains(time) else {
                throw .outOfRange
            }
            return time
        }
        guard let text = member.utf8 else { throw .wrongType }
        guard let time = RFC3339.timestamp(text) else { throw .unreadableTime }
        return time
    }

    /// A text with a unit, or a number of seconds. Throws `unreadableDuration` for other texts.
    func duration(_ name: StaticString) throws(Rejection) -> Seconds? {
        guard let member = self[name] else { return nil }
        if let seconds = member.double { return seconds }
        guard let text = member.string else { throw .wrongType }
        guard let seconds = DurationText.seconds(text) else { throw .unreadableDuration }
        return seconds
    }

    /// A text with a unit, or a number of metres. Throws `unreadableLength` for other texts.
    func length(_ name: StaticString) throws(Rejection) -> Metres? {
        guard let member = self[name] else { return nil }
        if let metres = member.double { return metres }
        guard let text = member.string else { throw .wrongType }
        guard let metres = LengthText.metres(text) else { throw .unreadableLength }
        return metres
    }
}
