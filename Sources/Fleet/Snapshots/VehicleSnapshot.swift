public import Geo
public import Messages

/// What there is to see of one vehicle at a moment, for who looks on from outside of the engine.
public struct VehicleSnapshot: Hashable, Sendable {
    public var address: VehicleAddress
    /// The newest that was accepted.
    public var fix: Fix?
    /// As reported, else from the fix before.
    public var speed: MetresPerSecond
    /// Where it is bound, or was when it last moved.
    public var course: Degrees?
    /// As published last: fences, height and its status, consent, presence, blind spots.
    public var state: StateMessage?
    /// Oldest first.
    public var alerts: [AlertSnapshot]
    /// As it was reported; nil: none is known.
    public var profile: HeightProfile?
    /// When the profile came.
    public var profileSince: Timestamp?
    /// When the profile ceases to hold; nil: never.
    public var profileEnds: Timestamp?
    /// What it is judged by: the height with its margin, rounded up.
    public var effectiveHeight: Centimetres
    public var margin: Metres
    /// In which people in it read.
    public var units: UnitSystem
    /// In which they read; nil: nobody said.
    public var language: Language?
    /// Where it is bound; nil: nobody said.
    public var route: Route?
    /// The id of the answer to `route`; nil: it is not answered yet.
    public var routeCheck: String?
    /// What its device was told to watch itself, nearest border first.
    public var regions: [Region]
    /// Where nothing can happen to it, as things stand; nil where there is no such place.
    public var quiet: Circle?
    /// How its device was last told to report; nil: it was not.
    public var tracking: TrackingMessage?

    public var vehicle: VehicleID { address.vehicle }
}

extension VehicleSnapshot {
    /// - Parameters:
    ///   - vehicle: also as it was stored: nothing here needs roads.
    ///   - route: which is kept beside it.
    ///   - time: not before the newest input.
    public init(_ vehicle: Vehicle, route: Route?, _ settings: EngineSettings, at time: Timestamp) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        self.init(
            address: vehicle.address, fix: vehicle.lastFix, speed: vehicle.speed, course: vehicle.course,
            state: vehicle.published, alerts: vehicle.alerts.map(AlertSnapshot.init), profile: vehicle.profile,
            profileSince: vehicle.profileSince,
            profileEnds: vehicle.profile.flatMap {
                EffectiveHeight.end(of: $0, since: vehicle.profileSince, settings.heights)
            },
            effectiveHeight: height.effective, margin: height.margin,
            units: settings.textStyle(of: vehicle).units, language: vehicle.profile?.language, route: route,
            routeCheck: vehicle.guidance.isCheckDue ? nil : vehicle.routeCheckID, regions: vehicle.regions.regions,
            quiet: vehicle.quiet.quiet?.circle, tracking: vehicle.quiet.published)
    }
}

extension Vehicle {
    /// Where it is bound; its bytes do not hold it. Nil: nobody said.
    public var route: Route? { guidance.route }
}

extension Engine {
    /// What there is to see of a vehicle; nil where it is not known, or may not be kept.
    ///
    /// - Parameter time: not before the newest input.
    public func snapshot(of id: VehicleID, at time: Timestamp) -> VehicleSnapshot? {
        vehicle(id).flatMap { vehicle in
            guard vehicle.mayBeKept(settings.consent) else { return nil }
            return VehicleSnapshot(vehicle, route: vehicle.route, settings, at: time)
        }
    }

    /// The snapshots of every vehicle that may be kept, in no order.
    public func snapshots(at time: Timestamp) -> [VehicleSnapshot] {
        vehicles.keys.compactMap { snapshot(of: $0, at: time) }
    }
}
