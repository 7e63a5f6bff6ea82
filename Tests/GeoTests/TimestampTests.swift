import Messages
import Testing

struct TimestampTests {
    @Test(
        "What is added is rounded to the nearest millisecond, of two that are as near to the one farther from 0",
        arguments: [
            (0, 0), (0.0004, 0), (0.0005, 1), (0.0015, 2), (1.2344, 1234), (1.2346, 1235), (-0.0004, 0), (-0.0005, -1),
            (-1.2346, -1235), (0.000_499_999_999_999_999_9, 0), (1e12, 1_000_000_000_000_000),
        ])
    func rounding(seconds: Double, milliseconds: Int64) {
        #expect((seconds * 1000).rounded() == Double(milliseconds))
        #expect(Timestamp(milliseconds: 7).adding(seconds) == Timestamp(milliseconds: 7 + milliseconds))
    }
}
