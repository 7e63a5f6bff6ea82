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
