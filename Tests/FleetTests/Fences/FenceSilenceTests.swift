import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Trucks whose devices fall silent at a border.
struct FenceSilenceTests {
    /// Up to a place at 10 m/s, and a fix or two there; then nothing.
    private func silent(at end: Metres, from start: Metres = -300, accuracy: Metres = 20) -> Dispatcher {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence("yard") { $0.dwell = 3600 }])
        let seconds = (end - start).magnitude / 10
        for time in stride(from: 0, through: seconds, by: 1) {
            dispatcher.fix(Yard.fix(start + (end > start ? 10 : -10) * time, at: time, accuracy: accuracy))
        }
        dispatcher.fix(Yard.fix(end, at: seconds + 2, accuracy: accuracy))
        return dispatcher
    }

    @Test("One that stopped inside by less than its accuracy is told to have entered, after five minutes, and dwells")
    func inside() throws {
        let dispatcher = silent(at: 9)
        dispatcher.tick(300)
        #expect(dispatcher.fenceLog == [])
        dispatcher.tick(8_000)
        #expect(dispatcher.fenceLog == ["30 enter yard", "3630 dwell yard"])
        let enter = try #require(dispatcher.events.first)
        #expect(enter.isInterpolated && enter.time.since(dispatcher.kept!.lastFix!.time) == 300)
        #expect(dispatcher.states.last?.fences.map(\.fence) == ["yard"])
    }

    @Test("One that stopped outside by less than its accuracy is told to have left")
    func outside() {
        let dispatcher = silent(at: -9, from: 200)
        dispatcher.tick(8_000)
        #expect(dispatcher.fenceLog == ["0 determined yard", "20 exit yard"])
    }

    @Test("One that stopped on its own side is told nothing", arguments: [(-9.0, -300.0, 0), (9, 200, 1)])
    func ownSide(end: Metres, start: Metres, determined: Int) {
        let dispatcher = silent(at: end, from: start)
        dispatcher.tick(3_000)
        #expect(dispatcher.events.map(\.event) == Array(repeating: .determined, count: determined))
    }

    @Test("When it is heard again where it was, nothing more is told")
    func heardAgain() {
        let dispatcher = silent(at: 9)
        dispatcher.tick(400)
        for time in stride(from: 1000.0, through: 3000, by: 10) {
            dispatcher.fix(Yard.fix(9 + 5 * (time / 10).truncatingRemainder(dividingBy: 3) - 5, at: time, accuracy: 20))
        }
        #expect(dispatcher.fenceLog == ["30 enter yard"])
    }

    @Test("A parked truck that reports every ten minutes does not change sides by its silences")
    func rare() {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for count in 0..<48 {
            dispatcher.fix(Yard.fix(count.isMultiple(of: 2) ? -6 : 5, at: Seconds(count) * 600, accuracy: 15))
            dispatcher.tick(Seconds(count) * 600 + 599)
        }
        #expect(dispatcher.events.isEmpty)
    }

    @Test("A dwell that was told in a silence is taken back by the exit that came before it was due")
    func retracted() throws {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence("yard") { $0.dwell = 300 }])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(1000)
        #expect(dispatcher.fenceLog == ["0 determined yard", "300 dwell yard"])
        dispatcher.tell(.location(Yard.drive(from: 200, to: 3000, every: 10, at: 100)), at: 1001)
        dispatcher.tick(1100)
        #expect(dispatcher.fenceLog.dropFirst(2) == ["120 exit yard"])
        #expect(dispatcher.states.last?.fences == [])
        let exit = try #require(dispatcher.events.last)
        #expect(exit.event == .exit && exit.isDwellRetracted && exit.crossedAt.since(.at(120)).magnitude < 1)
    }

    @Test("An exit after a dwell that was right takes nothing back")
    func notRetracted() throws {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence("yard") { $0.dwell = 300 }])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(1000)
        dispatcher.tell(.location(Yard.drive(from: 200, to: 3000, every: 10, at: 400)), at: 1001)
        dispatcher.tick(1100)
        #expect(dispatcher.events.map(\.event) == [.determined, .dwell, .exit])
        #expect(dispatcher.events.allSatisfy { !$0.isDwellRetracted })
    }
}
