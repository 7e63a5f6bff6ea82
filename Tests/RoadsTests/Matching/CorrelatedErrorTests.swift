import Foundation
import Geo
import Hashing
import Roads
import RoadsTestSupport
import Testing

/// What fixes say whose errors are alike, as a receiver's are within some seconds.
struct CorrelatedErrorTests {
    private static let fork = """
        a 0 0
        b 200 0
        c 1200 0
        d 250 15
        e 1200 15
        ab primary oneway=yes
        bc primary oneway=yes
        bde primary oneway=yes
        """

    @Test(
        "Behind a fork, fixes that are all off to one side decide nothing within some seconds, and do over minutes",
        arguments: [(1.0, false), (60.0, true)])
    func correlatedErrors(interval: Seconds, decides: Bool) throws {
        var drive = try MatchingDrive(Self.fork)
        for east in stride(from: 100.0, through: 500, by: 20) {
            drive.fix(east, 9, course: 90, accuracy: 7.5, after: interval)
        }
        #expect((drive.probability("be") > 0.95) == decides)
    }

    @Test(
        "A fix where reception was bad takes nothing from a road beside which a good one a second later lies",
        arguments: [(40.0, 20.0), (20, 15), (12, 20), (40, 30)] as [(Metres, Metres)])
    func correlatedErrorsOfBadFix(accuracy: Metres, off: Metres) throws {
        var drive = try MatchingDrive("a 0 0\nb 600 0\nc 0 25\nd 600 25\nab primary\ncd primary")
        drive.fix(100, -off, course: 90, accuracy: accuracy)
        drive.fix(115, 0, course: 90, after: 1)
        #expect(drive.best == "ab" && drive.certainty > 0.9)
    }

    @Test("At a fork, fixes a second apart tell the branch that is driven as soon as those that are far apart in time")
    func correlatedErrorsAtFork() throws {
        for interval in [1.0, 60] {
            var drive = try MatchingDrive("a 0 0\nb 200 0\nc 700 0\nd 700 180\nab primary\nbc primary\nbd primary")
            for east in stride(from: 100.0, through: 280, by: 10) {
                drive.fix(east, max(0, east - 200) * 0.36, course: east > 200 ? 70 : 90, after: interval)
            }
            #expect(drive.probability("bd") > 0.99, "every \(interval) s")
        }
    }
}
