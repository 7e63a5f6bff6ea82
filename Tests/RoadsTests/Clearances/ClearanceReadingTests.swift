import Clearances
import Geo
import Roads
import Testing

@Suite("A height text is read rounded down to a centimetre, in decimal, or not at all")
struct ClearanceReadingTests {
    @Test(
        "metres",
        arguments: [
            ("4", 400), ("4.0", 400), ("4.00 m", 400), ("4m", 400), ("4.15", 415), ("4.35", 435), ("2.65", 265),
            ("4,1", 410), ("2,75 m", 275), ("2 mt", 200), ("3.9 mt", 390), ("410 cm", 410), ("410cm", 410),
            ("4 M", 400), ("4.1 Metres", 410), (" 3.8 ", 380), ("3.80\u{00A0}m", 380), ("04.0", 400),
            ("3.999", 399), ("3.9999999999", 399), ("4.109 m", 410), ("399.9 cm", 399),
        ])
    func metres(text: String, centimetres: Centimetres) {
        #expect(ClearanceReading(text) == .limit(centimetres))
    }

    @Test(
        "feet and inches",
        arguments: [
            ("13'6\"", 411), ("13' 6\"", 411), ("13'6", 411), ("13 ft 6 in", 411), ("13ft 6in", 411), ("13-6", 411),
            ("13′6″", 411), ("13'6''", 411), ("13’6”", 411), ("13 FT 6 IN", 411), ("13 feet 6 inches", 411),
            ("13'-6\"", 411), ("13'", 396), ("13 ft", 396), ("13.5 ft", 411), ("12'0\"", 365), ("9'10\"", 299),
            ("10'6\"", 320), ("6'10", 208), ("15'0\"", 457), ("16'3\"", 495), ("9'5\"", 287), ("6'3\"", 190),
            ("11'11.5\"", 364), ("7-0", 213), ("32'9\"", 998),
        ])
    func feetAndInches(text: String, centimetres: Centimetres) {
        #expect(ClearanceReading(text) == .limit(centimetres))
    }

    @Test(
        "inches with a fraction, rounded down from the exact value",
        arguments: [
            ("10' 6 1/2\"", 321), ("10'6½\"", 321), ("10'6 ½\"", 321), ("10 ft 6 1/2 in", 321), ("10'6-1/2\"", 321),
            ("10-6-1/2", 321), ("10-6 1/2", 321), ("10'6 1\u{2044}2\"", 321), ("10'6 1/2", 321),
            ("10 ft 6½ inches", 321),
            ("13'6-1/2\"", 412), ("13'6¼\"", 412), ("13'6⅛\"", 411), ("13'6¾\"", 413), ("13'6⅜\"", 412),
            ("13'6⅝\"", 413),
            ("13'6⅞\"", 413), ("9'10⅛\"", 300), ("9'10 1/16\"", 299), ("13'1/2\"", 397), ("13' ½\"", 397),
            ("13'-½\"", 397),
            ("10'6½\";4.0", 321), ("10'6 1/2\" @ (wet)", 321),
        ])
    func fractions(text: String, centimetres: Centimetres) {
        #expect(ClearanceReading(text) == .limit(centimetres))
    }

    @Test("every 64th of an inch from 4 to 30 feet is rounded down as exact arithmetic has it")
    func every64th() {
        for inches in 48..<360 {
            for part in 1..<64 {
                let limit = (inches * 64 + part) * 254 / 6400
                let text = "\(inches / 12)' \(inches % 12) \(part)/64\""
                #expect(ClearanceReading(text) == .limit(limit))
                let metres = LengthText.tenthMillimetres(text, rounding: .up) ?? 0
                #expect(metres == ((inches * 64 + part) * 254 + 63) / 64)
            }
        }
    }

    @Test(
        "a fraction that is none, or of something else than an inch, is unknown",
        arguments: [
            "4 1/2", "4½", "4½ m", "13½'", "13 1/2 ft", "13'6 2/2\"", "13'6 3/2\"", "13'6 0/2\"", "13'6 1/0\"",
            "13'6 1/65\"", "13'6.5 1/2\"", "13'6 1/\"", "13'6/2\"", "13'12 1/2\"", "13-1/2", "13-½", "13½'6\"",
        ])
    func improperFractions(text: String) {
        #expect(ClearanceReading(text) == .unknown)
    }

    @Test(
        "a statement holds only where every part of it can be read",
        arguments: [
            ("3.2", .limit(320)), ("10'6½\"", .limit(321)), ("3.3;4.2", .limit(330)), ("none|3.2", .limit(320)),
            ("4.2 @ (wet)", .limit(420)), ("none", .legalDefault), ("unsigned", .legalDefault), ("3.3;abc", nil),
            ("~3.2;4.2", nil), ("none;~3.2", nil), ("below_default", nil), ("10'6'", nil), ("320", nil), ("", nil),
            (";", nil),
            ("0.99", nil), ("10.01", nil),
        ] as [(String, ClearanceReading?)])
    func statements(text: String, reading: ClearanceReading?) {
        #expect(ClearanceReading(statement: text) == reading)
    }

    @Test(
        "a known limit is raised by a higher one, and lifted by none",
        arguments: [
            (.limit(320), .limit(321), 320), (.limit(320), .legalDefault, 320), (.limit(320), .unknown, 320),
            (.limit(320), .limit(320), nil), (.limit(320), .limit(319), nil), (.legalDefault, .limit(400), nil),
            (.unknown, .limit(400), nil),
        ] as [(ClearanceReading, ClearanceReading, Centimetres?)])
    func raised(known: ClearanceReading, new: ClearanceReading, was: Centimetres?) {
        #expect(known.limitRaised(by: new) == was)
    }

    @Test(
        "of a list, and of lanes, the lowest counts; what cannot be read does not hide what can",
        arguments: [
            ("3.3;4.2", 330), ("4.2;3.3", 330), ("none|3.2", 320), ("3.3|", 330), ("|3.3", 330), ("||3.3|4.0", 330),
            ("6'10\";2.08", 208), ("3.3 ; 4.2", 330), ("3.3;abc", 330), ("default;3.3", 330),
            ("below_default|3.3", 330),
        ])
    func lists(text: String, centimetres: Centimetres) {
        #expect(ClearanceReading(text) == .limit(centimetres))
    }

    @Test(
        "a condition is not judged: its height holds always, and a semicolon within its brackets parts nothing",
        arguments: [
            ("4.2 @ (Mo-Fr 07:00-09:00)", 420), ("4.2@(22:00-06:00)", 420), ("4.2 @ wet", 420),
            ("4.2 @ (Mo-Fr 07:00-09:00; Sa 3.0)", 420), ("4.2 @ (Mo; Tu); 3.9 @ (We; Th)", 390),
            ("none @ (Su); 3.9 @ (Mo-Sa)", 390), ("13'6\" @ (weight>7.5)", 411),
        ])
    func conditions(text: String, centimetres: Centimetres) {
        #expect(ClearanceReading(text) == .limit(centimetres))
    }

    @Test(
        "words for no sign mean the legal default",
        arguments: [
            "none", "no_sign", "no_indications", "unsigned", "default", "None", " default ", "none|default", "none;",
            "none @ (Su)",
        ])
    func words(text: String) {
        #expect(ClearanceReading(text) == .legalDefault)
    }

    @Test(
        "what cannot be read, or cannot be true, is unknown and never no limit",
        arguments: [
            "6\"4'", "16'12\"", "30", "60", "190", "410", "~4", "abc", "below_default", "", " ", ";", "|", "||",
            "@ (Su)",
            "0", "0.99", "0.999", "99 cm", "10.01", "1001 cm", "33'", "-4", "+4", "4.", ".5", "4..1", "4.1.2",
            "4.0-4.5",
            "3-4", "4 m 20", "4 km", "4 in", "6\"", "13''", "13'6\"\"", "13'6' ", "13'6.5.1\"", "13.5'6\"", "3.8, 4.0",
            "<4", ">4", "4?", "ca. 4", "4 0", "1 0", "3, 4", "4. 1", "3 2 ft", "1 2'", "yes", "no",
            "no_sign;below_default", "9999999",
            "99999999999999999999", "٤", "½", "none of it", "nonexistent",
        ])
    func unknown(text: String) {
        #expect(ClearanceReading(text) == .unknown)
    }

    @Test(
        "plausible from 1 m to 10 m, both included",
        arguments: [("1", 100), ("1.00 m", 100), ("10", 1000), ("1000 cm", 1000)])
    func plausible(text: String, centimetres: Centimetres) {
        #expect(ClearanceReading(text) == .limit(centimetres))
    }
}

@Suite("What a sign says of a text is its lowest height alone")
struct ClearanceSignTests {
    @Test(
        "of a list and of lanes the lowest, as it is written, without its condition",
        arguments: [
            ("none|3.2", "3.2"), ("3.3|", "3.3"), ("3.3;4.2", "3.3"), ("6'10\";2.08", "6'10\""), ("4.2 @ (hgv)", "4.2"),
            ("abc;3.4 m", "3.4 m"), ("10'6\"", "10'6\""), ("13 ft 6 in", "13 ft 6 in"),
        ])
    func lowest(text: String, sign: String) {
        #expect(ClearanceReading.sign(text) == sign)
    }

    @Test("where no height can be read, the text itself", arguments: ["none|default", "abc", "below_default", ""])
    func unreadable(text: String) {
        #expect(ClearanceReading.sign(text) == text)
    }
}

@Suite("A verdict is fits, too low or unknown")
struct VerdictTests {
    @Test(
        "too low is taller than the limit by a centimetre; the legal default says nothing about taller vehicles",
        arguments: [
            (.limit(411), 410, .fits), (.limit(411), 411, .fits), (.limit(411), 412, .tooLow),
            // A readable limit counts above and below the legal default alike.
            (.limit(450), 420, .fits), (.limit(450), 451, .tooLow),
            (.legalDefault, 399, .fits), (.legalDefault, 400, .fits), (.legalDefault, 401, .unknown),
            (.unknown, 100, .unknown), (.unknown, 400, .unknown), (.unknown, 600, .unknown),
        ] as [(ClearanceReading, Centimetres, Verdict)])
    func verdict(reading: ClearanceReading, height: Centimetres, verdict: Verdict) {
        #expect(reading.verdict(height: height, legalDefault: 400) == verdict)
    }

    @Test("the legal default can be set", arguments: [(411, Verdict.fits), (412, .unknown)])
    func legalDefault(height: Centimetres, verdict: Verdict) {
        #expect(ClearanceReading.legalDefault.verdict(height: height, legalDefault: 411) == verdict)
    }

    @Test(
        "merged: the lowest limit, else unknown, else the legal default; the order does not matter",
        arguments: [
            (.limit(320), .limit(411), .limit(320)), (.limit(320), .limit(320), .limit(320)),
            (.limit(320), .legalDefault, .limit(320)), (.limit(320), .unknown, .limit(320)),
            (.unknown, .legalDefault, .unknown), (.unknown, .unknown, .unknown),
            (.legalDefault, .legalDefault, .legalDefault),
        ] as [(ClearanceReading, ClearanceReading, ClearanceReading)])
    func merged(a: ClearanceReading, b: ClearanceReading, both: ClearanceReading) {
        #expect(a.merged(with: b) == both)
        #expect(b.merged(with: a) == both)
    }
}
