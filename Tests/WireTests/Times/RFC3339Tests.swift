import Fleet
import Messages
import Testing

@testable import Wire

@Suite struct RFC3339Tests {
    @Test(
        "Times are read with any offset and up to nine decimals",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1),
            ("2026-11-21T14:03:22.500Z", 1_795_269_802_500),
            ("2026-11-21T14:03:22.5Z", 1_795_269_802_500), ("2026-11-21t14:03:22z", 1_795_269_802_000),
            ("2026-11-21 14:03:22Z", 1_795_269_802_000), ("2026-11-21T09:03:22-05:00", 1_795_269_802_000),
            ("2026-11-21T19:33:22+05:30", 1_795_269_802_000), ("2026-11-21T14:03:22-00:00", 1_795_269_802_000),
            ("2026-11-21T14:03:22.123456789Z", 1_795_269_802_123), ("2026-11-21T14:03:22.9999Z", 1_795_269_802_999),
            ("2026-11-21T14:03:22.05Z", 1_795_269_802_050), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2024-02-29T12:00:00Z", 1_709_208_000_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("2017-01-01T05:29:60+05:30", 1_483_228_800_000),
        ])
    func read(text: String, milliseconds: Int64) {
        #expect(RFC3339.timestamp(text) == Timestamp(milliseconds: milliseconds))
    }

    @Test(
        "What is no time is nil",
        arguments: [
            "", "now", "2026-11-21", "2026-11-21T14:03Z", "2026-11-21T14:03:22", "2026-11-21T14:03:22.Z",
            "2026-11-21T14:03:22.1234567890Z", "2026-11-21T14:03:22,5Z", "2026-11-21T24:00:00Z", "2026-11-21T14:60:00Z",
            "2026-11-21T14:03:61Z", "2026-11-21T14:03:60Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-11-31T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-11-21T14:03:22+0530",
            "2026-11-21T14:03:22+24:00", "2026-11-21T14:03:22+05:60", "2026-11-21T14:03:22ZZ", " 2026-11-21T14:03:22Z",
            "26-11-21T14:03:22Z", "+2026-11-21T14:03:22Z", "2026/11/21T14:03:22Z", "0000-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00", "２026-11-21T14:03:22Z",
        ])
    func unreadable(text: String) {
        #expect(RFC3339.timestamp(text) == nil)
    }

    @Test(
        "Times are written in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_007, "2000-02-29T00:00:00.007Z"),
            (1_795_269_802_500, "2026-11-21T14:03:22.500Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        ])
    func write(milliseconds: Int64, expected: String) {
        #expect(RFC3339.text(Timestamp(milliseconds: milliseconds)) == expected)
    }

    @Test("Times beyond four digits of year are written as the nearest within")
    func beyond() {
        #expect(RFC3339.text(Timestamp(milliseconds: .max)) == "9999-12-31T23:59:59.999Z")
        #expect(RFC3339.text(Timestamp(milliseconds: .min)) == "0000-01-01T00:00:00.000Z")
    }

    @Test("Every day of 800 years is the one after the day before it")
    func calendar() throws {
        var date = CivilDate(daysSinceEpoch: -146_097)
        #expect(date == CivilDate(year: 1570, month: 1, day: 1))
        for days in -146_097 + 1...146_097 {
            let next = CivilDate(daysSinceEpoch: days)
            let following =
                CivilDate(year: date.year, month: date.month, day: date.day + 1)
                ?? CivilDate(year: date.year, month: date.month + 1, day: 1)
                ?? CivilDate(year: date.year + 1, month: 1, day: 1)
            try #require(next == following)
            try #require(next.daysSinceEpoch == days)
            date = next
        }
        #expect(date == CivilDate(year: 2370, month: 1, day: 1))
    }

    @Test(
        "A year divisible by 100 is a leap year only where it is by 400",
        arguments: [(1900, 28), (2000, 29), (2024, 29), (2026, 28), (2100, 28)])
    func leapYears(year: Int, days: Int) {
        #expect(CivilDate.days(inMonth: 2, of: year) == days)
    }
}
