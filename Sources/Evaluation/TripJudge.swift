import Clearances
import Fleet
import Geo
import Messages
import Roads

/// Judges what a trip was told by what it did.
struct TripJudge: Sendable {
    /// A structure this near to a trip that does not pass it is one above or below the road.
    private static let aboveOrBelow: Metres = 20
    /// How much short of the mile still counts: half a truck's length of map error each way, and noise.
    private static let mileTolerance: Metres = 50

    /// Who comes to a structure again so soon after an alert for it ended has not been away from it.
    private static let repeatAfterPassed: Seconds = 30
    private static let repeatAfterCleared: Seconds = 300

    private let network: RoadNetwork
    private let table: HazardTable
    private let settings: EngineSettings
    private let model: TurnModel
    private let noise: Metres
    private let circles: CircleBaseline
    let hazardsByEntry: [EdgeKey: Int]

    init(_ network: RoadNetwork, _ table: HazardTable, _ settings: EngineSettings, _ model: TurnModel, noise: Metres) {
        self.network = network
        self.table = table
        self.settings = settings
        self.model = model
        self.noise = noise
        circles = CircleBaseline(network, table)
        let keys = table.hazards.enumerated().map { (network.key($1.entry), $0) }
        hazardsByEntry = Dictionary(keys, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter number: names the trip in `Evaluation.missed`.
    func evaluation(of record: TripRecord, number: Int) -> Evaluation {
        var result = Evaluation(interval: record.drive.settings.interval)
        result.trips = 1
        result.kilometres = record.trip.length / 1000
        result.hours = record.trip.duration / 3600
        result.fixesReported = record.reports.count
        result.fixesAccepted = record.fixes.count
        judgeMatches(record, &result)
        result.engineMicroseconds = record.engineTime / .microseconds(1)
        for pass in record.passes where !judge(pass, record, &result) { result.missed = [number] }
        for alert in record.alarms { judge(alert, record, &result) }
        for notice in record.alerts where notice.isNotice {
            result.notices += 1
            if !record.wasRight(notice) { result.falseNotices += 1 }
        }
        for index in record.alerts.indices { judgeOrder(of: index, record, &result) }
        if result.toldWithNotice < result.noticeable { result.late = [number] }
        if result.wrongStops > 0 { result.wronglyStopped = [number] }
        (result.circleAlerts, result.circleFalse) = circles.alerts(on: record.trip, passes: record.passes)
        return result
    }

    /// Where two edges meet, noise along the road may have either.
    private func judgeMatches(_ record: TripRecord, _ result: inout Evaluation) {
        for (distance, match) in zip(record.fixes, record.matches) where distance < record.trip.length {
            guard let match else { continue }
            result.fixesMatched += 1
            let isRight = places(around: distance).contains {
                network.original(record.trip.position(at: $0).edge) == match
            }
            if isRight { result.fixesMatchedRight += 1 }
        }
    }

    // MARK: Passes

    /// - Returns: false where it ought to have been told and was not.
    private func judge(_ pass: Pass, _ record: TripRecord, _ result: inout Evaluation) -> Bool {
        result.passes += 1
        guard network.isOpenToAll(table.hazards[pass.hazard]), let detour = pass.detourDistance else { return true }
        let before = record.fixes.filter { $0 < detour }
        guard before.count >= 2 else { return true }
        let told = record.alarm(for: pass, before: detour)
        result.tellable += 1
        if told != nil { result.toldBefore += 1 }
        let noticed = record.alert(for: pass, before: detour)
        if noticed != nil { result.noticedBefore += 1 }
        if record.isSilent(for: settings.alerts.notice + result.interval, before: detour) {
            result.silenced += 1
            if told != nil { result.silencedToldBefore += 1 }
        }
        let lead = told.map { record.drive.time(at: detour).since($0.stages[0].time) }
        if let told, let lead {
            result.leadMetres.append(detour - told.raisedAt)
            result.leadSeconds.append(lead)
        }
        if record.trip.time(at: detour) - record.trip.time(at: before[1]) >= settings.alerts.notice {
            result.noticeable += 1
            if lead ?? 0 >= settings.alerts.notice { result.toldWithNotice += 1 }
        }
        var site = SiteEvaluation(
            tellable: 1, toldBefore: told == nil ? 0 : 1, noticedBefore: noticed == nil ? 0 : 1)
        judgeMile(pass, detour, told, noticed, record, seen: before[0], &result, &site)
        result.sites[network.clearance(table.structure(pass.hazard)).id, default: SiteEvaluation()] += site
        return told != nil
    }

    private func judgeMile(
        _ pass: Pass, _ detour: Metres, _ told: TripRecord.Alert?, _ noticed: TripRecord.Alert?,
        _ record: TripRecord, seen: Metres, _ result: inout Evaluation, _ site: inout SiteEvaluation
    ) {
        let mile = detour - settings.alerts.distance
        // What lies between two fixes nobody can know of: the path is judged where the truck was last seen.
        guard mile >= seen, let last = record.fixes.last(where: { $0 <= mile }) else { return }
        let begin = mile + Self.mileTolerance
        let isFull = told.map { $0.raisedAt <= begin } ?? false
        site.droveTheMile = 1
        site.droveAndToldAtTheMile = isFull ? 1 : 0
        site.droveAndNoticedAtTheMile = noticed.map { $0.raisedAt <= begin } ?? false ? 1 : 0
        result.droveTheMile += 1
        result.droveAndToldAtTheMile += site.droveAndToldAtTheMile
        result.droveAndNoticedAtTheMile += site.droveAndNoticedAtTheMile
        let path = PathAhead(network, table, model, minProbability: settings.alerts.minProbability)
        let isOnPath = path.upcomingHazards(from: record.trip.position(at: last), reach: detour - last + 1).contains {
            $0.hazard == pass.hazard && $0.decision == pass.decision
        }
        guard isOnPath else { return }
        result.onPathForTheMile += 1
        if isFull { result.toldAtTheMile += 1 }
    }

    // MARK: Alerts

    private func judge(_ alert: TripRecord.Alert, _ record: TripRecord, _ result: inout Evaluation) {
        result.alerts += 1
        for stage in alert.stages where stage.stage == .stop {
            result.stops += 1
            if !isTooLate(alert.hazard, record.trip, stage.distance) { result.wrongStops += 1 }
        }
        guard !record.wasRight(alert) else { return }
        result.falseAlerts += 1
        result.falseByStage[alert.worst.rawValue, default: 0] += 1
        result.falseByCause[cause(alert, record), default: 0] += 1
        let structure = network.clearance(table.hazards[alert.hazard].structures[0]).position
        if record.trip.distance(to: structure) < Self.aboveOrBelow { result.falseAboveOrBelow += 1 }
    }

    /// One approach is told of by one alert, which ends as what has become of it.
    private func judgeOrder(of index: Int, _ record: TripRecord, _ result: inout Evaluation) {
        let alert = record.alerts[index]
        result.raised += 1
        let earlier = record.alerts[..<index].filter { table.structure($0.hazard) == table.structure(alert.hazard) }
        if earlier.contains(where: { $0.end.map { $0.time > alert.stages[0].time } ?? true }) {
            result.doubled += 1
        } else if earlier.contains(where: { $0.end.map { isRepeat(alert, after: $0) } ?? false }) {
            result.repeated += 1
        }
        guard let end = alert.end, end.stage == .cleared else { return }
        let isPass = record.passes.contains { pass in
            pass.entries.contains(alert.hazard) && alert.raisedAt < pass.structureDistance ?? -1
                && end.distance >= pass.entryDistance
        }
        if isPass { result.clearedPasses += 1 }
    }

    private func isRepeat(_ alert: TripRecord.Alert, after end: TripRecord.Message) -> Bool {
        let limit = end.stage == .passed ? Self.repeatAfterPassed : Self.repeatAfterCleared
        return alert.stages[0].time.since(end.time) <= limit
    }

    /// Whether the truck really was past its last turn-off, allowing for noise along the road.
    private func isTooLate(_ hazard: Int, _ trip: Trip, _ distance: Metres) -> Bool {
        places(around: distance).contains { place in
            let edge = trip.position(at: place).edge
            if table.tooLate[edge, default: []].contains(where: { $0.hazard == hazard }) { return true }
            return table.zones[network.original(edge), default: []].contains(hazard)
        }
    }

    /// Where along a trip noise may have a vehicle.
    private func places(around distance: Metres) -> [Metres] { [distance, distance + 3 * noise, distance - 3 * noise] }

    private func cause(_ alert: TripRecord.Alert, _ record: TripRecord) -> Evaluation.Cause {
        if alert.isSideRoad { return .turnNotTaken }
        let trip = record.trip
        for index in trip.edges.indices.dropLast() where trip.edgeStarts[index + 1] >= alert.raisedAt {
            let decisions = table.decisions[trip.edges[index], default: []].filter { $0.hazard == alert.hazard }
            if !decisions.isEmpty && !decisions.contains(where: { $0.next == trip.edges[index + 1] }) {
                return .tookTheDetour
            }
        }
        let end = alert.stages.last { $0.stage.isEnd }
        let isAtEnd = end.map { trip.length - $0.distance < 1 } ?? true
        return isAtEnd ? .tripEnded : .leftThePath
    }
}

extension Trip {
    /// From its line to a point.
    fileprivate func distance(to point: Coordinate) -> Metres {
        let plane = LocalPlane(latitude: point.latitude)
        let corners = corners.map { plane.vector(from: point, to: $0.position) }
        return zip(corners, corners.dropFirst()).map { projectOrigin(onto: $0, $1).distance }.min() ?? .infinity
    }
}
