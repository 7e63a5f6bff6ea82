import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// How often a device is taken to report.
struct ReportIntervalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The oldest first.
        var gaps: [Seconds]
        var interval: Seconds
    }

    static let cases = [
        Case(testDescription: "No gap yet: as set", gaps: [], interval: 10),
        Case(testDescription: "One gap: that one", gaps: [45], interval: 45),
        Case(testDescription: "Two gaps: the larger, whichever comes first", gaps: [45, 1], interval: 45),
        Case(testDescription: "A silence of 80 s among seconds is no interval", gaps: [1, 1, 1, 80], interval: 1),
        Case(testDescription: "Nor is it once it lies behind", gaps: [1, 80, 1, 1], interval: 1),
        Case(testDescription: "Two silences in four are one", gaps: [1, 80, 1, 80], interval: 60),
        Case(
            testDescription: "A device that reports rarely from now on: at its second gap", gaps: [10, 10, 40, 40],
            interval: 40),
        Case(testDescription: "One short gap shortens nothing", gaps: [30, 30, 30, 1], interval: 30),
        Case(testDescription: "Nor do two", gaps: [30, 30, 1, 1], interval: 30),
        Case(testDescription: "More often from now on: at the third", gaps: [30, 30, 1, 1, 1], interval: 1),
        Case(testDescription: "No more than a minute", gaps: [600, 600, 600], interval: 60),
        Case(testDescription: "No less than a second", gaps: [0.2, 0.2, 0.2], interval: 1),
    ]

    @Test("The second largest of the last four gaps", arguments: cases)
    func interval(_ timeline: Case) throws {
        let dispatcher = Dispatcher(nil)
        var clock: Seconds = 0
        dispatcher.fix(Yard.fix(0, at: 0))
        for gap in timeline.gaps {
            clock += gap
            dispatcher.fix(Yard.fix(clock, at: clock))
        }
        #expect(try #require(dispatcher.kept).reportInterval(EngineSettings()) == timeline.interval)
    }

    struct Uploads: CustomTestStringConvertible, Sendable {
        struct Upload: Sendable {
            /// When its fixes were taken.
            var taken: [Seconds]
            var received: Seconds
        }

        var testDescription: String
        var uploads: [Upload]
        var interval: Seconds

        /// - Parameters:
        ///   - uploads: when the fixes of each were taken.
        ///   - received: when those came that did not come half a second after their newest fix.
        init(_ description: String, _ uploads: [[Seconds]], _ interval: Seconds, received: [Int: Seconds] = [:]) {
            testDescription = description
            self.uploads = uploads.enumerated().map { index, taken in
                Upload(taken: taken, received: received[index] ?? taken[taken.count - 1] + 0.5)
            }
            self.interval = interval
        }
    }

    private static func fixes(every step: Seconds, from start: Seconds, _ count: Int) -> [Seconds] {
        (0..<count).map { start + Seconds($0) * step }
    }

    private static let minutes: [[Seconds]] = (0..<3).map { fixes(every: 10, from: 60 * Seconds($0), 6) }
    /// Behind those, one by one.
    private static let rest: [[Seconds]] = [[180], [190], [200]]
    private static let pairs: [[Seconds]] = (0..<20).map { fixes(every: 10, from: 20 * Seconds($0), 2) }
    private static let pause: [[Seconds]] = [[3_700, 3_710]]
    private static let seconds: [[Seconds]] = (0..<5).map { [Seconds($0)] }
    /// Behind those, all at once.
    private static let buffered: [[Seconds]] = [fixes(every: 1, from: 5, 80)]
    private static let pieces: [[Seconds]] = (0..<3).map { fixes(every: 1, from: 5 + 256 * Seconds($0), 256) }

    static let uploads: [Uploads] = [
        Uploads("Of the first upload as between its fixes", Array(minutes.prefix(1)), 10),
        Uploads("Six fixes once a minute: a minute, at the second upload", Array(minutes.prefix(2)), 60),
        Uploads("Two fixes at a time: their two gaps", pairs, 20),
        Uploads("Fixes one by one again: not yet at the second", minutes + rest.dropLast(), 60),
        Uploads("They are as far apart as ever at the third", minutes + rest, 10),
        Uploads("One upload of what was buffered for 80 s among seconds is no interval", seconds + buffered, 1),
        Uploads(
            "Nor is one that is handled in three pieces", seconds + pieces, 1, received: [5: 773, 6: 773, 7: 773]),
        Uploads("A pause is none", pairs + pause, 20),
        Uploads(
            "What could not arrive for five minutes, and comes at once, is as far apart as it was sent", pairs, 20,
            received: Dictionary(uniqueKeysWithValues: (5..<20).map { ($0, 400) })),
    ]

    @Test("As between uploads, where these bring several fixes", arguments: uploads)
    func betweenUploads(_ timeline: Uploads) throws {
        let dispatcher = Dispatcher(nil)
        for upload in timeline.uploads {
            dispatcher.tell(.location(upload.taken.map { Yard.fix($0, at: $0) }), at: upload.received)
        }
        #expect(try #require(dispatcher.kept).reportInterval(EngineSettings()) == timeline.interval)
    }

    @Test("One silence neither ends a quiet circle nor keeps the next from being found")
    func quietCircle() throws {
        var settings = EngineSettings()
        settings.fixes.reportInterval = 1
        let dispatcher = Dispatcher(nil, settings: settings)
        for second in 0..<10 { dispatcher.fix(Yard.fix(Double(second), at: Double(second))) }
        try #require(dispatcher.kept?.quiet.quiet != nil)
        dispatcher.fix(Yard.fix(89, at: 89))
        #expect(dispatcher.kept?.quiet.quiet != nil)
    }
}
