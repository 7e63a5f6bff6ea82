import Geo
public import Messages

/// The explanation in plain sentences.
extension Explanation {
    /// A paragraph each for place, height and path, then a line for each clearance; what the vehicle fits under is counted.
    public var words: String {
        let fitting = clearances.filter { $0.verdict == .fits && !$0.isSpokenOf }
        let told = clearances.filter { $0.verdict != .fits || $0.isSpokenOf }
        let paragraphs = [placeWords, heightWords, pathWords, clearanceHead(told.count, fitting.count)]
        let lines = told.map { "- " + clearanceText.line($0) }
        return (paragraphs + [lines.joined(separator: "\n")]).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// Says everything in other units.
    public mutating func setUnits(_ units: UnitSystem) {
        self.units = units
        for index in clearances.indices { clearances[index].text = clearanceText.text(clearances[index]) }
    }

    private var clearanceText: ClearanceExplanationText {
        ClearanceExplanationText(wording, rules, hasRoute: isGuided)
    }

    private var wording: Wording { Wording(units: units) }
    private var isGuided: Bool { path.map { $0.kind != .mostProbable } ?? false }

    // MARK: Place

    private var placeWords: String {
        ["Vehicle \(vehicle).", fixWords, staleWords, roadWords].compactMap(\.self).joined(separator: " ")
    }

    private var fixWords: String {
        let accuracy = "\(fix.isAccuracyAssumed ? "assumed to be " : "")accurate to \(wording.length(fix.accuracy))"
        let interval = wording.seconds(fix.interval)
        let isAssumed = fix.intervalSource == .assumed
        return "The last fix is \(wording.seconds(fix.age)) old, \(accuracy), \(speedWords); "
            + "it reports about every \(interval)\(isAssumed ? " (assumed)" : "")."
    }

    private var speedWords: String { fix.speed.map { "at \(wording.speed($0))" } ?? "at a speed that is not known yet" }

    private var staleWords: String? {
        fix.isJudged ? nil : "It is too old to be judged by: no alert is raised until the next."
    }

    private var roadWords: String {
        switch place.status {
        case .noRoads: return "There is no road file: clearances are judged by straight line along the course."
        case .offNetwork: return "It is not on a known road: warnings along roads are not possible."
        case .onRoad:
            let roads = place.candidates.map { candidate in
                "\(wording.road(candidate.road, way: candidate.way)), \(wording.length(candidate.offset)) along it "
                    + "(\(wording.percent(candidate.probability)) sure)"
            }
            return "It is on \(roads[0])" + roads.dropFirst().map { ", or on \($0)" }.joined() + "."
        }
    }

    // MARK: Height

    private var heightWords: String {
        let sum =
            height.margin > 0 ? ": \(wording.height(height.height)) plus \(wording.margin(height.margin)) margin" : ""
        let status =
            switch height.status {
            case .ok: "source: \(height.source)"
            case .stale: "the last height, from \(height.source), has expired, so at least the assumed height counts"
            case .assumed: "nobody has set its height, so the assumed one counts"
            }
        return "Its height counts as \(wording.height(height.effective))\(sum) (\(status))."
    }

    // MARK: Path

    private var pathWords: String {
        guard let path else { return "" }
        let head =
            switch path.kind {
            case .knownRoute: "It follows its route"
            case .waypoints: "It follows the fastest way to its destination"
            case .mostProbable where path.hasLeftRoute: "It is not on its route; it most probably goes"
            case .mostProbable: "No route is known; it most probably goes"
            }
        let stretches = path.stretches.map(stretchWords).joined(separator: ", then ")
        return "\(head): \(stretches). \(alertWords)"
    }

    private func stretchWords(_ stretch: Path.Stretch) -> String {
        let road = wording.road(stretch.road, way: stretch.way)
        guard stretch.distance > 0 else { return "\(wording.length(stretch.length)) further along \(road)" }
        let turn = stretch.turnProbability.map { " (\(wording.percent($0)) likely)" } ?? ""
        return "\(road) in \(wording.length(stretch.distance))\(turn)"
    }

    private var alertWords: String {
        let begin = "Alerts on this path begin \(wording.length(rules.alertDistance)) before the last turn-off"
        guard fix.speed != nil else { return "\(begin)." }
        return "\(begin), and earlier by the \(wording.length(rules.untilNextFix)) that it drives until the next fix."
    }

    // MARK: Clearances

    private func clearanceHead(_ told: Int, _ fitting: Int) -> String {
        let radius = rules.alertDistance + rules.untilNextFix + Self.beyond
        let fits = fitting == 0 ? "" : " It fits under \(fitting) of them."
        let more = clearancesLeftOut == 0 ? "" : " \(clearancesLeftOut) more, farther away, are left out."
        guard told + fitting > 0 else { return "No clearance is known within \(wording.length(radius))." }
        let count = told + fitting == 1 ? "1 clearance lies" : "\(told + fitting) clearances lie"
        return "\(count) within \(wording.length(radius)), or on the way.\(fits)\(more)"
    }
}
