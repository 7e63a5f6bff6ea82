import Fleet
import Foundation
import Hashing
import Messages
import Testing

@Suite("Weekly hours")
struct WeeklyHoursTests {
    @Test(
        "A week is read as OSM means it",
        arguments: [
            (
                "Mo-Fr 06:00-18:00; Sa 08:00-12:00",
                "closed, Mo 06:00, Mo 18:00, Tu 06:00, Tu 18:00, We 06:00, We 18:00, Th 06:00, Th 18:00, Fr 06:00, Fr 18:00, "
                    + "Sa 08:00, Sa 12:00"
            ),
            (
                "Mo,We 08:00-12:00,13:00-17:00",
                "closed, Mo 08:00, Mo 12:00, Mo 13:00, Mo 17:00, We 08:00, We 12:00, We 13:00, We 17:00"
            ),
            ("Fr-Mo", "open, Tu 00:00, Fr 00:00"),
            (
                "Sa-Mo,We 10:00-11:00",
                "closed, Mo 10:00, Mo 11:00, We 10:00, We 11:00, Sa 10:00, Sa 11:00, Su 10:00, Su 11:00"
            ),
            ("Fr 22:00-06:00", "closed, Fr 22:00, Sa 06:00"),
            ("Su 22:00-06:00", "open, Mo 06:00, Su 22:00"),
            ("Su 22:00-30:00", "open, Mo 06:00, Su 22:00"),
            ("Mo 08:00-08:00", "closed, Mo 08:00, Tu 08:00"),
            ("Mo 18:00-24:00; Tu 00:00-06:00", "closed, Mo 18:00, Tu 06:00"),
            ("Mo 18:00-00:00", "closed, Mo 18:00, Tu 00:00"),
            ("Mo 08:00-12:00,10:00-14:00", "closed, Mo 08:00, Mo 14:00"),
            ("24/7", "open"), ("00:00-24:00", "open"), ("Mo-Su", "open"), ("open", "open"),
            ("off", "closed"), ("24/7; Mo-Su closed", "closed"),
            ("24/7; Su off", "open, Su 00:00"),
            ("Mo off; Tu-Su 00:00-24:00", "closed, Tu 00:00"),
            // A later rule takes a day over; a comma adds.
            ("Mo 08:00-12:00; Mo 13:00-17:00", "closed, Mo 13:00, Mo 17:00"),
            ("Mo 08:00-12:00, Mo 13:00-17:00", "closed, Mo 08:00, Mo 12:00, Mo 13:00, Mo 17:00"),
            (
                "Mo-Tu 08:00-12:00, Tu-We 13:00-17:00",
                "closed, Mo 08:00, Mo 12:00, Tu 08:00, Tu 12:00, Tu 13:00, Tu 17:00, We 13:00, We 17:00"
            ),
            // What begins on Friday is Friday's.
            ("Fr 22:00-06:00; Sa off", "closed, Fr 22:00, Sa 06:00"),
            // Case and white space do not matter.
            ("  mO - TU  6:00\t-  7:00 ;; SA OFF ; ", "closed, Mo 06:00, Mo 07:00, Tu 06:00, Tu 07:00"),
        ] as [(String, String)])
    func reading(week: String, expected: String) throws {
        #expect(try Self.changes(WeeklyHours(zone: "UTC", week: week)) == expected)
    }

    @Test(
        "What is not understood is said by its piece",
        arguments: [
            ("PH off", "PH"), ("Mo-Fr 08:00-12:00; SH 10:00-11:00", "SH"), ("Mo-Fr,PH 08:00-12:00", "PH"),
            ("Jan-Mar 08:00-12:00", "Jan"), ("sunrise-sunset", "sunrise"), ("Mo sunrise-20:00", "sunrise"),
            ("Mo 08:00-sunset", "sunset"), ("Mo 08:00+", "08:00+"), ("Mo 10:00", "10:00"),
            ("Mo 08:00-12:00 \"ring twice\"", "\"ring twice\""), ("\"by appointment\"", "\"by appointment\""),
            ("\"unclosed", "\"unclosed"), ("2026 Mo 08:00-12:00", "2026"), ("week 1-10 08:00-12:00", "week"),
            ("Mo[1] 08:00-12:00", "["), ("Mon 08:00-12:00", "Mon"), ("Mo 24:00-25:00", "24:00"),
            ("Mo 08:60-12:00", "08:60"), ("Mo 08:00-48:01", "48:01"), ("Mo 8-12", "8"), ("Mo 08:0-12:00", "08:0"),
            ("Mo 08:00-12:00 off", "off"), ("Mo-Fr: 08:00-12:00", ":"), ("Mo 08:00-12:00 || off", "|"),
            ("Mo-", "Mo-"), ("Mo  08:00 - ", "Mo 08:00 -"), ("Mo,", "Mo,"), ("Mo 08:00-12:00,", "Mo 08:00-12:00,"),
            ("Mo 08:00-12:00, open", "open"), (",", ","), (", Mo", ","), ("Mo 08:00-12:00 unknown", "unknown"),
            ("Mo ٠٨:٠٠-12:00", "٠٨:٠٠"), ("24/8", "24/8"), ("Mo 08.00-12.00", "08"),
        ] as [(String, String)])
    func pieces(week: String, piece: String) {
        #expect(throws: WeeklyHoursError.notUnderstood(piece)) { try WeeklyHours(zone: "UTC", week: week) }
    }

    @Test("Nothing at all, too much, and a zone that does not exist are problems of their own")
    func otherProblems() {
        for week in ["", " ", " ; ;"] {
            #expect(throws: WeeklyHoursError.empty) { try WeeklyHours(zone: "UTC", week: week) }
        }
        let long = "off" + String(repeating: " ", count: 253)
        #expect(throws: Never.self) { try WeeklyHours(zone: "UTC", week: String(long.dropLast())) }
        #expect(throws: WeeklyHoursError.tooLong(characters: 256)) { try WeeklyHours(zone: "UTC", week: long) }
        for zone in ["America/Nowhere", "", "Detroit", "../etc/localtime"] {
            #expect(throws: WeeklyHoursError.unknownZone(zone)) { try WeeklyHours(zone: zone, week: "24/7") }
        }
        #expect("\(WeeklyHoursError.unknownZone("Detroit"))".hasPrefix("expected an IANA time zone"))
        #expect("\(WeeklyHoursError.unknownZone("Detroit"))".hasSuffix("got \"Detroit\""))
        #expect("\(WeeklyHoursError.notUnderstood("PH"))".hasPrefix("expected days and times"))
        #expect("\(WeeklyHoursError.notUnderstood("PH"))".hasSuffix("got \"PH\""))
    }

    @Test("They hold from the first minute on, and no more in the last")
    func borders() throws {
        let hours = try WeeklyHours(zone: "America/Detroit", week: "Mo 06:00-18:00")
        // Eastern Standard Time is five hours behind.
        for (time, isOpen) in [
            ("2026-11-16T10:59:59Z", false), ("2026-11-16T11:00:00Z", true), ("2026-11-16T22:59:59Z", true),
            ("2026-11-16T23:00:00Z", false), ("1960-11-21T11:00:00Z", true),
        ] {
            #expect(hours.isOpen(at: try Self.time(time)) == isOpen, "\(time)")
        }
        let begin = try Self.time("2026-11-16T11:00:00Z")
        #expect(hours.nextChange(after: Timestamp(milliseconds: begin.milliseconds - 1)) == begin)
        #expect(hours.nextChange(after: begin) == begin.adding(12 * 3600))
        #expect(hours.nextChange(after: begin.adding(12 * 3600)) == begin.adding(7 * 86_400))
    }

    @Test(
        "Where clocks are set, the clock on the wall counts",
        arguments: [
            // Detroit, 8 March 2026: 01:59 is followed by 03:00 (07:00Z).
            ("America/Detroit", "02:15-02:45", "2026-03-08T05:00:00Z", ["2026-03-09T06:15:00Z"]),
            (
                "America/Detroit", "Su 02:30-04:00", "2026-03-08T05:00:00Z",
                ["2026-03-08T07:00:00Z", "2026-03-08T08:00:00Z"]
            ),
            (
                "America/Detroit", "Su 01:00-02:30", "2026-03-08T05:00:00Z",
                ["2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z"]
            ),
            (
                "America/Detroit", "Su 01:00-02:00", "2026-03-08T05:00:00Z",
                ["2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z"]
            ),
            (
                "America/Detroit", "Sa 22:00-06:00", "2026-03-08T02:00:00Z",
                ["2026-03-08T03:00:00Z", "2026-03-08T10:00:00Z"]
            ),
            // Detroit, 1 November 2026: 01:59 is followed by 01:00 (06:00Z).
            (
                "America/Detroit", "Su 01:15-01:45", "2026-11-01T04:00:00Z",
                ["2026-11-01T05:15:00Z", "2026-11-01T05:45:00Z", "2026-11-01T06:15:00Z", "2026-11-01T06:45:00Z"]
            ),
            (
                "America/Detroit", "Su 01:30-02:30", "2026-11-01T04:00:00Z",
                ["2026-11-01T05:30:00Z", "2026-11-01T06:00:00Z", "2026-11-01T06:30:00Z", "2026-11-01T07:30:00Z"]
            ),
            (
                "America/Detroit", "Su 00:30-02:00", "2026-11-01T04:00:00Z",
                ["2026-11-01T04:30:00Z", "2026-11-01T07:00:00Z"]
            ),
            (
                "America/Detroit", "Sa 22:00-06:00", "2026-11-01T00:00:00Z",
                ["2026-11-01T02:00:00Z", "2026-11-01T11:00:00Z"]
            ),
            // Berlin, 29 March 2026: 01:59 is followed by 03:00 (01:00Z).
            ("Europe/Berlin", "02:15-02:45", "2026-03-29T00:00:00Z", ["2026-03-30T00:15:00Z"]),
            (
                "Europe/Berlin", "Su 02:30-04:00", "2026-03-29T00:00:00Z",
                ["2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"]
            ),
            // Berlin, 25 October 2026: 02:59 is followed by 02:00 (01:00Z).
            (
                "Europe/Berlin", "Su 02:15-02:45", "2026-10-24T23:00:00Z",
                ["2026-10-25T00:15:00Z", "2026-10-25T00:45:00Z", "2026-10-25T01:15:00Z", "2026-10-25T01:45:00Z"]
            ),
            (
                "Europe/Berlin", "Mo-Fr 06:00-18:00", "2026-10-23T17:00:00Z",
                ["2026-10-26T05:00:00Z", "2026-10-26T17:00:00Z"]
            ),
            // Caracas, 1 May 2016: set forward by half an hour, for good.
            (
                "America/Caracas", "Mo 06:00-18:00", "2016-04-30T00:00:00Z",
                ["2016-05-02T10:00:00Z", "2016-05-02T22:00:00Z"]
            ),
        ])
    func clocksAreSet(zone: String, week: String, from: String, expected: [String]) throws {
        let hours = try WeeklyHours(zone: zone, week: week)
        var time = try Self.time(from)
        let changes = try expected.map { _ in
            time = try #require(hours.nextChange(after: time))
            return time
        }
        #expect(try changes == expected.map(Self.time))
    }

    @Test("The next change is the first minute at which it is otherwise", arguments: 0..<60)
    func everyMinute(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func draw<Element>(_ choices: [Element]) -> Element { choices[random.index(below: choices.count)] }
        // Weekends on which clocks are set; on Lord Howe by half an hour.
        let (zone, start) = draw([
            ("America/Detroit", "2026-03-07T00:00:00Z"), ("America/Detroit", "2026-10-31T00:00:00Z"),
            ("Europe/Berlin", "2026-10-24T00:00:00Z"), ("Australia/Lord_Howe", "2026-04-04T00:00:00Z"),
            ("Asia/Kathmandu", "2026-01-01T00:00:00Z"),
        ])
        let rules = (0..<3).map { _ in
            let (begin, end) = (random.index(below: 96) * 15, random.index(below: 96) * 15)
            return draw(["Mo-Su ", "Sa-Su ", "Fr,Su "]) + Self.clock(begin) + "-" + Self.clock(end)
        }
        let week = rules.joined(separator: draw([", ", "; "]))
        let hours = try WeeklyHours(zone: zone, week: week)
        let begin = try Self.time(start)
        var next = hours.nextChange(after: begin)
        for minute in 1...(3 * 1440) {
            let (before, now) = (begin.adding(Double(minute - 1) * 60), begin.adding(Double(minute) * 60))
            guard hours.isOpen(at: before) != hours.isOpen(at: now) else { continue }
            #expect(next == now, "\(zone): \(week)")
            next = hours.nextChange(after: now)
        }
        if let next { #expect(next > begin.adding(3 * 86_400), "\(zone): \(week)") }
    }

    @Test("They are kept as zone and week, and are equal where both are")
    func coding() throws {
        let hours = try WeeklyHours(zone: "Europe/Berlin", week: "Mo-Fr 06:00-18:00")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let kept = try encoder.encode(hours)
        #expect(String(decoding: kept, as: UTF8.self) == #"{"week":"Mo-Fr 06:00-18:00","zone":"Europe/Berlin"}"#)
        let read = try JSONDecoder().decode(WeeklyHours.self, from: kept)
        #expect(read == hours)
        #expect(read.hashValue == hours.hashValue)
        #expect(try read.nextChange(after: Self.time("2026-11-21T00:00:00Z")) == Self.time("2026-11-23T05:00:00Z"))
        #expect(try hours != WeeklyHours(zone: "Europe/Paris", week: hours.week))
        #expect(try hours != WeeklyHours(zone: hours.zone, week: "Mo-Fr 06:00-19:00"))
        for bad in [#"{"week":"PH off","zone":"UTC"}"#, #"{"week":"24/7","zone":"Mars/Base"}"#, #"{"week":"24/7"}"#] {
            #expect(throws: (any Error).self) { try JSONDecoder().decode(WeeklyHours.self, from: Data(bad.utf8)) }
        }
    }

    /// Whether they hold on a Monday at 00:00 UTC, and every change before the next: days and times.
    private static func changes(_ hours: WeeklyHours) throws -> String {
        let monday = try time("2026-11-16T00:00:00Z")
        var texts = [hours.isOpen(at: monday) ? "open" : "closed"]
        var last = monday
        while let next = hours.nextChange(after: last), next.since(monday) < 7 * 86_400 {
            #expect(hours.isOpen(at: last) != hours.isOpen(at: next))
            texts.append(dayAndClock(Int(next.since(monday)) / 60))
            last = next
        }
        return texts.joined(separator: ", ")
    }

    private static func dayAndClock(_ minute: Int) -> String {
        ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"][minute / 1440] + " " + clock(minute % 1440)
    }

    private static func clock(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private static func time(_ text: String) throws -> Timestamp {
        Timestamp(milliseconds: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970) * 1000)
    }
}
