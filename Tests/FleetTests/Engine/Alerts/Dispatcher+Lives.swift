import Evaluation
import Fleet
import FleetTestSupport
import Geo
import Messages

extension Dispatcher {
    /// Follows a truck along a line; the noise is that of each axis.
    func drive(
        _ line: [Coordinate], noise: Metres, every: Seconds = 5, speed: MetresPerSecond = 15, from start: Metres = 0,
        seed: UInt64
    ) {
        guard let trip = Trip(line: line, speed: speed) else { preconditionFailure("a line has two points") }
        let settings = Drive.Settings(interval: every, noise: noise, startDistance: start)
        for fix in Drive(trip, settings, from: .at(0), seed: seed) { self.fix(fix) }
    }

    /// How many there were, of however many stages each.
    var alertCount: Int { Set(alerts.map(\.id)).count }

    /// The messages of each alert, in the order in which the alerts began.
    private var histories: [[AlertMessage]] {
        var ids: [String] = []
        for alert in alerts where !ids.contains(alert.id) { ids.append(alert.id) }
        return ids.map { id in alerts.filter { $0.id == id } }
    }

    /// The stages of each alert.
    var lives: [[AlertMessage.Stage]] { histories.map { $0.map(\.stage) } }

    /// The stages of each alert that was not raised about a side road: round most corners here lies the same bridge from
    /// its other side.
    var livesOnPath: [[AlertMessage.Stage]] { histories.filter { !$0[0].sideRoad }.map { $0.map(\.stage) } }

    /// When a stage was first told of a hazard on the path.
    func time(of stage: AlertMessage.Stage) -> Seconds? {
        let onPath = Set(histories.filter { !$0[0].sideRoad }.map { $0[0].id })
        return alerts.first { $0.stage == stage && onPath.contains($0.id) }?.time.seconds
    }
}
