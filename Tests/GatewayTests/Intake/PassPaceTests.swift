import Testing

@testable import Gateway

/// How many messages one pass takes.
struct PassPaceTests {
    /// After passes that take as many as they may, at so much time for each.
    private func settled(secondsEach: Double, from pace: PassPace = PassPace()) -> PassPace {
        var pace = pace
        for _ in 0..<20 { pace.note(pace.messagesMax, took: Double(pace.messagesMax) * secondsEach) }
        return pace
    }

    @Test(
        "A pass takes what 200 ms are enough for, within limits",
        arguments: [(0.000_002, 4_096), (0.000_1, 2_000), (0.000_25, 800), (0.01, 512)])
    func settles(secondsEach: Double, expected: Int) {
        #expect((settled(secondsEach: secondsEach).messagesMax - expected).magnitude <= 1)
    }

    @Test("One slow pass is followed by a short one, and short ones by twice as many at most")
    func adapts() {
        var pace = settled(secondsEach: 0.000_002)
        pace.note(4_096, took: 1.2)
        #expect(pace.messagesMax == 682)
        pace.note(682, took: 0.001)
        #expect(pace.messagesMax == 1_364)
    }

    @Test(
        "Where a turn has enough with fewer, the next passes take so few, and twice as many once they are taken whole")
    func splits() {
        var pace = settled(secondsEach: 0.000_1)
        pace.noteSplit(40)
        #expect(pace.messagesMax == 40)
        pace.noteSplit(3)
        #expect(pace.messagesMax == 16)
        pace.note(5, took: 0.1)
        #expect(pace.messagesMax == 16)
        var limits: [Int] = []
        for _ in 0..<6 {
            pace.note(pace.messagesMax, took: 0.01)
            limits.append(pace.messagesMax)
        }
        #expect(limits == [32, 64, 128, 256, 512, 1_024])
    }

    @Test("A turn that takes longer than 200 ms is followed by one that takes less in, and short ones by more again")
    func shares() {
        var pace = PassPace()
        pace.noteTurn(took: 0.8)
        #expect(pace.share == 0.25)
        pace.noteTurn(took: 80)
        #expect(pace.share == 0.05)
        for _ in 0..<20 { pace.noteTurn(took: 0.1) }
        #expect(pace.share == 1)
    }

    @Test("A pass with few messages says nothing")
    func few() {
        var pace = PassPace()
        pace.note(0, took: 1)
        pace.note(5, took: 1)
        #expect(pace.messagesMax == PassPace().messagesMax)
    }
}
