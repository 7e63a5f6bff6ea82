public import Geo
public import Roads

/// How many passes were told in time, how far ahead, and how many alerts were for nothing: one interval of fixes.
public struct Evaluation: Sendable, Codable {
    /// Why an alert was for nothing.
    public enum Cause: String, CaseIterable, Sendable, Codable, CodingKeyRepresentable {
        /// The truck turned off before the last way out.
        case leftThePath = "left the path before the detour point"
        /// It came to the last way out and took it.
        case tookTheDetour = "took the detour"
        /// "Do not turn onto …", and it did not.
        case turnNotTaken = "turn-off not taken"
        case tripEnded = "trip ended"
    }

    public var interval: Seconds
    public var trips = 0
    public var kilometres = 0.0
    public var fixes = 0
    public var engineMicrosecondsPerFix = 0.0
    /// Low edges entered.
    public var passes = 0
    /// Those on public roads with a way round and two accepted fixes before the detour point.
    public var tellable = 0
    public var toldBefore = 0
    /// Of the tellable ones whose second fix came early enough for it: told at least the notice before.
    public var noticeable = 0
    public var toldWithNotice = 0
    /// Of the tellable ones that drove a mile before the detour point with the hazard on the predicted path.
    public var onPathForTheMile = 0
    public var toldAtTheMile = 0
    /// Of all that drove a mile before the detour point.
    public var droveTheMile = 0
    public var droveAndToldAtTheMile = 0
    /// Before the detour point, sorted.
    public var leadMetres: [Metres] = []
    public var leadSeconds: [Seconds] = []
    /// `stop` for a truck that still had a way round.
    public var wrongStops = 0
    public var falseAlerts = 0
    public var falseByStage: [String: Int] = [:]
    public var falseByCause: [Cause: Int] = [:]
    /// For structures that the trip crossed above or below.
    public var falseAboveOrBelow = 0
    /// What one circle of a mile round each low bridge would have said on the same trips.
    public var circleAlerts = 0
    public var circleFalse = 0
    /// Trips with a pass that was not told in time, by number, to look into.
    public var missed: [Int] = []

    public init(interval: Seconds) { self.interval = interval }

    public var falsePer1000Kilometres: Double { kilometres > 0 ? Double(falseAlerts) / kilometres * 1000 : 0 }
    public var circleFalsePer1000Kilometres: Double { kilometres > 0 ? Double(circleFalse) / kilometres * 1000 : 0 }
}

/// Drives trips through an engine and keeps the account.
public struct Evaluator {
    /// A structure this near to a trip that does not pass it is one above or below the road.
    private static let aboveOrBelow: Metres = 20
    /// How much short of the mile still counts: half a truck's length of map error each way, and noise.
    private static let mileTolerance: Metres = 50

    private let network: RoadNetwork
    private let table: HazardTable
    private let settings: EngineSettings
    private let engine: Engine
    private let circles: CircleBaseline
    public private(set) var result: Evaluation
    private var engineTime: Duration = .zero
    private let noise: Metres

    public init(
        _ network: RoadNetwork, height: Centimetres, settings: EngineSettings, interval: Seconds, noise: Metres
    ) {
        self.network = network
        self.settings = settings
        self.noise = noise
        table = HazardTable(network, height: height, rules: settings.detours)
        engine = Engine(settings, network: network)
        circles = CircleBaseline(network, table)
        result = Evaluation(interval: interval)
    }

    public var hazards: HazardTable { table }

    /// - Parameter number: names the trip in `Evaluation.missed` and seeds its noise.
    public mutating func add(_ trip: Trip, number: Int) {
        guard let vehicle = VehicleID("trip-\(number)") else { return }
        let start = Timestamp(milliseconds: 1_700_000_000_000)
        let drive = Drive(
            trip, Drive.Settings(interval: result.interval, noise: noise), from: start, seed: UInt64(number))
        let record = TripRecord(trip, drive, engine, table, network, vehicle: vehicle)
        engineTime += record.engineTime
        result.trips += 1
        result.kilometres += trip.length / 1000
        result.fixes += record.fixes.count
        let (seconds, attoseconds) = engineTime.components
        result.engineMicrosecondsPerFix =
            (Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(max(1, result.fixes))
        for pass in record.passes { judge(pass, record, number) }
        for alert in record.alerts { judge(alert, record) }
        let circle = circles.alerts(on: trip, passes: record.passes)
        result.circleAlerts += circle.all
        result.circleFalse += circle.false
    }

    public mutating func finish() {
        result.leadMetres.sort()
        result.leadSeconds.sort()
    }

    // MARK: Passes

    private mutating func judge(_ pass: Pass, _ record: TripRecord, _ number: Int) {
        result.passes += 1
        guard table.hazards[pass.hazard].isPublic, let detour = pass.detourDistance else { return }
        let before = record.fixes.filter { $0 < detour }
        guard before.count >= 2 else { return }
        result.tellable += 1
        let told = record.alert(for: pass, before: detour)
        let reached = record.drive.time(at: detour)
        if let told {
            result.toldBefore += 1
            result.leadMetres.append(detour - told.raisedAt)
            result.leadSeconds.append(reached.since(told.stages[0].time))
        } else {
            result.missed.append(number)
        }
        let second = record.trip.time(at: detour) - record.trip.time(at: before[1])
        if second >= settings.alerts.notice {
            result.noticeable += 1
            if let told, reached.since(told.stages[0].time) >= settings.alerts.notice { result.toldWithNotice += 1 }
        }
        judgeMile(pass, detour, told, record, seen: before[0])
    }

    private mutating func judgeMile(
        _ pass: Pass, _ detour: Metres, _ told: TripRecord.Alert?, _ record: TripRecord, seen: Metres
    ) {
        let mile = detour - settings.alerts.distance
        guard mile >= seen else { return }
        let isFull = told.map { detour - $0.raisedAt >= settings.alerts.distance - Self.mileTolerance } ?? false
        result.droveTheMile += 1
        if isFull { result.droveAndToldAtTheMile += 1 }
        let edge = record.edge(at: mile)
        let position = RoadPosition(edge: edge, offset: mile - record.start(of: edge, at: mile))
        let path = PathAhead(network, table, TurnModel(), minProbability: settings.alerts.minProbability)
        let isOnPath = path.prospects(from: position, reach: settings.alerts.distance + 1).contains {
            $0.hazard == pass.hazard && $0.decision == pass.decision
        }
        guard isOnPath else { return }
        result.onPathForTheMile += 1
        if isFull { result.toldAtTheMile += 1 }
    }

    // MARK: Alerts

    private mutating func judge(_ alert: TripRecord.Alert, _ record: TripRecord) {
        for stage in alert.stages where stage.stage == .stop && !isTooLate(alert.hazard, record, stage.distance) {
            result.wrongStops += 1
        }
        guard !record.wasRight(alert) else { return }
        result.falseAlerts += 1
        result.falseByStage[alert.worst.rawValue, default: 0] += 1
        result.falseByCause[cause(alert, record), default: 0] += 1
        let structure = network.clearance(table.hazards[alert.hazard].clearances[0]).position
        if record.trip.distance(to: structure) < Self.aboveOrBelow { result.falseAboveOrBelow += 1 }
    }

    /// Whether the truck really was past its last way out, allowing for noise along the road.
    private func isTooLate(_ hazard: Int, _ record: TripRecord, _ distance: Metres) -> Bool {
        [distance, distance + 3 * noise, distance - 3 * noise].contains { place in
            let edge = record.edge(at: max(0, place))
            if table.tooLate[edge, default: []].contains(where: { $0.hazard == hazard }) { return true }
            return table.hazards[hazard].zone.contains(edge)
        }
    }

    private func cause(_ alert: TripRecord.Alert, _ record: TripRecord) -> Evaluation.Cause {
        if alert.isSideRoad { return .turnNotTaken }
        let edges = record.trip.edges
        for index in edges.indices.dropLast() where record.trip.edgeStarts[index + 1] >= alert.raisedAt {
            let decisions = table.decisions[edges[index], default: []].filter { $0.hazard == alert.hazard }
            if !decisions.isEmpty && !decisions.contains(where: { $0.next == edges[index + 1] }) {
                return .tookTheDetour
            }
        }
        let end = alert.stages.last { $0.stage.isEnd }
        let isAtEnd = end.map { record.trip.length - $0.distance < 1 } ?? true
        return isAtEnd ? .tripEnded : .leftThePath
    }
}

extension TripRecord {
    /// Where the edge that the trip is on at `distance` begins along the trip.
    fileprivate func start(of edge: EdgeID, at distance: Metres) -> Metres {
        trip.edgeStarts.last { $0 <= distance } ?? 0
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
