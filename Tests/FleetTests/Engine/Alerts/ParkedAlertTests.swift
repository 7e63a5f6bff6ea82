import Clearances
import FleetTestSupport
import Geo
import Hashing
import Messages
import Roads
import Testing

@testable import Fleet

/// A truck parked near low bridges is not told of one again and again.
struct ParkedAlertTests {
    /// What a truck is told in half an hour that it stands where a drive through a town has ended.
    private func parked(
        _ town: GridTown, every: Seconds, seed: UInt64, tellsSpeed: Bool
    ) throws -> [AlertMessage] {
        var random = SplitMix64(seed: seed)
        var walks = SplitMix64(seed: seed)
        let line = town.walk(5, &walks).flatMap(town.network.line)
        let dispatcher = Dispatcher(town.network)
        dispatcher.drive(Journey(line: line, speed: 12, every: 1))
        let last = try #require(dispatcher.kept?.lastFix)
        let driven = dispatcher.alerts.count
        for time in stride(from: every, through: 1800, by: every) {
            var fix = last
            fix.time = last.time.adding(time)
            fix.position = last.position.moved(east: random.gaussian() * 6, north: random.gaussian() * 6)
            (fix.accuracy, fix.speed, fix.course) = (8, tellsSpeed ? 0 : nil, nil)
            dispatcher.fix(fix)
        }
        return Array(dispatcher.alerts.dropFirst(driven))
    }

    @Test("Half an hour parked in a town of low bridges: told of each at most once", arguments: [true, false])
    func parked(tellsSpeed: Bool) throws {
        for seed in 1...12 as ClosedRange<UInt64> {
            let town = try GridTown(seed: seed)
            for every in [5 as Seconds, 15] {
                let alerts = try parked(town, every: every, seed: seed, tellsSpeed: tellsSpeed)
                let raised = Dictionary(grouping: alerts.filter { $0.sequence == 1 }, by: \.clearance.id)
                #expect(
                    raised.values.allSatisfy { $0.count <= 1 }, "seed \(seed), \(every) s: \(raised.mapValues(\.count))"
                )
            }
        }
    }
}

extension Coordinate {
    fileprivate func moved(east: Metres, north: Metres) -> Coordinate {
        let plane = LocalPlane(latitude: latitude)
        return Coordinate(
            latitude: latitude + north / plane.metresPerDegreeNorth,
            longitude: longitude + east / plane.metresPerDegreeEast)
    }
}
