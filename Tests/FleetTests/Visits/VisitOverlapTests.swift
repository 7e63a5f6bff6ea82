import Fleet
import FleetTestSupport
import Foundation
import Geo
import Hashing
import Messages
import Testing

@Suite struct VisitOverlapTests {
    /// Minutes after 14:00.
    private static func time(_ minutes: Double) -> Timestamp { .at(minutes * 60) }

    private static func point(_ east: Metres) -> Coordinate { VisitTimeline().point(east: east) }

    /// - Parameter seen: minutes, for the ends that are nil.
    private static func visit(
        _ vehicle: String, _ arrival: Double?, _ departure: Double?, seen: ClosedRange<Double>? = nil,
        gone: Double? = nil, east: Metres = 0, accuracy: Metres = 10, isConfirmed: Bool = true
    ) -> Visit {
        let first = arrival ?? seen?.lowerBound ?? departure ?? 0
        return Visit(
            id: vehicle, vehicle: VehicleID(vehicle)!, arrival: arrival.map(time), departure: departure.map(time),
            firstSeen: time(first), lastSeen: time(departure ?? seen?.upperBound ?? first), goneAt: gone.map(time),
            position: point(east), accuracy: accuracy, isConfirmed: isConfirmed)
    }

    struct Meeting: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var visits: [Visit]
        /// As `A+B 20–30: reasons`.
        var log: [String]

        init(_ description: String, _ visits: [Visit], _ log: [String]) {
            testDescription = description
            self.visits = visits
            self.log = log
        }
    }

    static let meetings = [
        Meeting("Both ends known, 10 minutes together", [visit("A", 0, 30), visit("B", 20, 60)], ["A+B 20–30"]),
        Meeting("One within the other", [visit("A", 0, 60), visit("B", 20, 30)], ["A+B 20–30"]),
        Meeting("One after the other", [visit("A", 0, 30), visit("B", 31, 60)], []),
        Meeting("The same moment is a meeting", [visit("A", 0, 30), visit("B", 30, 60)], ["A+B 30–30"]),
        Meeting(
            "150 m apart", [visit("A", 0, 30), visit("B", 0, 30, east: 149.9)],
            ["A+B 0–30: accuracy worse than the distance"]),
        Meeting("Farther apart", [visit("A", 0, 30), visit("B", 0, 30, east: 150.1)], []),
        Meeting("One vehicle does not meet itself", [visit("A", 0, 30), visit("A", 20, 40)], []),
        Meeting(
            "Three at one place are three pairs", [visit("C", 0, 30), visit("B", 10, 40), visit("A", 20, 50)],
            ["B+C 10–30", "A+B 20–40", "A+C 20–30"]),
        Meeting(
            "Accuracies of 60 m and 100 m cannot tell 150 m",
            [visit("A", 0, 30, accuracy: 60), visit("B", 0, 30, accuracy: 100)],
            ["A+B 0–30: accuracy worse than the distance"]),
        Meeting(
            "Seen there together, from when is unknown",
            [visit("A", nil, 60, seen: 10...60), visit("B", 0, 30)], ["A+B 10–30: missing arrival of A"]),
        Meeting(
            "Together only if the one had come before it was seen",
            [visit("A", nil, 60, seen: 40...60), visit("B", 0, 30)], ["A+B 0–30: missing arrival of A"]),
        Meeting(
            "Together only if the one had stayed after it was seen",
            [visit("A", 0, nil, seen: 0...20), visit("B", 30, 50)], ["A+B 30–50: missing departure of A"]),
        Meeting(
            "Together only if either, or both",
            [visit("A", 0, nil, seen: 0...20), visit("B", nil, 50, seen: 30...50)],
            ["A+B 0–50: missing departure of A, missing arrival of B"]),
        Meeting(
            "Seen elsewhere before the other came",
            [visit("A", 0, nil, seen: 0...20, gone: 25), visit("B", 30, 50)], []),
        Meeting(
            "Both in progress: seen together until one was heard of last",
            [visit("A", 0, nil, seen: 0...20), visit("B", 10, nil, seen: 10...30)],
            ["A+B 10–20: missing departure of A"]),
        Meeting(
            "An unknown arrival is not before the vehicle's last visit elsewhere",
            [visit("A", 0, 35, east: 5000), visit("A", nil, 60, seen: 40...60), visit("B", 0, 30)], []),
        Meeting(
            "An unknown departure is not after its next one",
            [visit("A", 0, nil, seen: 0...20), visit("A", 25, 40, east: 5000), visit("B", 30, 50)], []),
        Meeting(
            "Neither arrival is known",
            [visit("A", nil, 10, seen: 5...10), visit("B", nil, 30, seen: 20...30)], ["A+B ?–10: missing arrival of B"]),
        Meeting(
            "An unknown end that the overlap does not reach makes it no less certain",
            [visit("A", nil, nil, seen: 0...60), visit("B", 20, 40)], ["A+B 20–40"]),
        Meeting(
            "Seen together until one fell silent",
            [visit("A", 0, nil, seen: 0...20, gone: 90), visit("B", 10, 60)], ["A+B 10–20: missing departure of A"]),
        Meeting(
            "Both were first seen at rest, at one moment",
            [visit("A", nil, 30, seen: 0...30), visit("B", nil, 40, seen: 0...40)],
            ["A+B 0–30: missing arrival of A, missing arrival of B"]),
        Meeting(
            "One came in the moment in which the other was seen last",
            [visit("A", 0, nil, seen: 0...20), visit("B", 20, 50)], ["A+B 20–20: missing departure of A"]),
        Meeting(
            "Both fell silent at once and for good",
            [visit("A", 0, nil, seen: 0...5), visit("B", 0, nil, seen: 0...5)],
            ["A+B 0–5: missing departure of A, missing departure of B"]),
        Meeting(
            "In progress, and another comes an hour later",
            [visit("A", 0, nil, seen: 0...5), visit("B", 60, nil, seen: 60...65)], ["A+B 60–?: missing departure of A"]),
        Meeting(
            "An unconfirmed stay is uncertain, though seen",
            [visit("A", 0, nil, seen: 0...1, isConfirmed: false), visit("B", 0, 30)],
            ["A+B 0–1: missing departure of A, unconfirmed stay of A"]),
        Meeting(
            "An unconfirmed stay that lasts only if the vehicle slept there",
            [visit("A", 0, nil, seen: 0...1, isConfirmed: false), visit("B", 10, 30)],
            ["A+B 10–30: missing departure of A, unconfirmed stay of A"]),
        Meeting(
            "Just as exact as need be", [visit("A", 0, 30, accuracy: 75), visit("B", 0, 30, accuracy: 75)],
            ["A+B 0–30"]),
        Meeting(
            "Not quite as exact as need be", [visit("A", 0, 30, accuracy: 75), visit("B", 0, 30, accuracy: 75.1)],
            ["A+B 0–30: accuracy worse than the distance"]),
    ]

    @Test("Who was at one place at one time", arguments: meetings)
    func meeting(_ meeting: Meeting) {
        for visits in [meeting.visits, meeting.visits.reversed()] {
            #expect(VisitOverlap.all(among: visits, within: 150).map(Self.line) == meeting.log)
        }
    }

    private static func line(_ overlap: VisitOverlap) -> String {
        func text(_ time: Timestamp?) -> String { time.map { "\(Int(($0.seconds / 60).rounded()))" } ?? "?" }
        let doubts = overlap.doubts.map(\.description).joined(separator: ", ")
        return "\(overlap.first.vehicle)+\(overlap.second.vehicle) \(text(overlap.from))–\(text(overlap.to))"
            + (overlap.isUncertain ? ": \(doubts)" : "")
    }

    @Test("The sweep finds what comparing each with each finds", arguments: 1...5)
    func againstEachWithEach(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let antimeridian = Coordinate(latitude: 68, longitude: 180)
        let visits = (0..<200).map { number in
            let start = generator.even(0...1000)
            let end = start + generator.even(5...60)
            let knowsArrival = generator.isLucky(0.5)
            let knowsDeparture = generator.isLucky(0.5)
            var visit = Self.visit(
                "V\(number)", knowsArrival ? start : nil, knowsDeparture ? end : nil, seen: start...end,
                gone: generator.isLucky(0.5) ? end + 30 : nil,
                accuracy: generator.even(5...100))
            let offset = Vector(
                east: generator.even(-500...500),
                north: generator.even(-500...500))
            visit.position = LocalPlane(latitude: 68).coordinate(offset, from: antimeridian)
            visit.position.longitude = shortestLongitude(from: 0, to: visit.position.longitude)
            return visit
        }
        let pairs = visits.indices.flatMap { a in
            visits.indices.dropFirst(a + 1).flatMap { VisitOverlap.all(among: [visits[a], visits[$0]], within: 150) }
        }
        let found = VisitOverlap.all(among: visits, within: 150)
        #expect(Set(found) == Set(pairs))
        #expect(found.count == pairs.count)
        #expect(found.count > 50)
    }

    // Comparing each with each would take some ten minutes in this build.
    @Test("100,000 visits take seconds, not hours", .timeLimit(.minutes(1)))
    func many() {
        var generator = SplitMix64(seed: 3)
        let visits = (0..<100_000).map { number in
            let start = generator.even(0...130_000)
            return Self.visit(
                "V\(number % 2000)", start, start + 30,
                east: Double(generator.index(below: 500)) * 1000)
        }
        #expect(VisitOverlap.all(among: visits, within: 150).count > 1000)
    }
}
