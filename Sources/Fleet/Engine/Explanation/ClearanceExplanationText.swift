import Clearances
import Geo
import Messages
import Roads

/// What is said of one clearance.
struct ClearanceExplanationText {
    private let wording: Wording
    private let rules: Explanation.Rules
    private let hasRoute: Bool

    init(_ wording: Wording, _ rules: Explanation.Rules, hasRoute: Bool) {
        (self.wording, self.rules, self.hasRoute) = (wording, rules, hasRoute)
    }

    func line(_ clearance: Explanation.Clearance) -> String {
        let name = clearance.name.isEmpty ? "" : " (\(clearance.name))"
        let sign = clearance.posted.isEmpty ? "without a sign" : "posted \(AlertText.sign(clearance.posted))"
        return "\(clearance.id)\(name), \(sign), \(wording.length(clearance.distance)) away: \(clearance.text)"
    }

    func text(_ clearance: Explanation.Clearance) -> String {
        ([verdict(clearance)] + evaluator(clearance)).joined(separator: " ")
    }

    private func verdict(_ clearance: Explanation.Clearance) -> String {
        switch clearance.verdict {
        case .fits: "it fits."
        case .tooLow: "too low, \(wording.height(clearance.limit ?? 0))."
        case .unknown where clearance.isLegalDefault:
            "its height is not signed: it is at least the legal default, and the vehicle is taller than that."
        case .unknown: "its height is unknown."
        }
    }

    private func evaluator(_ clearance: Explanation.Clearance) -> [String] {
        if clearance.verdict == .unknown, !clearance.isTold {
            return [
                "Not warned: `alerts.unknown` is \(rules.unknown), so nobody is warned of this unknown height."
            ]
        }
        if let line = clearance.straightLine { return [straightLine(line, to: clearance)] }
        if let other = clearance.mergedInto {
            return ["It is the same structure as \(other), which counts instead of it."]
        }
        if clearance.hazards.isEmpty, clearance.verdict != .fits {
            return ["Not warned: no way is known that leads into it from a road that is high enough."]
        }
        return ways(clearance.hazards)
    }

    // MARK: On the road

    /// The ways into it that a rule or an alert is about, else the nearest; the others are only counted. What is told under
    /// another's name is said there.
    private func ways(_ hazards: [Explanation.Hazard]) -> [String] {
        let spoken = hazards.filter { $0.rule != nil || $0.alert != nil }
        let shown = spoken.isEmpty ? Array(hazards.prefix(1)) : spoken
        let leaders = Set(shown.map(\.leader))
        if let leader = leaders.first ?? nil, leaders.count == 1 {
            return [covered(by: leader)]
        }
        let rest = hazards.count - shown.count
        guard rest > 0 else { return shown.map(hazard) }
        return shown.map(hazard) + ["By \(rest == 1 ? "1 other way" : "\(rest) other ways") into it: not warned."]
    }

    private func hazard(_ hazard: Explanation.Hazard) -> String {
        let entry = "From \(wording.road(hazard.road, way: hazard.entry.way)): "
        return entry + (hazard.reason.map { silence($0, hazard) } ?? due(hazard))
            + alert(hazard.alert, isDue: hazard.isDue) + (hazard.leader.map { " " + covered(by: $0) } ?? "")
    }

    private func covered(by leader: String) -> String {
        "The warning for \(leader), which comes first on the same low road, covers it."
    }

    private func due(_ hazard: Explanation.Hazard) -> String {
        let ahead = hazard.distance.map { "\(wording.length($0)) ahead" } ?? "ahead"
        switch hazard.rule {
        case .lastDecision:
            return "warned, as the vehicle could turn towards it within \(wording.seconds(rules.notice)): "
                + "\(wrongTurn(hazard)); it is \(ahead)."
        case .tooLate: return "warned: it is on the path, \(ahead), and the last turn-off is behind."
        case .insideZone: return "warned: the vehicle is on the low road, the structure \(ahead)."
        case .turnOff:
            return "warned: the last turn-off is behind and the path leads elsewhere, but \(wrongTurn(hazard))."
        default:
            return "warned: it is on the path, \(ahead), and the last turn-off\(onto(hazard)) \(turnOff(hazard)) ahead."
        }
    }

    private func silence(_ reason: Explanation.Hazard.Reason, _ hazard: Explanation.Hazard) -> String {
        switch reason {
        case .oldFix: "not judged: the fix is too old."
        case .offNetwork: "not judged: the vehicle is on no known road."
        case .standing: "not warned again before the vehicle moves: it was cleared where it stands."
        case .earlierApproach:
            "not warned again yet: the open alert is about the approach before, and ends first, as soon as the other one is certain."
        case .otherEntry: "not warned again: the open alert about the likelier way there covers it."
        case .justPassed:
            "not warned again before the vehicle comes nearer, or to a last turn-off before it: it has just passed it."
        case .chained: "not warned again: the open alert about the same chain covers it."
        case .unsure:
            "too late to turn off, but not warned: it is too unsure on which road the vehicle is to tell anybody to stop (it "
                + "takes \(wording.percent(rules.certainty)), and a place clear of the last junction)."
        case .onDetour:
            "not told to stop: the vehicle has turned off as it was told to, and the detour may lead by here; it is told "
                + "behind the last turn-off of any kind."
        case .turnedOff:
            "not warned again yet: the vehicle has turned off as it was told to, and is less than "
                + "\(wording.percent(rules.minProbability)) likely to come round; a warning comes "
                + "\(wording.seconds(rules.notice)) before the last turn-off."
        case .notYet:
            "not warned: \(elsewhere(hazard)), and \(wrongTurn(hazard)); a warning comes "
                + "\(wording.seconds(rules.notice)) before that turn."
        case .offReasonableWays:
            "no alarm: \(elsewhere(hazard)), and \(wrongTurn(hazard)); no reasonable way to the destination leads there, so that "
                + "a notice has to do."
        case .insideZone: "the vehicle is on the low road already: an open alert is kept, none is raised."
        case .tooFar:
            "not warned yet: it is on the path, but the last turn-off\(onto(hazard)) \(turnOff(hazard)) ahead, and alerts "
                + "begin at \(wording.length(rules.alertDistance + rules.untilNextFix))."
        case .serviceRoad:
            "not warned: \(elsewhere(hazard)); it is reached only by a service road, and `alerts.service_roads` is off."
        case .destinationRoad:
            "not warned: \(elsewhere(hazard)); only vehicles with business there may enter, no route leads there, and the "
                + "fleet has not turned in there."
        case .unknownOffPath: "not warned: \(elsewhere(hazard)); of unknown heights it is warned only on the path."
        case .otherDirection: "not warned: only the other direction is limited."
        case .behind: "not warned: the structure is behind."
        case .unreachable:
            "not warned: no way there was found within \(Int(HazardExplainer.horizon / 60)) minutes of driving."
        }
    }

    private func elsewhere(_ hazard: Explanation.Hazard) -> String {
        if hasRoute { return "the known way leads elsewhere" }
        let probability = hazard.probability.map { wording.percent($0) } ?? "next to 0 %"
        let isUnder = hazard.probability ?? 0 < rules.minProbability
        return "the path leads elsewhere (probability \(probability)"
            + (isUnder ? ", under \(wording.percent(rules.minProbability)))" : ")")
    }

    private func wrongTurn(_ hazard: Explanation.Hazard) -> String {
        guard let out = hazard.turnOff else { return "its last turn-off was not found" }
        let time = out.seconds.map { ", \(wording.seconds($0)) away" } ?? ""
        return "its last turn-off\(out.wrongTurn.map { ", onto \($0)," } ?? "") is \(wording.length(out.distance)) "
            + "ahead\(time)"
    }

    private func onto(_ hazard: Explanation.Hazard) -> String {
        hazard.turnOff?.onto.map { " (\($0)) is" } ?? " is"
    }

    private func turnOff(_ hazard: Explanation.Hazard) -> String { wording.length(hazard.turnOff?.distance ?? 0) }

    private func alert(_ alert: Explanation.Hazard.Alert?, isDue: Bool) -> String {
        guard let alert else { return "" }
        let kept = alert.idle == nil && !isDue ? ", and what is near keeps it open" : ""
        let idle = alert.idle.map { ", for \(wording.seconds($0)) without a rule that holds" } ?? ""
        let name = alert.attention == .notice ? "Notice" : "Alert"
        return " \(name) \(alert.id) is open at the stage “\(Self.title(alert.stage))”\(idle)\(kept)."
    }

    /// As the console's page has it.
    private static func title(_ stage: AlertMessage.Stage) -> String {
        switch stage {
        case .ahead: "Ahead"
        case .detour: "Turn off"
        case .stop: "Stop"
        case .cleared: "Cleared"
        case .passed: "Passed under"
        }
    }

    // MARK: By straight line

    private func straightLine(_ line: Explanation.StraightLine, to clearance: Explanation.Clearance) -> String {
        "No road is known under it, so the straight line counts: " + straightWords(line, clearance)
            + alert(line.alert, isDue: line.isDue)
    }

    private func straightWords(_ line: Explanation.StraightLine, _ clearance: Explanation.Clearance) -> String {
        let off = line.offCourse.map { wording.degrees($0) } ?? ""
        let begins = wording.length(line.begins)
        switch line.reason {
        case nil: return "it lies ahead, \(off) off the course, and alerts begin at \(begins)."
        case .oldFix: return "not judged: the fix is too old."
        case .noCourse: return "not judged: the vehicle has not moved, so its direction is unknown."
        case .outsideCone:
            return "not warned: it lies \(off) off the course, outside the cone of \(wording.degrees(line.cone))."
        case .otherApproach:
            let courses = line.approach.map { wording.degrees($0) }.joined(separator: ", ")
            return "not warned: it limits vehicles bound for \(courses) only."
        case .tooFar:
            let what = line.turnOff.map { "its turn-off is \(wording.length($0)) ahead" } ?? "it lies ahead"
            return "not warned yet: \(what), and alerts begin at \(begins)."
        case .standing: return "not warned again before the vehicle moves: it was cleared where it stands."
        case .notTold: return "the vehicle fits."
        }
    }
}
