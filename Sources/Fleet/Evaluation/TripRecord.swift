import Geo
import Roads

/// What one simulated trip was told, beside what it did.
struct TripRecord {
    /// One alert from its first to its last message.
    struct Alert {
        /// Position in `HazardTable.hazards`.
        var hazard: Int
        var isSideRoad: Bool
        /// What was published, with where along the trip the vehicle was.
        var stages: [(stage: AlertMessage.Stage, time: Timestamp, distance: Metres)]

        var raisedAt: Metres { stages[0].distance }
        /// The worst stage before its end.
        var worst: AlertMessage.Stage { stages.map(\.stage).filter { !$0.isEnd }.max { $0.rank < $1.rank } ?? .ahead }
    }

    let trip: Trip
    let drive: Drive
    let passes: [Pass]
    /// In the order in which they were raised.
    private(set) var alerts: [Alert] = []
    /// Where along the trip each accepted fix was taken.
    private(set) var fixes: [Metres] = []
    private(set) var engineTime: Duration = .zero

    /// Drives the trip through the engine, under a vehicle of its own.
    init(
        _ trip: Trip, _ drive: Drive, _ engine: Engine, _ table: HazardTable, _ network: RoadNetwork, vehicle: VehicleID
    ) {
        self.trip = trip
        self.drive = drive
        passes = trip.passes(network, table)
        let address = VehicleAddress(vehicle: vehicle)
        let keys = table.hazards.enumerated().map { (network.key($1.entry), $0) }
        let byKey = Dictionary(keys, uniquingKeysWith: { first, _ in first })
        var positions: [String: Int] = [:]
        let profile = HeightProfile(height: table.height, margin: 0, source: "evaluation")
        _ = engine.handle([.report(.profile(profile), from: address, receivedAt: drive.start)])
        for fix in drive {
            let clock = ContinuousClock.now
            let effects = engine.handle([.report(.location([fix]), from: address, receivedAt: fix.time)])
            engineTime += ContinuousClock.now - clock
            let distance = trip.place(at: fix.time.since(drive.start)).distance
            if effects.fixesAccepted > 0 { fixes.append(distance) }
            for case .alert(let message) in effects.envelopes.map(\.message) {
                if positions[message.id] == nil {
                    let open = engine.vehicle(vehicle)?.alerts.first { $0.id == message.id }
                    guard let key = open?.entry, let hazard = byKey[key] else { continue }
                    positions[message.id] = alerts.count
                    alerts.append(Alert(hazard: hazard, isSideRoad: message.sideRoad, stages: []))
                }
                alerts[positions[message.id]!].stages.append((message.stage, fix.time, distance))
            }
        }
        engine.forget(vehicle)
    }

    /// The first alert that was raised before the detour point of a pass and still open there.
    func alert(for pass: Pass, before detour: Metres) -> Alert? {
        alerts.first { alert in
            let end = alert.stages.first { $0.stage.isEnd }
            return alert.hazard == pass.hazard && alert.raisedAt < detour && end?.distance ?? .infinity >= detour
        }
    }

    /// Whether the trip passed the hazard of an alert after the alert was raised.
    func wasRight(_ alert: Alert) -> Bool {
        passes.contains { $0.hazard == alert.hazard && $0.entryDistance >= alert.raisedAt - 50 }
    }

    /// The edge of the trip at a distance along it.
    func edge(at distance: Metres) -> EdgeID {
        var index = 0
        while index + 1 < trip.edgeStarts.count, trip.edgeStarts[index + 1] <= distance { index += 1 }
        return trip.edges[index]
    }
}
