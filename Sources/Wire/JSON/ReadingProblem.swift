package import Messages

/// What exactly could not be read of a message, for the log; the reason that is counted is a `InputError`.
package struct ReadingProblem: Hashable, Sendable, CustomStringConvertible {
    /// The member, such as `lat` or `/VP/lat`; empty: the payload as a whole.
    package var place: String
    /// What is wrong, or what was expected.
    package var text: String
    /// What stands there instead; nil where the text says all.
    package var got: String?

    package init(_ text: String, at place: String = "", got: String? = nil) {
        self.place = place
        self.text = text
        self.got = got
    }

    /// `lat: expected a number from -90 to 90, got "abc"`.
    package var description: String { withoutContent + (got.map { ", got \($0)" } ?? "") }

    /// The same without what stands there, which may say who or where somebody is.
    package var withoutContent: String { place.isEmpty ? text : "\(place): \(text)" }
}

/// A message, or a part of one, that was not used.
package struct RejectedPart: Error, Hashable {
    package var reason: InputError
    /// Nil where the reason says all.
    package var problem: ReadingProblem?

    package init(_ reason: InputError, _ problem: ReadingProblem? = nil) {
        self.reason = reason
        self.problem = problem
    }
}

/// What was wrong where a reader last refused something.
///
/// Readers throw a `InputError`, of a closed set that can be counted; what exactly it was goes beside it through here, as
/// only the log wants to know.
final class ReadingNote {
    private var reason: InputError?
    private var problem: ReadingProblem?

    /// - Returns: `reason`, to be thrown.
    func note(_ reason: InputError, _ problem: ReadingProblem) -> InputError {
        (self.reason, self.problem) = (reason, problem)
        return reason
    }

    /// What was noted for this reason last; nil where nothing was since.
    func part(_ reason: InputError) -> RejectedPart {
        defer { clear() }
        return RejectedPart(reason, self.reason == reason ? problem : nil)
    }

    func clear() { (reason, problem) = (nil, nil) }
}

extension JSONValue {
    /// Notes what is wrong with this value.
    ///
    /// - Parameters:
    ///   - place: what it is called.
    ///   - expected: `a number from -90 to 90`.
    /// - Returns: `reason`, to be thrown.
    func refused(_ reason: InputError, at place: String, expected: String) -> InputError {
        note.note(reason, ReadingProblem("expected \(expected)", at: place, got: shown))
    }

    /// Notes that this object lacks a member.
    func missing(_ place: String, expected: String) -> InputError {
        note.note(.missingField, ReadingProblem("expected \(expected)", at: place, got: "nothing"))
    }

    /// Notes that this is no object where one was expected.
    func notAnObject(at place: String = "", _ expected: String = "an object") -> InputError {
        refused(.wrongType, at: place, expected: expected)
    }
}

extension ClosedRange<Double> {
    /// Completes "expected a number"; empty where every number is in it.
    var words: String {
        let (low, high) = (lowerBound.shortest, upperBound.shortest)
        if upperBound == .greatestFiniteMagnitude { return lowerBound == -upperBound ? "" : " from \(low) on" }
        return " from \(low) to \(high)"
    }
}

extension Double {
    /// Without the `.0` of a whole number.
    fileprivate var shortest: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
