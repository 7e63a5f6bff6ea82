import Fleet
import FleetTestSupport
import Foundation
import Geo
import Messages

/// One vehicle's fixes, drawn in metres from a yard's gate, and what became known by them.
struct VisitTimeline {
    static let gate = Coordinate(latitude: 49.41, longitude: 8.69)
    static let vehicle = VehicleID("T42")!

    var origin = Self.gate
    var settings = VisitSettings()
    private(set) var fixes: [(fix: Fix, fences: [String])] = []

    /// Where the truck is now, and until when that is drawn.
    private(set) var place = Vector(east: 0, north: 0)
    private(set) var clock: Seconds = 0
    var fences: [String] = []
    var accuracy: Metres? = 5
    var altitude: Metres?

    // MARK: Drawing

    func point(east: Metres, north: Metres = 0) -> Coordinate {
        LocalPlane(latitude: origin.latitude).coordinate(Vector(east: east, north: north), from: origin)
    }

    /// One fix, `seconds` after what was drawn so far.
    mutating func fix(
        after seconds: Seconds = 0, east: Metres? = nil, north: Metres? = nil, speed: MetresPerSecond? = nil
    ) {
        clock += seconds
        place = Vector(east: east ?? place.east, north: north ?? place.north)
        let fix = Fix(
            position: point(east: place.east, north: place.north), time: .at(clock), accuracy: accuracy,
            speed: speed, altitude: altitude)
        fixes.append((fix, fences))
    }

    /// A fix every so often at one place; the first after one interval.
    mutating func stand(_ seconds: Seconds, every: Seconds = 10) {
        for _ in 0..<Int(seconds / every) { fix(after: every) }
    }

    /// Eastward to `east`; the first fix after one interval, the last where it gets to.
    mutating func drive(to east: Metres, speed: MetresPerSecond, every: Seconds = 10) {
        let start = place.east
        let count = Int(((east - start).magnitude / (speed * every)).rounded(.up))
        for step in 1...count { fix(after: every, east: start + (east - start) * Double(step) / Double(count)) }
    }

    /// In from a kilometre away at 25 m/s, to a stop at the gate at second 0.
    mutating func driveIn() {
        clock = -40
        fix(east: -1000)
        drive(to: 0, speed: 25)
    }

    /// The same, with the speed stated at the last fix.
    mutating func driveIn(stopping speed: MetresPerSecond) {
        clock = -40
        fix(east: -1000)
        drive(to: -250, speed: 25)
        fix(after: 10, east: 0, speed: speed)
    }

    mutating func driveOff() { drive(to: place.east + 1000, speed: 20) }

    // MARK: What became known

    var messages: [VisitMessage] {
        var tracker = VisitTracker()
        return fixes.flatMap { tracker.advance(to: $0.fix, vehicle: Self.vehicle, fences: $0.fences, settings) }
    }

    /// As `300: arrived 0–?`: known at second 300, of a stay from second 0 on.
    var log: [String] { messages.map(Self.line) }

    private static func line(_ message: VisitMessage) -> String {
        func text(_ time: Timestamp?) -> String { time.map { "\(Int($0.seconds.rounded()))" } ?? "?" }
        return "\(text(message.time)): \(message.phase.rawValue) \(text(message.arrival))–\(text(message.departure))"
    }
}
