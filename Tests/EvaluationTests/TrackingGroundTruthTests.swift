import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Evaluation
@testable import Fleet

/// How what was said is held against what happened.
struct TrackingGroundTruthTests {
    private func comparison(_ truth: [(String, Seconds)], _ said: [(String, Seconds)]) -> GroundTruthComparison {
        GroundTruthComparison(
            truth: truth.map { GroundTruthEvent(.fence, $0.0, at: .at($0.1)) },
            said: said.map { GroundTruthEvent(.fence, $0.0, at: .at($0.1)) })
    }

    @Test("The same at another time is late or early; something else is missed, and unfounded")
    func kinds() {
        let it = comparison(
            [("enter a", 10), ("exit a", 50), ("enter b", 90)], [("enter a", 14), ("exit a", 49), ("enter c", 90)])
        #expect(it.delays == [4, -1])
        #expect(it.missed.map(\.what) == ["enter b"])
        #expect(it.unfounded.map(\.what) == ["enter c"])
    }

    @Test(
        "What happens several times is paired in order, as often and as near as can be",
        arguments: [
            ([100, 900], [905], [5]), ([100, 900], [103], [3]), ([100], [80, 101, 300], [1]),
            ([100, 200, 300], [205, 290], [5, -10]), ([100, 200], [150, 160], [50, -40]),
            ([100, 110, 500], [111, 112, 113, 502], [11, 2, 2]), ([], [5], []), ([5], [], []),
        ] as [([Seconds], [Seconds], [Seconds])])
    func several(truth: [Seconds], said: [Seconds], delays: [Seconds]) {
        let it = comparison(truth.map { ("enter a", $0) }, said.map { ("enter a", $0) })
        #expect(it.delays == delays)
        #expect(it.missed.count == truth.count - delays.count)
        #expect(it.unfounded.count == said.count - delays.count)
    }

    @Test("More than a second is late, more than ten very late; earlier is neither; the median and the worst are told")
    func tally() {
        let times: [Seconds] = [0, 1000, 2000, 3000, 4000]
        let delays: [Seconds] = [-30, 1, 1.5, 10, 11]
        let tally = EventTally(
            comparison(times.map { ("enter a", $0) }, zip(times, delays).map { ("enter a", $0 + $1) }), number: 7)
        #expect([tally.happened, tally.missed, tally.late, tally.veryLate] == [5, 0, 3, 1])
        #expect(tally.medianDelay == 1.5)
        #expect(tally.worstDelay == 11)
        #expect(tally.missedOn.isEmpty)
    }

    @Test("Where a vehicle is at first is nothing that happens to it")
    func determined() {
        let message = FenceEventMessage(
            id: "", event: .determined, state: .inside, fence: "a", fenceName: nil, time: .at(0),
            position: Drawing.place(0, 0), crossedAt: .at(0))
        #expect(GroundTruthEvent(.event(message)) == nil)
    }

    @Test("Stages of alerts and fence events are counted apart, and trips with misses are named in order")
    func sums() {
        let missed = EventTally(comparison([("enter a", 0)], []), number: 9)
        let told = EventTally(comparison([("enter a", 0)], [("enter a", 3)]), number: 4)
        var sum = EventTally(comparison([("exit a", 0)], []), number: 2)
        for tally in [told, missed, missed] { sum += tally }
        #expect([sum.happened, sum.missed, sum.late] == [4, 3, 1])
        #expect(sum.delays == [3])
        #expect(sum.missedOn == [2, 9])
    }
}
