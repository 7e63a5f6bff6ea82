import BinaryCoding
import Messages

/// Units and language, as far as somebody said: nothing, or one text such as `metric`, `metric/de` or `/de`. Records from before
/// there were languages have the units alone.
struct WrittenStyle: BinaryCodable {
    var units: UnitSystem?
    var language: Language?

    init(units: UnitSystem?, language: Language?) {
        self.units = units
        self.language = language
    }

    func encode(to encoder: inout BinaryEncoder) { (units == nil && language == nil ? nil : text).encode(to: &encoder) }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        guard let text = try String?(from: &decoder) else {
            self.init(units: nil, language: nil)
            return
        }
        guard let style = Self(text) else { throw decoder.unreadable("units and language") }
        self = style
    }

    fileprivate var text: String { (units?.rawValue ?? "") + (language.map { "/\($0.rawValue)" } ?? "") }

    fileprivate init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        units = UnitSystem(rawValue: parts[0])
        language = parts.count > 1 ? Language(rawValue: parts[1]) : nil
        // What is written and not known is damage.
        guard self.text == text else { return nil }
    }
}

/// As a `WrittenStyle` that is always there; English is not written.
extension TextStyle: BinaryCodable {
    static let placeholder = TextStyle(units: .metric)

    func encode(to encoder: inout BinaryEncoder) {
        encoder.append(text: WrittenStyle(units: units, language: language == .english ? nil : language).text)
    }

    init(from decoder: inout BinaryDecoder) throws(BinaryCodingError) {
        guard let style = WrittenStyle(try decoder.text()), let units = style.units else {
            throw decoder.unreadable("units and language")
        }
        self.init(units: units, language: style.language ?? .english)
    }
}
