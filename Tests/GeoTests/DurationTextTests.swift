import Geo
import Testing

@Suite struct DurationTextTests {
    @Test(
        "Every unit is read in seconds",
        arguments: [
            ("250 ms", 0.25), ("10 s", 10), ("10s", 10), ("0.1 s", 0.1), ("1,5 h", 5400), ("90 min", 5400),
            ("24 h", 86_400), ("7 d", 604_800), ("30", 30), ("0 s", 0), ("1 H", 3600),
        ])
    func units(text: String, expected: Seconds) {
        #expect(DurationText.seconds(text) == expected)
    }

    @Test(
        "What is no duration is nil, never a guess",
        arguments: [
            "", "soon", "s", "-1 s", "1 m", "1/2 h", "1 1/2 h", "1½ h", "1 month", "1h30", "1 h 30 min", "1e3 s", "NaN",
            "1,000 s",
            "9999999999999999999 d", "999999999999999999 d",
        ])
    func unreadable(text: String) {
        #expect(DurationText.seconds(text) == nil)
    }
}
