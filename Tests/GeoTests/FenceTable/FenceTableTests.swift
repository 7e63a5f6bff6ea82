import Fleet
import Foundation
import Geo
import Messages
import Testing

/// Trucks that drive past and into fences of every shape, size and place: what is said of them is what GeographicLib and GEOS
/// say, to the metre.
///
/// 60 cases are compared with every run of the tests, and the whole table by
/// `HEADROOM_FENCE_TABLE=1 swift test --filter FenceTable`.
@Suite(.enabled(if: GeodSolve.isThere, "needs GeodSolve of geographiclib-tools"))
struct FenceTableTests {
    static let tables: [(seed: UInt64, count: Int)] =
        ProcessInfo.processInfo.environment["HEADROOM_FENCE_TABLE"] == nil
        ? [(1, 60)] : [(1, 660), (2, 600), (3, 600), (4, 600)]

    /// How far a crossing may be off, and the time that this implies with the rounding of times.
    private static let distanceMax: Metres = 1
    private static let roundingMax: Seconds = 0.002

    @Test("Every crossing of the table is told, at its place and time, and nothing else", arguments: tables)
    func table(seed: UInt64, count: Int) throws {
        var draw = FenceCaseDraw(seed: seed)
        var counts: [FenceCase.Kind: Int] = [:]
        var disagreements: [String] = []
        var (compared, unsure, crossings) = (0, 0, 0)
        while compared < count {
            let cases = try (0..<min(100, count)).map { number in
                try draw.next(FenceCase.Kind.allCases[number % FenceCase.Kind.allCases.count])
            }
            for (fenceCase, stays) in zip(cases, try FenceReference(cases).stays()) where compared < count {
                guard let stays else {
                    unsure += 1
                    continue
                }
                compared += 1
                counts[fenceCase.kind, default: 0] += 1
                crossings += stays.count { $0.entry != nil } + stays.count { $0.exit != nil }
                if let problem = try problem(fenceCase, stays) { disagreements.append("\(problem)\n    \(fenceCase)") }
            }
        }
        for disagreement in disagreements { Issue.record("\(disagreement)") }
        if count > 60 {
            let kinds = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
            print(
                "seed \(seed): \(compared) cases (\(kinds.joined(separator: ", "))), \(crossings) crossings, "
                    + "\(disagreements.count) disagreements; \(unsure) draws too near to a border left out")
        }
    }

    /// What differs; nil where nothing does.
    private func problem(_ fenceCase: FenceCase, _ stays: [FenceReference.Stay]) throws -> String? {
        let fixTimes = fenceCase.fixes.map(\.time)
        var expected: [(event: FenceEventMessage.Event, way: Metres, isThrough: Bool)] = []
        for stay in stays {
            let isSeen = fixTimes.contains { time in
                let way = min(fenceCase.length, time * fenceCase.speed)
                return way >= stay.entry ?? 0 && way <= stay.exit ?? .infinity
            }
            if let entry = stay.entry { expected.append((.enter, entry, !isSeen)) }
            if let exit = stay.exit { expected.append((.exit, exit, !isSeen)) }
        }
        let events = try events(of: fenceCase)
        guard events.map(\.event) == expected.map(\.event) else {
            return
                "expected \(expected.map { "\($0.event) at \($0.way) m" }), got \(events.map { "\($0.event) \($0.crossedAt.since(Self.start) * fenceCase.speed) m" })"
        }
        let places = try GeodSolve.places(
            expected.map { (from: fenceCase.start, bearing: fenceCase.bearing, distance: $0.way) })
        let distances = try GeodSolve.distances(Array(zip(places, events.map(\.position))))
        for ((expected, event), distance) in zip(zip(expected, events), distances) {
            let late = event.crossedAt.since(Self.start) - expected.way / fenceCase.speed
            if distance > Self.distanceMax { return "\(event.event) is \(distance) m off" }
            if late.magnitude > Self.distanceMax / fenceCase.speed + Self.roundingMax {
                return "\(event.event) is \(late) s late"
            }
            if event.isThrough != expected.isThrough { return "\(event.event): through is \(event.isThrough)" }
        }
        return nil
    }

    private static let start = Timestamp(milliseconds: 1_795_269_600_000)

    private func events(of fenceCase: FenceCase) throws -> [FenceEventMessage] {
        let fixes = fenceCase.fixes
        let places = try GeodSolve.places(
            fixes.map { (from: fenceCase.start, bearing: fenceCase.bearing, distance: $0.way) })
        let engine = Engine(
            EngineSettings(), network: nil, fences: [Fence(id: "fence", shape: try fenceCase.shape.validated())])
        let truck = VehicleAddress(vehicle: VehicleID("T42")!)
        var events: [FenceEventMessage] = []
        func hear(_ input: Input) {
            for envelope in engine.handle([input]).envelopes {
                if case .event(let event) = envelope.message, event.event != .determined { events.append(event) }
            }
        }
        for (fix, place) in zip(fixes, places) {
            let time = Self.start.adding(fix.time)
            hear(
                .report(
                    .location([Fix(position: place, time: time, accuracy: FenceCase.accuracy)]), from: truck,
                    receivedAt: time))
        }
        hear(.tick(Self.start.adding((fixes.last?.time ?? 0) + 120)))
        return events
    }
}
