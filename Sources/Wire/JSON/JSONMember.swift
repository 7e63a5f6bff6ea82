import Geo
import Messages

/// Members by name and type. All read null as absent and throw `wrongType` where a member is of another type.
extension JSONValue {
    /// Throws `outOfRange` beyond `range`.
    func number(
        _ name: StaticString,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) throws(InputError) -> Double? {
        guard let member = self[name] else { return nil }
        guard let number = member.double, range.contains(number) else {
            throw member.refused(
                member.double == nil ? .wrongType : .outOfRange, at: "\(name)", expected: "a number\(range.words)")
        }
        return number
    }

    /// As above, of a member that must be there. Throws `missingField`.
    func requiredNumber(_ name: StaticString, in range: ClosedRange<Double>) throws(InputError) -> Double {
        guard let number = try number(name, in: range) else {
            throw missing("\(name)", expected: "a number\(range.words)")
        }
        return number
    }

    /// A number, or a decimal number as a text, which devices write whose programs know only texts.
    ///
    /// Throws `outOfRange` beyond `range`.
    func numeral(
        _ name: StaticString,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) throws(InputError) -> Double? {
        guard let member = self[name] else { return nil }
        guard let number = member.numeral, range.contains(number) else {
            throw member.refused(
                member.numeral == nil ? .wrongType : .outOfRange, at: "\(name)", expected: "a number\(range.words)")
        }
        return number
    }

    /// As above, of a member that must be there. Throws `missingField`.
    func requiredNumeral(_ name: StaticString, in range: ClosedRange<Double>) throws(InputError) -> Double {
        guard let number = try numeral(name, in: range) else {
            throw missing("\(name)", expected: "a number\(range.words)")
        }
        return number
    }

    /// A number or a text of digits; nil for every other text, `NaN` among them.
    var numeral: Double? { double ?? string?.numeral }

    /// Throws `outOfRange` below `minimum`.
    func integer(_ name: StaticString, atLeast minimum: Int) throws(InputError) -> Int? {
        guard let member = self[name] else { return nil }
        guard let integer = member.integer, integer >= minimum else {
            throw member.refused(
                member.integer == nil ? .wrongType : .outOfRange, at: "\(name)",
                expected: "a whole number from \(minimum) on")
        }
        return integer
    }

    /// Throws `outOfRange` for a text of more than `characters`, or of more bytes than so many have without combining marks.
    func text(_ name: StaticString, atMost characters: Int) throws(InputError) -> String? {
        guard let member = self[name] else { return nil }
        return try member.text(atMost: characters, at: "\(name)")
    }

    /// This string itself; see `text(_:atMost:)`.
    ///
    /// - Parameter place: what it is called.
    func text(atMost characters: Int, at place: String = "") throws(InputError) -> String {
        guard let string, string.utf8.count <= 4 * characters, string.count <= characters else {
            throw refused(
                string == nil ? .wrongType : .outOfRange, at: place,
                expected: "a text of at most \(characters) characters")
        }
        return string
    }

    /// Throws `outOfRange` for a word that is none of the choices.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: StaticString) throws(InputError) -> Choice? {
        guard let member = self[name] else { return nil }
        guard let choice = member.string.flatMap({ Choice(rawValue: $0) }) else {
            throw member.refused(
                member.string == nil ? .wrongType : .outOfRange, at: "\(name)",
                expected: Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// RFC 3339, or a number: epoch seconds, from 10¹¹ on milliseconds.
    ///
    /// Throws `unreadableTime` for other texts, `outOfRange` for a number outside the years 0 to 9999.
    func time(_ name: StaticString) throws(InputError) -> Timestamp? {
        guard let member = self[name] else { return nil }
        return try member.time(at: "\(name)")
    }

    /// This value itself; see `time(_:)`.
    ///
    /// - Parameters:
    ///   - place: what it is called.
    ///   - offsetNeedsColon: as RFC 3339 has it; Java's formats most often write `+0000`.
    func time(at place: String, offsetNeedsColon: Bool = true) throws(InputError) -> Timestamp {
        do throws(InputError) {
            if let number = double { return try Timestamp(epoch: number) }
            guard let text = utf8 else { throw .wrongType }
            guard let time = RFC3339.timestamp(text, offsetNeedsColon: offsetNeedsColon) else {
                throw .unreadableTime
            }
            return time
        } catch {
            throw refused(error, at: place, expected: Self.expectedTime)
        }
    }

    static let expectedTime = "a time such as \"2026-11-21T06:00:00Z\", or seconds or milliseconds since 1970"

    /// A number of seconds since 1970, or one as a text. Throws `outOfRange` outside the years 0 to 9999.
    func epochSeconds(_ name: StaticString) throws(InputError) -> Timestamp? {
        try numeral(name).map { seconds throws(InputError) in try Timestamp(epochMilliseconds: seconds * 1000) }
    }

    /// A text with a unit, or a number of seconds. Throws `unreadableDuration` for other texts.
    func duration(_ name: StaticString) throws(InputError) -> Seconds? {
        guard let member = self[name] else { return nil }
        guard let seconds = member.double ?? member.string.flatMap({ DurationText.seconds($0) }) else {
            throw member.refused(
                member.string == nil ? .wrongType : .unreadableDuration, at: "\(name)",
                expected: "a number of seconds, or a text such as \"24 h\"")
        }
        return seconds
    }

    /// A text with a unit, or a number of metres. Throws `unreadableLength` for other texts.
    func length(_ name: StaticString) throws(InputError) -> Metres? {
        guard let member = self[name] else { return nil }
        guard let metres = member.double ?? member.string.flatMap({ LengthText.metres($0) }) else {
            throw member.refused(
                member.string == nil ? .wrongType : .unreadableLength, at: "\(name)",
                expected: "a number of metres, or a text such as \"3 in\"")
        }
        return metres
    }
}

extension JSONValue {
    /// Throws `repeatedName` where two members of this object have one name: parsers disagree on which of them counts (RFC 8259
    /// §4).
    func refuseRepeatedNames() throws(InputError) {
        guard let members else { return }
        var names: Set<String> = []
        for (name, _) in members where !names.insert(name).inserted {
            let place = "\(name.prefix(WireLimits.nameCharacters))"
            throw note.note(.repeatedName, ReadingProblem("expected one member of this name", at: place, got: "two"))
        }
    }
}

extension StringProtocol {
    /// The number that these digits write; nil for every other text, `NaN` among them.
    var numeral: Double? {
        utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) ? Double(self) : nil
    }
}

extension Timestamp {
    /// Seconds since 1970, from 10¹¹ on milliseconds. Throws `outOfRange` outside the years 0 to 9999.
    init(epoch number: Double) throws(InputError) {
        try self.init(epochMilliseconds: number >= 1e11 ? number : number * 1000)
    }

    /// The nearest whole millisecond. Throws `outOfRange` outside the years 0 to 9999.
    init(epochMilliseconds: Double) throws(InputError) {
        guard let whole = Int64(exactly: epochMilliseconds.rounded()),
            RFC3339.range.contains(Timestamp(milliseconds: whole))
        else { throw .outOfRange }
        self.init(milliseconds: whole)
    }
}
