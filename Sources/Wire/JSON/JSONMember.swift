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

    /// A number, or a decimal number as a text, which devices write whose programs know only texts.
    ///
    /// Throws `outOfRange` beyond `range`.
    func numeral(
        _ name: StaticString,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) throws(Rejection) -> Double? {
        guard let member = self[name] else { return nil }
        guard let number = member.numeral else { throw .wrongType }
        guard range.contains(number) else { throw .outOfRange }
        return number
    }

    /// A number or a text of digits; nil for every other text, `NaN` among them.
    var numeral: Double? {
        if let double { return double }
        guard let string, string.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(string)
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
        return try member.time()
    }

    /// This value itself; see `time(_:)`.
    ///
    /// - Parameter offsetNeedsColon: as RFC 3339 has it; Java's formats most often write `+0000`.
    func time(offsetNeedsColon: Bool = true) throws(Rejection) -> Timestamp {
        if let number = double { return try Timestamp(epochMilliseconds: number >= 1e11 ? number : number * 1000) }
        guard let text = utf8 else { throw .wrongType }
        guard let time = RFC3339.timestamp(text, offsetNeedsColon: offsetNeedsColon) else {
            throw .unreadableTime
        }
        return time
    }

    /// A number of seconds since 1970, or one as a text. Throws `outOfRange` outside the years 0 to 9999.
    func epochSeconds(_ name: StaticString) throws(Rejection) -> Timestamp? {
        try numeral(name).map { seconds throws(Rejection) in try Timestamp(epochMilliseconds: seconds * 1000) }
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

extension Timestamp {
    /// The nearest whole millisecond. Throws `outOfRange` outside the years 0 to 9999.
    init(epochMilliseconds: Double) throws(Rejection) {
        guard let whole = Int64(exactly: epochMilliseconds.rounded()),
            RFC3339.range.contains(Timestamp(milliseconds: whole))
        else { throw .outOfRange }
        self.init(milliseconds: whole)
    }
}
