import Geo
import Messages
import Roads

/// Where vehicles are bound.
extension Engine {
    /// Follows the vehicle along its route, and answers a route that has not been answered.
    func guide(_ vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects) {
        guard vehicle.guidance.route != nil, let guide = map.guide else { return }
        let candidates = vehicle.roads.compactMap(\.candidate)
        if vehicle.guidance.isCheckDue { check(&vehicle, by: guide, candidates, at: time, &effects) }
        if let fix = vehicle.lastFix { guide.advance(&vehicle.guidance, at: fix.position, candidates) }
    }

    private func check(
        _ vehicle: inout Vehicle, by guide: RouteGuide, _ candidates: [MatchCandidate], at time: Timestamp,
        _ effects: inout Effects
    ) {
        guard let message = routeCheck(of: vehicle, by: guide, candidates, at: time) else { return }
        vehicle.guidance.isCheckDue = false
        effects.envelopes.append(Envelope(address: vehicle.address, message: .routeCheck(message)))
    }

    /// The answer to a vehicle's route from where it is; nil: it has none, or it is not known yet where that is, or what is too
    /// low for it.
    func routeCheck(of vehicle: Vehicle, at time: Timestamp) -> RouteCheckMessage? {
        map.guide.flatMap { routeCheck(of: vehicle, by: $0, vehicle.roads.compactMap(\.candidate), at: time) }
    }

    private func routeCheck(
        of vehicle: Vehicle, by guide: RouteGuide, _ candidates: [MatchCandidate], at time: Timestamp
    ) -> RouteCheckMessage? {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        guard let table = map.hazards(for: height.effective)?.low.table else { return nil }
        let check = RouteCheck(guide: guide, table: table, style: settings.textStyle(of: vehicle))
        guard let answer = check.answer(vehicle.guidance, candidates) else { return nil }
        return RouteCheckMessage(
            id: vehicle.routeCheckID, time: time,
            vehicleHeight: height.height, margin: height.margin, obstacles: answer.obstacles, line: answer.line,
            safeLine: answer.safeLine, text: answer.text)
    }
}

extension Vehicle {
    /// The id of the answer to its route.
    var routeCheckID: String { DerivedID.of("route-check", id.text, "\(guidance.number)") }
}
