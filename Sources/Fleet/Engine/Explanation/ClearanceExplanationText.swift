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
            "nobody knows; it is no lower than the legal default, and the vehicle is higher than that."
        case .unknown: "nobody knows how high it is."
        }
    }

    private func evaluator(_ clearance: Explanation.Clearance) -> [String] {
        if clearance.verdict == .unknown, !clearance.isTold {
            return ["Not told: `alerts.unknown` is \(rules.unknown)."]
        }
        if let line = clearance.straightLine { return [straightLine(line, to: clearance)] }
        if let other = clearance.mergedInto { return ["One structure with \(other), which counts in its place."] }
        if clearance.hazards.isEmpty, clearance.verdict != .fits {
            return ["Not told: no way is known that leads into it from a road that is high enough."]
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
            return ["It is told under the name of \(leader), in front of it in one low zone."]
        }
        let rest = hazards.count - shown.count
        guard rest > 0 else { return shown.map(hazard) }
        return shown.map(hazard) + ["By \(rest == 1 ? "1 other way" : "\(rest) other ways") into it: not told."]
    }

    private func hazard(_ hazard: Explanation.Hazard) -> String {
        let entry = "By \(wording.road(hazard.road, way: hazard.entry.way)) from node \(hazard.entry.from): "
        let leader = hazard.leader.map { " It is told under the name of \($0), in front of it in one low zone." } ?? ""
        return entry + (hazard.reason.map { silence($0, hazard) } ?? due(hazard))
            + alert(hazard.alert, isDue: hazard.isDue) + leader
    }

    private func due(_ hazard: Explanation.Hazard) -> String {
        let ahead = hazard.distance.map { "\(wording.length($0)) ahead" } ?? "ahead"
        switch hazard.rule {
        case .lastDecision:
            return "rule 2 holds: \(wrongTurn(hazard)), within the \(wording.seconds(rules.notice)) of notice; "
                + "it is \(ahead)."
        case .tooLate: return "it is on the path, \(ahead), and the last turn-off is behind."
        case .insideZone: return "the vehicle is on the low road, the structure \(ahead)."
        case .turnOff:
            return "the last turn-off is behind and the path leads elsewhere, but \(wrongTurn(hazard))."
        default:
            return "rule 1 holds: it is on the path, \(ahead), and the last turn-off\(onto(hazard)) \(turnOff(hazard)) "
                + "ahead."
        }
    }

    private func silence(_ reason: Explanation.Hazard.Reason, _ hazard: Explanation.Hazard) -> String {
        switch reason {
        case .oldFix: "not judged: the fix is too old."
        case .offNetwork: "not judged: the vehicle is on no known road."
        case .standing: "not told again before the vehicle moves: it was cleared where it stands."
        case .otherEntry: "not told again: the open alert about the likelier way there tells of it."
        case .justPassed: "not told again before the vehicle comes nearer: it has just passed it."
        case .chained: "not told again: the open alert about the same chain tells of it."
        case .unsure:
            "too late to turn off, but not told: the match is too unsure to tell anybody to stop (it takes "
                + "\(wording.probability(rules.certainty)), and a place clear of the last junction)."
        case .notYet:
            "not told: \(elsewhere(hazard)), and \(wrongTurn(hazard)); it is spoken of from "
                + "\(wording.seconds(rules.notice)) on."
        case .insideZone: "the vehicle is on the low road already: an open alert is kept, none is raised."
        case .tooFar:
            "not told yet: it is on the path, but the last turn-off\(onto(hazard)) \(turnOff(hazard)) ahead, and alerts "
                + "begin at \(wording.length(rules.alertDistance + rules.untilNextFix))."
        case .serviceRoad:
            "not told: \(elsewhere(hazard)); it is reached only by a service road, and `alerts.service_roads` is off."
        case .destinationRoad:
            "not told: \(elsewhere(hazard)); only those who call there may drive there, no route leads there, and the fleet has "
                + "not turned in there."
        case .unknownOffPath: "not told: \(elsewhere(hazard)); unknown heights are spoken of on the path only."
        case .otherDirection: "not told: only the other direction is limited."
        case .behind: "not told: the structure is behind."
        case .unreachable:
            "not told: no way there was found within \(Int(HazardExplainer.horizon / 60)) minutes of driving."
        }
    }

    private func elsewhere(_ hazard: Explanation.Hazard) -> String {
        if hasRoute { return "the known way leads elsewhere" }
        let probability = hazard.probability.map { wording.probability($0) } ?? "next to 0"
        let isUnder = hazard.probability ?? 0 < rules.minProbability
        return "the path leads elsewhere (probability \(probability)"
            + (isUnder ? ", under \(wording.probability(rules.minProbability)))" : ")")
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
        return " \(name) \(alert.id) is open at stage `\(alert.stage.rawValue)`\(idle)\(kept)."
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
        case .noCourse: return "not judged: the vehicle has not moved, so it is bound nowhere."
        case .outsideCone:
            return "not told: it lies \(off) off the course, outside the cone of \(wording.degrees(line.cone))."
        case .otherApproach:
            let courses = line.approach.map { wording.degrees($0) }.joined(separator: ", ")
            return "not told: it limits vehicles bound for \(courses) only."
        case .tooFar:
            let what = line.turnOff.map { "its turn-off is \(wording.length($0)) ahead" } ?? "it lies ahead"
            return "not told yet: \(what), and alerts begin at \(begins)."
        case .standing: return "not told again before the vehicle moves: it was cleared where it stands."
        case .notTold: return "the vehicle fits."
        }
    }
}
