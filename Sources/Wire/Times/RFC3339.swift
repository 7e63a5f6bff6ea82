package import Messages

/// Times as RFC 3339 writes them.
package enum RFC3339 {
    /// What four digits of year can say.
    static let range = Timestamp(milliseconds: -62_167_219_200_000)...Timestamp(milliseconds: 253_402_300_799_999)

    /// In UTC with milliseconds: `2026-11-21T14:03:22.500Z`. Times beyond the years 0 to 9999 are written as the
    /// nearest within.
    package static func text(_ time: Timestamp) -> String {
        let milliseconds = Int(min(max(time, range.lowerBound), range.upperBound).milliseconds)
        let days = (milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000
        let date = CivilDate(daysSinceEpoch: days)
        let rest = milliseconds - days * 86_400_000
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func add(_ value: Int, digits: Int, _ mark: Unicode.Scalar) {
            var divisor = (1..<digits).reduce(1) { power, _ in power * 10 }
            while divisor > 0 {
                text.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
                divisor /= 10
            }
            text.append(UInt8(ascii: mark))
        }
        add(date.year, digits: 4, "-")
        add(date.month, digits: 2, "-")
        add(date.day, digits: 2, "T")
        add(rest / 3_600_000, digits: 2, ":")
        add(rest / 60_000 % 60, digits: 2, ":")
        add(rest / 1000 % 60, digits: 2, ".")
        add(rest % 1000, digits: 3, "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil where `text` is no time. Any offset, no fraction or up to nine digits of one (what is finer than a
    /// millisecond is cut off), `t` and `z`, a space for the `T`, and a leap second, which is the next day's first.
    package static func timestamp(_ text: String) -> Timestamp? {
        var text = text
        return text.withUTF8 { timestamp(UnsafeRawBufferPointer($0)) }
    }

    /// - Parameter offsetNeedsColon: ISO 8601 has offsets without one, `+0000`; RFC 3339 has not.
    static func timestamp(_ text: UnsafeRawBufferPointer, offsetNeedsColon: Bool = true) -> Timestamp? {
        var scanner = TimeScanner(text, offsetNeedsColon: offsetNeedsColon)
        guard let days = scanner.date(), scanner.takes("T", "t", " "), let clock = scanner.clock(),
            let fraction = scanner.milliseconds(), let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let seconds = days * 86_400 + clock.seconds - offset
        if clock.isLeapSecond, seconds % 86_400 != 0 { return nil }
        let time = Timestamp(milliseconds: Int64(seconds * 1000 + fraction))
        return range.contains(time) ? time : nil
    }
}

/// Takes a time apart from left to right; nil where what stands there is something else.
private struct TimeScanner {
    private let text: UnsafeRawBufferPointer
    private let offsetNeedsColon: Bool
    private var position = 0

    init(_ text: UnsafeRawBufferPointer, offsetNeedsColon: Bool) {
        self.text = text
        self.offsetNeedsColon = offsetNeedsColon
    }

    var isAtEnd: Bool { position == text.count }

    /// Days since 1970-01-01.
    mutating func date() -> Int? {
        guard let year = digits(4), takes("-"), let month = digits(2), takes("-"), let day = digits(2) else {
            return nil
        }
        return CivilDate(year: year, month: month, day: day)?.daysSinceEpoch
    }

    mutating func clock() -> (seconds: Int, isLeapSecond: Bool)? {
        guard let hour = digits(2), takes(":"), let minute = digits(2), takes(":"), let second = digits(2),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return (hour * 3600 + minute * 60 + second, second == 60)
    }

    /// 0 where there is no fraction.
    mutating func milliseconds() -> Int? {
        guard takes(".") else { return 0 }
        var count = 0
        var fraction = 0
        while let digit = digits(1) {
            if count < 3 { fraction = fraction * 10 + digit }
            count += 1
        }
        guard (1...9).contains(count) else { return nil }
        return (count..<max(count, 3)).reduce(fraction) { value, _ in value * 10 }
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
        if takes("Z", "z") { return 0 }
        let isEast = takes("+")
        guard isEast || takes("-"), let hours = digits(2), takes(":") || !offsetNeedsColon, let minutes = digits(2),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isEast ? 1 : -1)
    }

    mutating func takes(_ choices: Unicode.Scalar...) -> Bool {
        guard position < text.count, choices.contains(Unicode.Scalar(text[position])) else { return false }
        position += 1
        return true
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard position + count <= text.count else { return nil }
        var value = 0
        for byte in text[position..<position + count] {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        position += count
        return value
    }
}
