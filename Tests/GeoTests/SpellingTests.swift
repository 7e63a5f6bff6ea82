import Testing

@testable import Geo

struct SpellingTests {
    @Test(arguments: [
        ("ab", "ab", 0), ("ab", "ba", 1), ("distance", "distanse", 1), ("", "abc", 3), ("notice", "notcie", 1),
        ("kitten", "sitting", 3),
    ])
    func aSwapOfNeighboursIsOneMistake(a: String, b: String, distance: Int) {
        #expect(Spelling.distance(Array(a), Array(b)) == distance)
    }

    @Test("Unknown members are listed with what was meant; ten of them, and none longer than a line")
    func unknown() {
        let known = ["dwell", "hours", "radius"]
        #expect(Spelling.unknown(["dwel", "radius", "colour"], known: known) == ["colour", "dwel (dwell?)"])
        #expect(Spelling.unknown([], known: known) == [])
        let many = Spelling.unknown((10..<40).map { "x\($0)" }, known: known)
        #expect(many.count == 11 && many.first == "x10" && many.last == "20 more")
        let long = Spelling.unknown([String(repeating: "a", count: 10_000)], known: known)
        #expect(long == [String(repeating: "a", count: 64) + "…"])
    }
}
