public import Messages

extension Engine {
    /// Why a vehicle is alerted as things stand, or why it is not. Changes nothing.
    ///
    /// - Parameter time: not before the newest input.
    /// - Returns: nil where no fix of the vehicle has been used.
    public func explanation(of id: VehicleID, at time: Timestamp) -> Explanation? {
        guard var vehicle = vehicles[id]?.awake.vehicle, let fix = vehicle.lastFix else { return nil }
        locateForExplanation(&vehicle, at: fix)
        let evaluator = evaluator(of: vehicle, at: time, now: time, moment: time, .leftPath)
        return ExplanationBuilder(evaluator: evaluator, vehicle: vehicle, fix: fix).explanation
    }

    /// Finds the road of a vehicle whose fixes have been passed over in its quiet circle: the one that it is known to be on is the
    /// last one before.
    private func locateForExplanation(_ vehicle: inout Vehicle, at fix: Fix) {
        guard let network = map.network, vehicle.quiet.hasPassedOver else { return }
        RoadTracker(network: network, settings: settings.fixes).advance(&vehicle, to: fix, from: nil)
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
