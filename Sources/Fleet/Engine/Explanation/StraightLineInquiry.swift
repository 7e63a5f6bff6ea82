import Clearances
import Geo
import Messages
import Roads

/// Asks about every clearance that limits no known road how it lies to the vehicle's course.
struct StraightLineInquiry {
    private let judgement: Judgement
    private let vehicle: Vehicle
    private let fix: Fix
    private let rules: Explanation.Rules
    /// Nil where the vehicle has not moved.
    private let watch: StraightLineWatch?

    init(_ judgement: Judgement, _ vehicle: Vehicle, _ fix: Fix, rules: Explanation.Rules) {
        (self.judgement, self.vehicle, self.fix, self.rules) = (judgement, vehicle, fix, rules)
        watch = judgement.straightLineWatch(of: vehicle, fix)
    }

    /// Those within a radius, and farther ones that are spoken of.
    func clearances(within radius: Metres) -> [Explanation.Clearance] {
        let farthest = radius + StraightLineWatch.behindDetourMax
        return judgement.straightLine.near(fix.position, within: farthest).map(explained).filter {
            $0.distance <= radius || $0.isSpokenOf
        }
    }

    private func explained(_ clearance: Clearances.Clearance) -> Explanation.Clearance {
        var explained = Explanation.Clearance(
            clearance, from: fix.position, height: judgement.height, judgement.settings)
        let sighting = watch?.sighting(clearance)
        let reason = reason(clearance, sighting, isTold: explained.isTold)
        let alert = vehicle.alerts.first { $0.subject == .straightLine(clearance: clearance.id) }
        let reach = rules.alertDistance + rules.untilNextFix
        explained.straightLine = Explanation.StraightLine(
            offCourse: watch.map { angle(between: $0.course, and: fix.position.bearing(to: clearance.position)) },
            cone: StraightLineWatch.cone, approach: clearance.approach, wayOut: sighting?.detour?.distance,
            begins: clearance.detours.isEmpty ? reach + StraightLineWatch.detourAssumed : reach, isDue: reason == nil,
            reason: reason, alert: alert.map { Explanation.Hazard.Alert($0, at: judgement.time) })
        return explained
    }

    /// Nil where an alert is due.
    private func reason(
        _ clearance: Clearances.Clearance, _ sighting: StraightLineSighting?, isTold: Bool
    ) -> Explanation.StraightLine.Reason? {
        guard isTold else { return .notTold }
        guard judgement.isNew(fix) else { return .oldFix }
        guard let watch else { return .noCourse }
        guard let sighting else {
            let bearing = fix.position.bearing(to: clearance.position)
            let isOutside = angle(between: watch.course, and: bearing) > StraightLineWatch.cone
            return isOutside ? .outsideCone : .otherApproach
        }
        guard sighting.isDue else { return .tooFar }
        let subject = OpenAlert.Subject.straightLine(clearance: clearance.id)
        return vehicle.quieted.contains { $0.subject == subject } ? .standing : nil
    }
}
