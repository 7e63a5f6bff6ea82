public import Messages

/// All that explanations of one vehicle are worked out from, as it stood between two inputs; for any thread.
///
/// Holds the map and the fleet's turns as they were: to be let go soon, since the engine copies what it changes meanwhile.
public struct ExplanationSource: Sendable {
    let settings: EngineSettings
    let map: MapInForce.Parts
    let vehicle: Vehicle
    /// When the newest fix that was used was taken.
    public let newestFix: Timestamp
    /// Whether the vehicle is as it is stored, without what is derived from that.
    var isStored = false

    /// Why the vehicle is alerted as it stands, or why it is not.
    ///
    /// - Parameter time: not before `newestFix`.
    public func explanation(at time: Timestamp) -> Explanation? {
        let engine = Engine(settings, map: MapInForce(map))
        engine.keep(goneOn(in: engine))
        return engine.explanation(of: vehicle.id, at: time)
    }

    /// The answer to the vehicle's route, worked out again from where it is.
    ///
    /// - Parameter time: not before `newestFix`.
    /// - Returns: nil where it has no route, or none can be checked yet.
    public func routeCheck(at time: Timestamp) -> RouteCheckMessage? {
        let engine = Engine(settings, map: MapInForce(map))
        return engine.routeCheck(of: goneOn(in: engine), at: time)
    }

    /// The vehicle, with what is derived from what is stored of it.
    private func goneOn(in engine: Engine) -> Vehicle {
        guard isStored else { return vehicle }
        var vehicle = vehicle
        engine.goOn(&vehicle)
        engine.map.guide?.findStoredWays(of: &vehicle.guidance)
        return vehicle
    }

    /// Why the vehicle was alerted at an earlier time, or why it was not, worked out again from its fixes up to then, with the
    /// height, the route, the roads and the clearances of now.
    ///
    /// - Parameters:
    ///   - fixes: by time; each is taken as if it had come at once.
    ///   - time: not before the last of them.
    /// - Returns: nil where none of the fixes could be used.
    public func explanation(at time: Timestamp, replaying fixes: [Fix]) -> Explanation? {
        guard let first = fixes.first?.time else { return nil }
        var settings = settings
        // That they were kept says that they may be used; what they led to was counted then.
        (settings.consent, settings.keepsPositions, settings.countsTurns) = (.always, false, false)
        var map = map
        // Nobody is there to wait for.
        map.work = nil
        let engine = Engine(settings, map: MapInForce(map))
        func tell(_ report: Report, at time: Timestamp) {
            engine.advance(to: time)
            _ = engine.handle([.report(report, from: vehicle.address, receivedAt: time)])
        }
        if let profile = vehicle.profile {
            tell(.profile(profile), at: min(vehicle.profileSince ?? first, first))
        }
        if let route = vehicle.guidance.route { tell(.route(route), at: first) }
        for fix in fixes { tell(.location([fix]), at: fix.time) }
        engine.advance(to: time)
        return engine.explanation(of: vehicle.id, at: time)
    }
}
