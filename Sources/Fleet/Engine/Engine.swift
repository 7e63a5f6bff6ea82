import Geo
public import Roads

/// What a batch of inputs caused: messages to send, vehicles to keep, inputs that were not used.
///
/// The engine carries nothing of it out.
public struct Effects: Sendable {
    /// In the order in which they were caused.
    public var envelopes: [Envelope] = []
    /// Vehicles whose state is no longer what it was.
    public var changed: Set<VehicleID> = []
    public var rejections: [(vehicle: VehicleID, reason: Rejection)] = []
    /// What became of entries that dispatch registered.
    public var registrations: [Registration] = []
    /// Turns that were driven at junctions, to be counted.
    public var turns: [TurnCounts.Row] = []
    public var fixesAccepted = 0

    public init() {}
}

/// The state of the fleet and the rules that move it.
///
/// Pure and deterministic: the same inputs give the same effects, byte for byte. It has no clock; time is part of every
/// input. Used by one thread at a time.
public final class Engine {
    public let settings: EngineSettings
    var vehicles: [VehicleID: Vehicle] = [:]
    var map: MapInForce
    private var deadlines = Deadlines()

    /// - Parameters:
    ///   - network: nil: no road file; clearances are then judged by straight line.
    ///   - clearances: those of files beside the road file.
    public init(_ settings: EngineSettings, network: RoadNetwork?, clearances: [PointClearance] = []) {
        self.settings = settings
        map = MapInForce(network, files: clearances, settings)
    }

    public var vehicleCount: Int { vehicles.count }
    public func vehicle(_ id: VehicleID) -> Vehicle? { vehicles[id] }

    // MARK: Inputs

    public func handle(_ inputs: some Sequence<Input>) -> Effects {
        var effects = Effects()
        // Changes of one batch are in force for all that follows in it; who is affected is judged once, at its end.
        var changed: (places: [Coordinate], time: Timestamp)?
        for input in inputs {
            switch input {
            case .report(let report, let address, let receivedAt):
                handle(report, from: address, receivedAt: receivedAt, &effects)
            case .clearances(let changes, let time):
                changed = ((changed?.places ?? []) + apply(changes, &effects), time)
            case .tick(let time):
                // One deadline may set the next, which a late tick finds due as well.
                while case let due = deadlines.due(at: time), !due.isEmpty {
                    for deadline in due { check(deadline.vehicle, at: deadline.time, &effects) }
                }
            }
        }
        if let changed, !changed.places.isEmpty { judge(near: changed.places, at: changed.time, &effects) }
        return effects
    }

    /// Lets go of everything that is known of a vehicle.
    public func forget(_ id: VehicleID) {
        vehicles[id] = nil
        deadlines.remove(id)
    }

    /// Another road file, or other clearances beside it: every vehicle is matched again; alerts whose hazard is no longer
    /// there end.
    public func replace(_ network: RoadNetwork?, clearances: [PointClearance] = [], at time: Timestamp) -> Effects {
        map.replace(network, files: clearances)
        var effects = Effects()
        for id in vehicles.keys.sorted() {
            guard var vehicle = vehicles[id] else { continue }
            vehicle.guidance.forgetWays()
            if let network = map.network {
                RoadTracker(network: network, settings: settings.fixes).restore(&vehicle)
            } else {
                vehicle.roads = []
            }
            guide(&vehicle, at: time, &effects)
            judge(&vehicle, at: time, reason: .mapChanged, &effects)
            finish(&vehicle, at: time, &effects)
        }
        return effects
    }

    // MARK: Clearances

    /// - Returns: where something is no longer as it was.
    private func apply(_ changes: [ClearanceChange], _ effects: inout Effects) -> [Coordinate] {
        changes.flatMap { change -> [Coordinate] in
            guard let outcome = map.apply(change) else { return [] }
            if let registration = outcome.registration { effects.registrations.append(registration) }
            return outcome.places
        }
    }

    /// Vehicles that a changed clearance may matter to now; the others are judged by it at their next fix anyhow.
    private func judge(near places: [Coordinate], at time: Timestamp, _ effects: inout Effects) {
        for id in vehicles.keys.sorted() {
            guard var vehicle = vehicles[id], let fix = vehicle.lastFix else { continue }
            let isNear = places.contains { $0.distance(to: fix.position) <= RuleDistance.changeNear }
            guard isNear || !vehicle.alerts.isEmpty else { continue }
            judge(&vehicle, at: time, reason: .clearanceChanged, &effects)
            finish(&vehicle, at: time, &effects)
        }
    }

    // MARK: One report

    private func handle(
        _ report: Report, from address: VehicleAddress, receivedAt: Timestamp, _ effects: inout Effects
    ) {
        guard vehicles[address.vehicle] != nil || vehicles.count < settings.vehiclesMax else {
            effects.rejections.append((address.vehicle, .tooManyVehicles))
            return
        }
        var vehicle = vehicles[address.vehicle] ?? Vehicle(address: address)
        var cause = receivedAt
        switch report {
        case .consent: return
        case .location(let fixes):
            vehicle.address = address
            for fix in fixes where handle(fix, of: &vehicle, receivedAt: receivedAt, &effects) { cause = fix.time }
        case .profile(let profile):
            guard apply(profile, to: &vehicle, receivedAt: receivedAt) else { return }
            judge(&vehicle, at: receivedAt, reason: .profileChanged, &effects)
        case .route(let route):
            guard vehicle.guidance.route != route else { return }
            vehicle.guidance.set(route)
            guide(&vehicle, at: receivedAt, &effects)
            judge(&vehicle, at: receivedAt, reason: .leftPath, &effects)
        case .presence(let presence):
            guard vehicle.presence != presence else { return }
            vehicle.presence = presence
        case .acknowledgement(let acknowledgement):
            guard apply(acknowledgement, to: &vehicle) else {
                effects.rejections.append((vehicle.id, .unknownAcknowledgement))
                return
            }
        }
        finish(&vehicle, at: receivedAt, cause: cause, &effects)
    }

    /// - Returns: whether the fix was used.
    private func handle(
        _ fix: Fix, of vehicle: inout Vehicle, receivedAt: Timestamp, _ effects: inout Effects
    ) -> Bool {
        if let reason = FixFilter(settings: settings.fixes).rejection(fix, of: vehicle, receivedAt: receivedAt) {
            effects.rejections.append((vehicle.id, reason))
            if reason == .implausiblyFast { vehicle.outliers += 1 }
            if reason == .fromTheFuture { vehicle.isClockSkewed = true }
            return false
        }
        effects.fixesAccepted += 1
        let previous = vehicle.lastFix
        if let previous { vehicle.gaps = [fix.time.since(previous.time)] + vehicle.gaps.prefix(1) }
        vehicle.firstFix = vehicle.firstFix ?? fix.time
        vehicle.lastFix = fix
        vehicle.speed = fix.speed(since: previous)
        vehicle.course = fix.course(since: previous) ?? vehicle.course
        vehicle.outliers = 0
        vehicle.isClockSkewed = false
        vehicle.isPositionStale = false
        if let network = map.network {
            RoadTracker(network: network, settings: settings.fixes).advance(&vehicle, to: fix, from: previous)
            effects.turns += map.countTurns(of: vehicle)
            guide(&vehicle, at: fix.time, &effects)
        }
        if receivedAt.since(fix.time) <= RuleTime.alertAgeMax {
            judge(&vehicle, at: fix.time, reason: .leftPath, &effects)
        }
        request(of: &vehicle, at: fix.time, &effects)
        return true
    }

    /// - Returns: whether anything changed.
    private func apply(_ profile: HeightProfile?, to vehicle: inout Vehicle, receivedAt: Timestamp) -> Bool {
        guard profile != vehicle.profile else { return false }
        vehicle.profile = profile
        vehicle.profileSince = profile == nil ? nil : receivedAt
        return true
    }

    private func apply(_ acknowledgement: Acknowledgement, to vehicle: inout Vehicle) -> Bool {
        switch acknowledgement {
        case .alert(let id, let sequence):
            guard let index = vehicle.alerts.firstIndex(where: { $0.id == id }) else { return false }
            guard sequence <= vehicle.alerts[index].last.sequence else { return false }
            vehicle.alerts[index].acknowledged = max(sequence, vehicle.alerts[index].acknowledged ?? 0)
            return true
        case .request, .regions:
            // Nothing waits for these yet; that the driver saw a request changes no state.
            return true
        }
    }

    // MARK: Routes

    /// Follows the vehicle along its route, and answers a route that has not been answered.
    private func guide(_ vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects) {
        guard vehicle.guidance.route != nil, let guide = map.guide else { return }
        let candidates = vehicle.roads.compactMap(\.candidate)
        if vehicle.guidance.isCheckDue { check(&vehicle, by: guide, candidates, at: time, &effects) }
        if let fix = vehicle.lastFix { guide.advance(&vehicle.guidance, at: fix.position, candidates) }
    }

    private func check(
        _ vehicle: inout Vehicle, by guide: RouteGuide, _ candidates: [MatchCandidate], at time: Timestamp,
        _ effects: inout Effects
    ) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        guard let table = map.hazards(for: height.effective)?.low.table else { return }
        let check = RouteCheck(guide: guide, table: table, units: vehicle.profile?.units ?? settings.units)
        guard let answer = check.answer(vehicle.guidance, candidates) else { return }
        vehicle.guidance.isCheckDue = false
        let message = RouteCheckMessage(
            id: DerivedID.of("route-check", vehicle.id.text, "\(vehicle.guidance.number)"), time: time,
            vehicleHeight: height.height, margin: height.margin, obstacles: answer.obstacles, line: answer.line,
            safeLine: answer.safeLine, text: answer.text)
        effects.envelopes.append(Envelope(address: vehicle.address, message: .routeCheck(message)))
    }

    // MARK: Rules

    /// Moves the vehicle's alerts, by the newest fix, as long as that says where the vehicle is now. What is no hazard any
    /// more ends without it.
    private func judge(
        _ vehicle: inout Vehicle, at time: Timestamp, reason: AlertMessage.ClearedReason, _ effects: inout Effects
    ) {
        guard let fix = vehicle.lastFix else { return }
        let messages = judgement(of: vehicle, at: time, reason).advance(&vehicle, fix)
        effects.envelopes += messages.map { Envelope(address: vehicle.address, message: .alert($0)) }
    }

    private func judgement(of vehicle: Vehicle, at time: Timestamp, _ reason: AlertMessage.ClearedReason) -> Judgement {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        let hazards = map.hazards(for: height.effective)
        return Judgement(
            network: map.network, straightLine: map.straightLine, hazards: hazards, settings: settings,
            model: map.turnModel, height: height, time: time, reason: reason)
    }

    /// Why a vehicle is alerted as things stand, or why it is not. Changes nothing.
    ///
    /// - Parameter time: not before the newest input.
    /// - Returns: nil where no fix of the vehicle has been used.
    public func explanation(of id: VehicleID, at time: Timestamp) -> Explanation? {
        guard let vehicle = vehicles[id], let fix = vehicle.lastFix else { return nil }
        return Inquiry(judgement: judgement(of: vehicle, at: time, .leftPath), vehicle: vehicle, fix: fix).explanation
    }

    /// What falls due without a fix.
    private func check(_ id: VehicleID, at time: Timestamp, _ effects: inout Effects) {
        guard var vehicle = vehicles[id] else { return }
        if let fix = vehicle.lastFix, time >= vehicle.staleFrom(fix, settings) { vehicle.isPositionStale = true }
        judge(&vehicle, at: time, reason: .profileChanged, &effects)
        request(of: &vehicle, at: time, &effects)
        finish(&vehicle, at: time, &effects)
    }

    private func request(of vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        guard let message = RequestMessage.due(for: &vehicle, height, at: time) else { return }
        effects.envelopes.append(Envelope(address: vehicle.address, message: .request(message)))
    }

    /// Keeps the vehicle, and publishes its state where that has changed.
    ///
    /// - Parameters:
    ///   - time: what holds then is published: a fix that comes late takes back nothing that fell due since.
    ///   - cause: the time of the fix that brought the change, which the message bears; nil: `time`.
    private func finish(
        _ vehicle: inout Vehicle, at time: Timestamp, cause: Timestamp? = nil, _ effects: inout Effects
    ) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        if var message = StateMessage.due(for: vehicle, height, map.data, at: time) {
            message.time = cause ?? time
            vehicle.published = message
            effects.envelopes.append(Envelope(address: vehicle.address, message: .state(message)))
        }
        effects.changed.insert(vehicle.id)
        vehicles[vehicle.id] = vehicle
        schedule(vehicle)
    }

    func schedule(_ vehicle: Vehicle) {
        if let deadline = vehicle.nextDeadline(settings) { deadlines.set(deadline, for: vehicle.id) }
    }
}
