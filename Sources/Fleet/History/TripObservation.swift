public import Clearances
public import Geo
public import Messages
public import Roads

/// Counts what recorded trips did: a recording says what was driven, by vehicles of whatever height, of which nobody had been
/// told anything.
public struct TripObservation {
    private let network: RoadNetwork
    private let settings: EngineSettings
    private let ground: CountingGround
    private var vehicles: [VehicleID: Vehicle] = [:]
    private var counts = PassageCounts()
    /// What all of them did, but for `counts`.
    private var counted = HazardHistory()

    /// - Parameters:
    ///   - clearances: those of files beside the road file.
    ///   - height: effective; hazards for it are counted. Nil: the height that is assumed.
    public init(
        _ network: RoadNetwork, clearances: [PointClearance] = [], height: Centimetres?, _ settings: EngineSettings
    ) {
        let network = MapInForce(network, files: clearances, settings).network ?? network
        self.network = network
        self.settings = settings
        let hazards = HeightHazards(
            network, height: height ?? EffectiveHeight(assumed: settings.heights).effective, settings)
        ground = CountingGround(network: network, reference: hazards.low, own: nil)
    }

    /// A whole trip whose roads are known.
    ///
    /// - Parameter edges: each a legal successor of the one before.
    public mutating func add(_ edges: [EdgeID]) {
        var passages = HazardPassages()
        passages.drive(edges, network, ground, into: &counts)
        passages.finish(into: &counts)
        settle()
    }

    /// What was recorded of a vehicle, in its order: positions, which are matched to the road wherever they are, and whether
    /// they may be used. What else there is does not matter.
    ///
    /// - Returns: why fixes were not used.
    public mutating func observe(_ input: Input) -> [InputError] {
        guard case .report(let report, let address, let receivedAt) = input else { return [] }
        let vehicle = vehicles[address.vehicle] ?? Vehicle(address: address)
        switch report {
        case .consent(let consent):
            vehicles[address.vehicle] = vehicle
            vehicles[address.vehicle]?.consent = consent
        case .location(let fixes) where vehicle.isInUse(settings.consent):
            vehicles[address.vehicle] = vehicle
            return fixes.sorted { $0.time < $1.time }.compactMap { observe($0, of: address.vehicle, receivedAt) }
        case .location(let fixes): return fixes.map { _ in .noConsent }
        default: break
        }
        return []
    }

    private mutating func observe(_ fix: Fix, of id: VehicleID, _ receivedAt: Timestamp) -> InputError? {
        guard var vehicle = vehicles[id] else { return nil }
        let filter = FixFilter(settings: settings.fixes)
        let previous = vehicle.lastFix
        if let reason = filter.rejection(fix, receivedAt: receivedAt) { return reason }
        if let previous, fix.time <= previous.time { return .outOfOrder }
        if let reason = filter.rejection(fix, after: previous, outliers: vehicle.outliers) {
            vehicles[id]?.outliers += 1
            return reason
        }
        (vehicle.outliers, vehicle.lastFix) = (0, fix)
        vehicle.noteRest(at: fix)
        RoadTracker(network: network, settings: settings.fixes).advance(&vehicle, to: fix, from: previous)
        vehicle.countPassages(at: fix, after: previous, settings, network, ground, into: &counts)
        vehicles[id] = vehicle
        settle()
        return nil
    }

    /// What all of them did, as if their trips ended here.
    public mutating func finish() -> HazardHistory {
        for id in vehicles.keys.sorted() { vehicles[id]?.passages.finish(into: &counts) }
        counted.add(counts)
        counts = PassageCounts()
        return counted
    }

    private mutating func settle() {
        guard counts.isFillingUp else { return }
        counted.add(counts)
        counts = PassageCounts()
    }
}
