public import Roads

/// What a batch of inputs caused: messages to send, vehicles to keep, inputs that were not used.
///
/// The engine carries nothing of it out.
public struct Effects: Sendable {
    /// In the order in which they were caused.
    public var envelopes: [Envelope] = []
    /// To send if that can be done at once, and to keep nowhere: they are to vehicles that consent to nothing being kept.
    public var transient: [Envelope] = []
    /// In the order in which they were caused.
    public var blindSpotChanges: [BlindSpotChange] = []
    /// Vehicles whose state is no longer what it was.
    public var changed: Set<VehicleID> = []
    /// Those of them of which something waits for hazards that are still being made (`MapWork`), or whose quiet circle was
    /// taken back after a start: doing again what led to that would come to something else.
    public var awaiting: Set<VehicleID> = []
    /// When clearances have ended by their own time; nil: none has.
    public var clearancesEndedAt: Timestamp?
    /// Vehicles of which nothing may be kept any more, and no retained message may stand.
    public var forgotten: [VehicleAddress] = []
    /// Vehicles of which nothing was to be kept and that may be kept from now on.
    public var consented: [VehicleAddress] = []
    /// Addresses that vehicles had before their latest fix came on other levels: what is retained there is no longer kept up.
    public var left: [VehicleAddress] = []
    /// Those of the forgotten that somebody asked to be forgotten, and those that were not known.
    public var erasures: [VehicleErasure] = []
    /// What vehicles that are not kept have said about it; without their names.
    public var consentRecords: [ConsentRecord] = []
    /// Nil for a vehicle that consents to nothing: its name is not to be told on.
    public var rejections: [(vehicle: VehicleID?, reason: InputError)] = []
    /// What became of entries that dispatch registered.
    public var registrations: [Registration] = []
    /// Which serial stands for which fence now.
    public var fences: [KeptFence] = []
    /// Turns that were driven at junctions, to be counted.
    public var turns: [TurnCounts.Row] = []
    /// Of each of them, the position of the input in the batch that led to it; ascending.
    public var turnInputs: [Int] = []
    public var fixesAccepted = 0
    /// The fixes among them, where tracks are kept.
    public var positions: [TrackPoint] = []

    public init() {}

    /// What an earlier input of the batch caused about a vehicle that may be kept no longer is said to nobody.
    package mutating func leaveOut(_ vehicle: VehicleID) {
        changed.remove(vehicle)
        awaiting.remove(vehicle)
        envelopes.removeAll { $0.address.vehicle == vehicle }
        positions.removeAll { $0.vehicle == vehicle }
        blindSpotChanges.removeAll { $0.vehicle == vehicle }
        rejections = rejections.map { ($0.vehicle == vehicle ? nil : $0.vehicle, $0.reason) }
    }
}
