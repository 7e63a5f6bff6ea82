import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// Visits of whole days that are drawn: what holds whatever a vehicle does.
struct VisitDayTests {
    @Test("Kept and read after every fix, it says the same", arguments: 1...8)
    func restarts(seed: UInt64) throws {
        let timeline = Self.errands(seed: seed)
        var tracker = VisitTracker()
        var messages: [VisitMessage] = []
        for (fix, fences) in timeline.fixes {
            messages += tracker.advance(
                to: fix, vehicle: VisitTimeline.vehicle, fences: fences, timeline.settings)
            tracker = try tracker.roundTripped()
        }
        #expect(messages == timeline.messages)
        #expect(messages.count > 4)
    }

    @Test(
        "Arrivals and departures alternate, in time, and each departure closes the arrival before it", arguments: 1...20
    )
    func order(seed: UInt64) {
        let messages = Self.errands(seed: seed).messages
        for (index, message) in messages.enumerated() {
            #expect(message.phase == (index.isMultiple(of: 2) ? .arrived : .departed))
        }
        for (a, b) in zip(messages, messages.dropFirst()) {
            #expect(a.time <= b.time)
            #expect((a.id == b.id) == (b.phase == .departed))
            if let arrival = b.arrival, let departure = a.departure { #expect(departure < arrival) }
        }
    }

    @Test("A vehicle's state stays small, whatever it does", arguments: 1...5)
    func size(seed: UInt64) throws {
        let timeline = Self.errands(seed: seed)
        var tracker = VisitTracker()
        var largest = 0
        for (fix, fences) in timeline.fixes {
            _ = tracker.advance(to: fix, vehicle: VisitTimeline.vehicle, fences: fences, timeline.settings)
            largest = max(largest, tracker.encoded.count)
        }
        #expect(largest < 2500)
    }

    /// A day of stops, jams, gaps and outliers.
    private static func errands(seed: UInt64) -> VisitTimeline {
        var generator = SplitMix64(seed: seed)
        var timeline = VisitTimeline()
        timeline.fix()
        for _ in 0..<12 {
            let every = generator.even(1...30).rounded()
            let east = timeline.place.east + generator.even(100...3000)
            timeline.accuracy = generator.isLucky(0.2) ? nil : generator.even(3...60)
            timeline.fences = generator.isLucky(0.5) ? ["yard"] : []
            timeline.drive(to: east, speed: generator.even(0.5...25), every: every)
            for _ in 0..<Int(generator.even(0...1500) / every) {
                let isOutlier = generator.isLucky(0.02)
                timeline.fix(
                    after: every, east: east + generator.gaussian() * (isOutlier ? 500 : 20),
                    north: generator.gaussian() * 20)
            }
            timeline.fix(after: generator.even(1...900).rounded(), east: east)
        }
        return timeline
    }
}

extension SplitMix64 {
    mutating func even(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + fraction() * (range.upperBound - range.lowerBound)
    }

    mutating func isLucky(_ share: Double) -> Bool { fraction() < share }
}
