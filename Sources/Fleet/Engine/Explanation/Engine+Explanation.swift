public import Messages

extension Engine {
    /// Why a vehicle is alerted as things stand, or why it is not. Changes nothing.
    ///
    /// - Parameter time: not before the newest input.
    /// - Returns: nil where no fix of the vehicle has been used.
    public func explanation(of id: VehicleID, at time: Timestamp) -> Explanation? {
        guard let vehicle = vehicles[id]?.awake.vehicle, let fix = vehicle.lastFix else { return nil }
        let evaluator = evaluator(of: vehicle, at: time, now: time, moment: time, .leftPath)
        return ExplanationBuilder(evaluator: evaluator, vehicle: vehicle, fix: fix).explanation
    }

    /// What explanations of a vehicle are worked out from on another thread.
    ///
    /// - Returns: nil where no fix of the vehicle has been used.
    public func explanationSource(of id: VehicleID) -> ExplanationSource? {
        guard let vehicle = vehicles[id]?.awake.vehicle, let fix = vehicle.lastFix else { return nil }
        return ExplanationSource(settings: settings, map: map.parts, vehicle: vehicle, newestFix: fix.time)
    }

    /// The same for a vehicle of another engine, which goes by the same map.
    ///
    /// - Parameters:
    ///   - vehicle: as it is stored.
    ///   - route: which is not stored with it; nil: it has none.
    /// - Returns: nil where no fix of the vehicle has been used.
    public func explanationSource(ofStored vehicle: Vehicle, route: Route?) -> ExplanationSource? {
        guard let fix = vehicle.lastFix else { return nil }
        var (stored, parts) = (vehicle, map.parts)
        stored.guidance.restore(route)
        // This engine may have no vehicle of that height, for which the hazards would be made elsewhere.
        parts.work = nil
        return ExplanationSource(
            settings: settings, map: parts, vehicle: stored, newestFix: fix.time, isStored: true)
    }
}
