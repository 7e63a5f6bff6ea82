import Geo
import Roads

/// Moves one vehicle's alerts at one moment: both rules, for every kind of hazard, and what becomes of what is open.
struct Judgement {
    let network: RoadNetwork
    let hazards: HeightHazards
    let settings: EngineSettings
    let height: EffectiveHeight
    let time: Timestamp
    /// Why an alert ends that no rule holds for any more.
    let reason: AlertMessage.ClearedReason

    /// By the newest fix, as long as that says where the vehicle is now. What is no hazard any more ends without it.
    func advance(_ vehicle: inout Vehicle, _ fix: Fix) -> [AlertMessage] {
        var tooLow = vehicle.alerts.filter { $0.kind == .tooLow }
        var unknown = vehicle.alerts.filter { $0.kind == .unknown }
        var messages = advance(&tooLow, of: vehicle, fix, hazards.low)
        if let hazards = hazards.unknown {
            messages += advance(&unknown, of: vehicle, fix, hazards)
        } else {
            messages += unknown.map { .cleared($0.last, at: time, reason: endReason) }
            unknown = []
        }
        vehicle.alerts = tooLow + unknown
        return messages
    }

    private func advance(
        _ alerts: inout [OpenAlert], of vehicle: Vehicle, _ fix: Fix, _ hazards: Hazards
    ) -> [AlertMessage] {
        let life = AlertLife(
            network: network, vehicle: vehicle.id, hazards: hazards, height: height, fix: fix, time: time,
            speed: vehicle.speed, units: vehicle.profile?.units ?? settings.units)
        guard time.since(fix.time) <= RuleTime.alertAgeMax else { return life.end(&alerts, endReason) }
        let candidates = vehicle.roads.compactMap(\.candidate)
        let sightings = watch(vehicle, fix, hazards).sightings(candidates)
        return life.advance(&alerts, sightings, candidates, otherwise: endReason)
    }

    func watch(_ vehicle: Vehicle, _ fix: Fix, _ hazards: Hazards) -> HazardWatch {
        HazardWatch(
            network: network, hazards: hazards, settings: settings, speed: vehicle.speed,
            interval: vehicle.reportInterval(settings), accuracy: fix.accuracy ?? RoadTracker.accuracyDefault)
    }

    /// A hazard is gone because the height or the map is another; leaving the path does not make it go.
    private var endReason: AlertMessage.ClearedReason { reason == .leftPath ? .profileChanged : reason }
}
