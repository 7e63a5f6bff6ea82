import Geo
import Testing

@Suite struct LengthTextTests {
    @Test(
        "Every unit is read exactly, in tenths of a millimetre",
        arguments: [
            ("4", 40_000), ("4.0", 40_000), ("4.11 m", 41_100), ("4.35m", 43_500), ("411 cm", 41_100),
            ("4110 mm", 41_100), ("30 km", 300_000_000), ("1 mi", 16_093_440), ("1 yd", 9144), ("3 in", 762),
            ("3\"", 762), ("13 ft", 39_624), ("13'", 39_624), ("13.5 ft", 41_148), ("0.5 in", 127), ("0 m", 0),
            ("4,1 m", 41_000), ("2,75 m", 27_500), ("  4.11\u{00A0}M ", 41_100), ("1 MI", 16_093_440),
            ("3.9 mt", 39_000), ("4.11 metres", 41_100), ("4.11 Meters", 41_100), ("13.5 feet", 41_148),
            ("3 inches", 762),
            ("13-6½", 41_275), ("7-0", 21_336), ("-3 m", -30_000), ("\u{2212}3 m", -30_000),
        ])
    func units(text: String, expected: Int) {
        #expect(LengthText.tenthMillimetres(text) == expected)
    }

    @Test(
        "Feet and inches in every spelling are one length",
        arguments: [
            "13'6\"", "13' 6\"", "13'6", "13' 6", "13 ft 6 in", "13ft6in", "13ft 6in", "13 FT 6 IN",
            "13\u{2032}6\u{2033}", "13\u{2019}6\u{201D}", "13\u{2019} 6", "13'6''", "13\u{2032}6\u{2032}\u{2032}",
            "13 ft 6\"", "13' 6 in", "13'-6\"", "13' - 6\"", "13-6", "13 - 6", "13 feet 6 inches", "13 foot 6 inch",
            "13.5'", "162 in", "162\"",
        ])
    func feetAndInches(text: String) {
        #expect(LengthText.tenthMillimetres(text) == 41_148)
    }

    @Test("Inches may have decimals where feet may not")
    func decimalInches() {
        #expect(LengthText.tenthMillimetres("13'6.5\"") == 41_275)
        #expect(LengthText.tenthMillimetres("13.5'6\"") == nil)
    }

    @Test(
        "Inches may have a fraction, in every spelling, and it is exact",
        arguments: [
            "10' 6 1/2\"", "10'6½\"", "10'6 ½\"", "10 ft 6 1/2 in", "10ft 6½in", "10'6-1/2\"", "10' 6-1/2\"",
            "10'6 1/2",
            "10'6.5\"", "10' 6 2/4\"", "126 1/2 in", "126½\"", "126-32/64 in", "10'6 1\u{2044}2\"", "10′ 6½″",
        ])
    func fractions(text: String) {
        #expect(LengthText.tenthMillimetres(text, rounding: .down) == 32_131)
        #expect(LengthText.tenthMillimetres(text, rounding: .up) == 32_131)
    }

    @Test(
        "A fraction goes the way that was asked for, in integers",
        arguments: [
            ("13'6 1/8\"", 41_179, 41_180), ("13'6⅛\"", 41_179, 41_180), ("13'6¼\"", 41_211, 41_212),
            ("13'6¾\"", 41_338, 41_339), ("13'6⅜\"", 41_243, 41_244), ("13'6⅝\"", 41_306, 41_307),
            ("13'6⅞\"", 41_370, 41_371), ("13'6⅓\"", 41_232, 41_233), ("10'1/2\"", 30_607, 30_607),
            ("1/2 in", 127, 127), ("½\"", 127, 127), ("3 1/64 in", 765, 766), ("-3 1/64 in", -766, -765),
        ])
    func fractionRounding(text: String, down: Int, up: Int) {
        #expect(LengthText.tenthMillimetres(text, rounding: .down) == down)
        #expect(LengthText.tenthMillimetres(text, rounding: .up) == up)
    }

    @Test(
        "Only inches have fractions, and only proper ones",
        arguments: [
            "4 1/2", "4½", "4½ m", "1/2", "½", "1/2 m", "½ mi", "13½'", "13 1/2 ft", "13½'6\"", "13'6 2/2\"",
            "13'6 3/2\"",
            "13'6 0/2\"", "13'6 1/0\"", "13'6 1/65\"", "13'6 1/100\"", "13'6.5 1/2\"", "13'6 1/2 1/2\"",
            "13'11 12/12\"",
            "13'12 1/2\"", "13'6 /2\"", "13'6 1/\"", "13'6 1/2/2\"", "13'6--1/2\"", "13'½½\"",
        ])
    func improperFractions(text: String) {
        #expect(LengthText.tenthMillimetres(text) == nil)
    }

    @Test(
        "What is no length is nil, never a guess",
        arguments: [
            "", " ", "tall", "m", "NaN", "inf", "1e3", "1e3 m", "4.", ".5 m", "4..1", "4.1.1", "4 m 11 cm", "6\"4'",
            "16'12\"", "13 ft 6", "3-4", "13-12", "13-6 m", "13-½", "13-1/2", "13--6", "13-6-1", "4 m - 11 cm", "+4 m",
            "--4 m", "4 m m", "4 furlongs", "4 / 2", "1,609 m", "13,500 mm",
            "13'6'", "13'6\"2", "١٣ m", "9999999999999999999 m", "99999999999999999 km",
            "0.0000000000000000001 m", String(repeating: "4", count: 65), "- 4 m", "4 m\u{0}",
        ])
    func unreadable(text: String) {
        #expect(LengthText.tenthMillimetres(text) == nil)
        #expect(LengthText.metres(text) == nil)
    }

    @Test("What is finer than a tenth of a millimetre goes the way that was asked for")
    func rounding() {
        #expect(LengthText.tenthMillimetres("4.11001 m", rounding: .down) == 41_100)
        #expect(LengthText.tenthMillimetres("4.11001 m", rounding: .nearest) == 41_100)
        #expect(LengthText.tenthMillimetres("4.11001 m", rounding: .up) == 41_101)
        #expect(LengthText.tenthMillimetres("4.11005 m") == 41_101)
        #expect(LengthText.tenthMillimetres("4.11 m", rounding: .up) == 41_100)
        #expect(LengthText.tenthMillimetres("-4.11001 m", rounding: .up) == -41_100)
        #expect(LengthText.tenthMillimetres("-4.11001 m", rounding: .down) == -41_101)
    }

    @Test(
        "Metres are the Double nearest to the text", arguments: [("1 mi", 1609.344), ("3 in", 0.0762), ("4.35", 4.35)])
    func metres(text: String, expected: Metres) {
        #expect(LengthText.metres(text) == expected)
    }
}
