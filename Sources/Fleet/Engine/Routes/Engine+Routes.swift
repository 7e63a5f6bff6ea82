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
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        guard let table = map.hazards(for: height.effective)?.low.table else { return }
        let check = RouteCheck(guide: guide, table: table, style: settings.textStyle(of: vehicle))
        guard let answer = check.answer(vehicle.guidance, candidates) else { return }
        vehicle.guidance.isCheckDue = false
        let message = RouteCheckMessage(
            id: vehicle.routeCheckID, time: time,
            vehicleHeight: height.height, margin: height.margin, obstacles: answer.obstacles, line: answer.line,
            safeLine: answer.safeLine, text: answer.text)
        effects.envelopes.append(Envelope(address: vehicle.address, message: .routeCheck(message)))
    }
}

extension Vehicle {
    /// The id of the answer to its route.
    var routeCheckID: String { DerivedID.of("route-check", id.text, "\(guidance.number)") }
}
