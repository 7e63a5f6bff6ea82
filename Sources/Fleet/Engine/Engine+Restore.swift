import Geo
public import Messages
public import Roads

/// Taking up, after a start, what was kept.
extension Engine {
    /// Takes up a vehicle as it was kept; call before the first input.
    ///
    /// - Parameter state: that it was read from, by which it is kept while it is at rest; nil: it is not.
    public func restore(_ vehicle: Vehicle, state: [UInt8]? = nil) {
        let kept = keep(vehicle)
        if let state, vehicle.mayRest { kept.rest(as: state, in: self) } else { goOn(&kept.awake.vehicle) }
        if vehicle.published?.blind.contains(.tablesPending) == true { awaiting[vehicle.id] = AwaitingVehicle() }
    }

    /// Has a vehicle go on from what was stored of it.
    func goOn(_ vehicle: inout Vehicle) {
        findRoad(of: &vehicle)
    }

    @discardableResult
    func keep(_ vehicle: Vehicle) -> KeptVehicle {
        let kept = KeptVehicle(vehicle)
        vehicles[kept.id] = kept
        note(&kept.awake.vehicle, in: kept)
        return kept
    }

    /// Finds again, in the road file in force, where a vehicle was.
    ///
    /// - Parameter known: roads of this road file on which it has been found already.
    func findRoad(of vehicle: inout Vehicle, from known: [MatchedRoad] = []) {
        if let network = map.network {
            RoadTracker(network: network, settings: settings.fixes).restore(&vehicle, from: known)
        } else {
            vehicle.roads = []
        }
    }

    /// Has a vehicle, which has just been stored, go on as after a start: what is derived from what is stored is found again.
    ///
    /// - Parameter state: what `Vehicle.state()` gives for it now, by which it is kept from here on if it is at rest.
    public func resume(_ id: VehicleID, storedAs state: [UInt8]) {
        guard let kept = vehicles[id], !kept.isAtRest else { return }
        let awake = kept.awake
        let known = awake.vehicle.roads
        awake.vehicle.forgetDerived()
        let mayRest = awake.vehicle.mayRest
        if !mayRest { findRoad(of: &awake.vehicle, from: known) }
        note(&awake.vehicle, in: kept)
        if mayRest { kept.rest(as: state, in: self) }
    }

    /// Takes up which serial stood for which fence; call before any fence of a topic.
    public func restore(_ fences: [KeptFence]) { catalogue = FenceCatalogue(catalogue, kept: fences) }

    /// Whether a vehicle is kept.
    public func keeps(_ id: VehicleID) -> Bool { vehicles[id] != nil }

    /// Whether anything of a vehicle may be kept, or it may be named.
    public func mayBeKept(_ id: VehicleID) -> Bool { vehicles[id] != nil || withoutConsent.permits(id) }

    /// Whether anything is held of a vehicle, in memory at least.
    public func knows(_ id: VehicleID) -> Bool { vehicles[id] != nil || withoutConsent.isKnown(id) }

    /// Where a vehicle has said that nothing of it may be kept; nil: it has not since the start.
    public func refusalAddress(of id: VehicleID) -> VehicleAddress? { withoutConsent.refusalAddress(of: id) }

    /// All vehicles that are kept, by their ids.
    public var addresses: [VehicleAddress] { vehicles.keys.sorted().compactMap { vehicles[$0]?.address } }

    /// Takes up what a vehicle that may not be kept has said.
    public func restore(_ refusal: ConsentRecord) { withoutConsent.restore(refusal) }

    /// Takes up an input that was in force and answered before, after the vehicles: routes and clearances of dispatch.
    public func restore(_ input: Input) {
        switch input {
        case .clearances(let changes, _): for change in changes { _ = map.apply(change) }
        case .report(.route(let route), let address, _):
            vehicles[address.vehicle]?.awake.vehicle.guidance.restore(route)
        case .fences(let changes, _): for change in changes { _ = catalogue.apply(change) }
        case .report, .forget, .tick, .backlog: break
        }
    }

    /// Takes up where clearances had changed that were not in force yet; the vehicles near them are judged once what follows from
    /// the map is made.
    public func restore(_ places: ChangedPlaces) {
        awaitedPlaces = places
        hasRestoredPlaces = !places.isEmpty
        isBacklog = isBacklog || !places.isEmpty
    }

    /// Takes up that vehicles were still to be judged by fences: by which, and which vehicles, is not known. Call once the journal
    /// has been done again.
    public func restoreUnjudgedFences() {
        unjudged.add(vehicles.keys.sorted(), after: EntryChanges(fences: FenceChanges(nil)))
    }

    /// Takes back clearances that had ended before the start. Call before `prepare`.
    public func restoreEnds(until time: Timestamp) { _ = map.expire(at: time) }

    /// Ends those that have ended since, though no tick has come: the vehicles near them are judged once what follows from the map
    /// is made. Call once the journal has been done again.
    public func endClearances(at time: Timestamp) {
        let places = map.expire(at: time)
        guard !places.isEmpty else { return }
        awaitedPlaces.add(places)
        hasRestoredPlaces = true
    }

    /// Takes up how the fleet turned at junctions.
    public func restore(_ turns: [TurnCounts.Row]) { map.take(turns) }

    /// Call once all is restored.
    public func prepare() {
        catalogue.forgetGone()
        _ = catalogue.takeReplaced()
        for kept in vehicles.values {
            var vehicle = kept.copy
            if vehicle.fences.forgetGone(catalogue) { kept.awake.vehicle = vehicle }
            // When something falls due in a fence of a topic is known only now.
            note(&vehicle, in: kept)
            // A position that is to be shown no longer must not wait for a fix to leave the topic: that may never come.
            if let published = vehicle.published, published.position != nil, !settings.showsPosition {
                deadlines.set(published.time, for: kept)
            }
            if vehicle.quiet.published?.quiet != nil { toldBefore.insert(kept.id) }
            if hasEndedConsent(vehicle) {
                leaveAlone(kept)
                withEndedConsent.append(kept.id)
            }
        }
        withEndedConsent.sort()
    }

    /// The assumed height and those of all vehicles.
    var heights: Set<Centimetres> {
        vehicles.values.reduce(into: [EffectiveHeight(assumed: settings.heights).effective]) { heights, kept in
            let vehicle = kept.copy
            let time = vehicle.lastFix?.time ?? .distantPast
            heights.insert(EffectiveHeight(of: vehicle, at: time, settings.heights).effective)
        }
    }
}
