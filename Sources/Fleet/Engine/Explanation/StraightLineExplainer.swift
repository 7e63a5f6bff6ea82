import Clearances
import Geo
import Messages
import Roads

/// Asks about every clearance that limits no known road how it lies to the vehicle's course.
struct StraightLineExplainer {
    private let evaluator: AlertEvaluator
    private let vehicle: Vehicle
    private let fix: Fix
    private let rules: Explanation.Rules
    /// Nil where the vehicle has not moved.
    private let watch: StraightLineWatch?

    init(_ evaluator: AlertEvaluator, _ vehicle: Vehicle, _ fix: Fix, rules: Explanation.Rules) {
        (self.evaluator, self.vehicle, self.fix, self.rules) = (evaluator, vehicle, fix, rules)
        watch = evaluator.straightLineWatch(of: vehicle, fix)
    }

    /// Those within a radius, and farther ones that are spoken of.
    func clearances(within radius: Metres) -> [Explanation.Clearance] {
        let farthest = radius + StraightLineWatch.behindDetourMax
        return evaluator.straightLine.near(fix.position, within: farthest).map(explained).filter {
            $0.distance <= radius || $0.isSpokenOf
        }
    }

    private func explained(_ clearance: Clearances.Clearance) -> Explanation.Clearance {
        var explained = Explanation.Clearance(
            clearance, from: fix.position, height: evaluator.height, evaluator.settings)
        let assessment = watch?.assessment(clearance)
        let reason = reason(clearance, assessment, isTold: explained.isTold)
        let alert = vehicle.alerts.first { $0.subject == .straightLine(clearance: clearance.$id) }
        let reach = rules.alertDistance + rules.untilNextFix
        explained.straightLine = Explanation.StraightLine(
            offCourse: watch.map { angle(between: $0.course, and: fix.position.bearing(to: clearance.position)) },
            cone: StraightLineWatch.cone, approach: clearance.approach, turnOff: assessment?.detour?.distance,
            begins: clearance.detours.isEmpty ? reach + StraightLineWatch.detourAssumed : reach, isDue: reason == nil,
            reason: reason, alert: alert.map { Explanation.Hazard.Alert($0, at: evaluator.time) })
        return explained
    }

    /// Nil where an alert is due.
    private func reason(
        _ clearance: Clearances.Clearance, _ assessment: StraightLineAssessment?, isTold: Bool
    ) -> Explanation.StraightLine.Reason? {
        guard isTold else { return .notTold }
        guard evaluator.isNew(fix) else { return .oldFix }
        guard let watch else { return .noCourse }
        guard let assessment else {
            let bearing = fix.position.bearing(to: clearance.position)
            let isOutside = angle(between: watch.course, and: bearing) > StraightLineWatch.cone
            return isOutside ? .outsideCone : .otherApproach
        }
        guard assessment.isDue else { return .tooFar }
        let subject = OpenAlert.Subject.straightLine(clearance: clearance.$id)
        return vehicle.quieted.contains { $0.subject == subject && $0.quiets(.alarm, at: fix) } ? .standing : nil
    }
}
