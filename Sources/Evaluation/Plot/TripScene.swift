import Clearances
import Fleet
import Geo
import Messages
import Roads

/// What a picture of a trip tells: one hazard, its last turn-off and the detour, and where the driver heard of it.
struct TripScene {
    /// A place with a name.
    struct Mark {
        enum Kind: Equatable {
            case structure, detourPoint, alertPoint, detour
            case stage(AlertMessage.Stage)
        }

        var kind: Kind
        var position: Coordinate
        var words: String
    }

    let number: Int
    let record: TripRecord
    let network: RoadNetwork
    let table: HazardTable
    let settings: EngineSettings
    /// What the picture is about; nil: the trip neither passed a hazard nor was it told of one.
    let hazard: Hazard?
    let pass: Pass?
    /// The alarms about the hazard.
    let alerts: [TripRecord.Alert]

    /// About the pass with all stages, else one that was not told in time, else any, else the first false alert.
    init(
        _ record: TripRecord, number: Int, _ network: RoadNetwork, _ table: HazardTable, _ settings: EngineSettings
    ) {
        let judged = record.passes.filter { network.isOpenToAll(table.hazards[$0.hazard]) && $0.detourDistance != nil }
        let full = record.alertWithAllStages?.hazard
        let pass =
            record.passes.first { pass in full.map(pass.entries.contains) == true }
            ?? judged.first { record.alarm(for: $0, before: $0.detourDistance ?? 0) == nil }
            ?? judged.first ?? record.passes.first
        let hazard = pass?.hazard ?? record.alarms.first?.hazard
        (self.number, self.record, self.network, self.table, self.settings) = (number, record, network, table, settings)
        self.pass = pass
        self.hazard = hazard.map { table.hazards[$0] }
        alerts = record.alarms.filter { pass?.entries.contains($0.hazard) ?? ($0.hazard == hazard) }
    }

    // MARK: Lines

    var tripLine: [Coordinate] { record.trip.corners.map(\.position) }

    /// What must be seen: the trip from the first mark to the last.
    var stretch: [Coordinate] {
        guard hazard != nil else { return tripLine }
        let stages = alerts.flatMap { $0.stages.map(\.distance) }
        let places =
            stages + [pass?.entryDistance, pass?.zoneEnd, pass?.detourDistance, alertDistance].compactMap { $0 }
        let (first, last) = (places.min() ?? 0, places.max() ?? record.trip.length)
        let corners = record.trip.corners.filter { (first...last).contains($0.distance) }.map(\.position)
        return [place(first)] + corners + [place(last)] + structures.map(\.position)
    }

    var zoneLines: [[Coordinate]] { hazard.map { $0.zone.map(network.line) } ?? [] }

    var detourLine: [Coordinate] { detour.map { $0.edges.flatMap(network.line) } ?? [] }

    /// The one that the trip came to, else the nearest to the hazard.
    var detour: DetourPoint? {
        guard let pass else { return hazard?.detours.first }
        return pass.decision?.detour.flatMap { hazard?.detours[$0] }
    }

    // MARK: Marks

    /// The most important first.
    var marks: [Mark] {
        var marks = [structure].compactMap { $0 }
        if let detour {
            let turn = network.title(detour.turnOff).map { ": leave at \($0)" } ?? ""
            marks.append(
                Mark(kind: .detourPoint, position: network.coordinate(detour.junction), words: "detour point\(turn)"))
        }
        marks += alerts.flatMap { alert in alert.stages.map { stage($0.stage, $0.distance) } }
        if let alertDistance {
            let distance = length(settings.alerts.distance)
            marks.append(
                Mark(kind: .alertPoint, position: place(alertDistance), words: "alert point, \(distance) before"))
        }
        if let detour {
            marks.append(
                Mark(kind: .detour, position: middle(detourLine), words: "detour, \(length(detour.length))"))
        }
        return marks
    }

    private var structures: [Clearance] { hazard.map { $0.clearances.map(network.clearance) } ?? [] }

    private var structure: Mark? {
        guard let hazard, let first = structures.first else { return nil }
        let road = network.title(hazard.entry).map { " on \($0)" } ?? ""
        return Mark(
            kind: .structure, position: first.position, words: "low bridge \(AlertText.sign(first.posted))\(road)")
    }

    private func stage(_ stage: AlertMessage.Stage, _ distance: Metres) -> Mark {
        let toDetour = pass?.detourDistance.map { $0 - distance } ?? 0
        let words = toDetour > 0 && !stage.isEnd ? "\(stage.rawValue) \(length(toDetour))" : stage.rawValue
        return Mark(kind: .stage(stage), position: place(distance), words: words)
    }

    /// Nil where the trip began behind it.
    private var alertDistance: Metres? {
        pass?.detourDistance.map { $0 - settings.alerts.distance }.flatMap { $0 >= 0 ? $0 : nil }
    }

    private func place(_ distance: Metres) -> Coordinate {
        record.trip.place(at: record.trip.time(at: distance)).position
    }

    /// Half way along a line.
    private func middle(_ line: [Coordinate]) -> Coordinate {
        var rest = zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) } / 2
        for (a, b) in zip(line, line.dropFirst()) {
            let step = a.distance(to: b)
            if rest <= step && step > 0 { return a.interpolated(to: b, fraction: rest / step) }
            rest -= step
        }
        return line[line.count - 1]
    }

    // MARK: Words

    var title: String {
        guard let pass else {
            return alerts.isEmpty ? "Trip \(number): nothing to tell" : "Trip \(number): an alert for nothing"
        }
        guard pass.decision != nil else { return "Trip \(number): begins behind the last turn-off" }
        guard let detour = pass.detourDistance else { return "Trip \(number): no detour" }
        let told = record.alarm(for: pass, before: detour)
        return told.map { "Trip \(number): told \(length(detour - $0.raisedAt)) before the last turn-off" }
            ?? "Trip \(number): not told before the last turn-off"
    }

    var subtitle: String {
        let height = "truck of \((Double(table.height) / 100).text(decimals: 2)) m"
        let interval = record.drive.settings.interval
        let fixes = "a fix every \(interval.text(decimals: interval == interval.rounded() ? 0 : 1)) s"
        return ([height, fixes] + [structure?.words].compactMap { $0 }).joined(separator: " · ")
    }

    /// Two decimals of a mile or a kilometre: a picture is looked at more closely than a warning is heard.
    private func length(_ metres: Metres) -> String {
        switch settings.units {
        case .imperial:
            metres < Unit.mile / 10 ? AlertText.length(metres, TextStyle(units: .imperial)) : miles(metres)
        case .metric:
            metres < 1000 ? "\(metres.text(decimals: 0)) m" : (metres / 1000).text(decimals: 2) + " km"
        }
    }

    private func miles(_ metres: Metres) -> String {
        let text = (metres / Unit.mile).text(decimals: 2)
        return (text.hasSuffix(".00") ? String(text.dropLast(3)) : text) + " mi"
    }
}
