import Geo
import Hashing
import Messages

/// What one vehicle's device was told to watch itself, and what it answered.
struct RegionState: Hashable, Sendable {
    /// The version of the set that was published last; 0: none was.
    private(set) var version = 0
    /// As published last.
    private(set) var regions: [Region] = []
    /// Where the vehicle was when they were chosen last.
    private(set) var place: Coordinate?
    /// What they were chosen by; nil after a restart.
    private(set) var basis: Basis?
    /// What has its border farther than this from `place` would not have been chosen.
    private(set) var reach = Metres.infinity
    /// The OwnTracks device that the last set was sent to, and its version.
    private var recipient: Recipient?
    /// The version that the device says it watches.
    private(set) var acknowledged: Int?
    /// Those of `regions` that it could not watch, by id.
    private(set) var failed: [StateMessage.Regions.Failure] = []

    struct Basis: Hashable, Sendable {
        /// Effective.
        var height: Centimetres
        var groups: [String]
        /// The revision of the map in force, in this run of the gateway.
        var revision: Int
        /// As the device was last told.
        var quiet: Circle?
    }

    fileprivate struct Recipient: Hashable {
        @BytewiseText var device: String
        var version: Int
    }

    /// For the state message; nil where nothing was ever sent.
    var report: StateMessage.Regions? {
        version > 0 ? StateMessage.Regions(version: version, acknowledged: acknowledged, failed: failed) : nil
    }

    /// Whether `report` is this.
    @inline(__always)
    func isReported(by report: StateMessage.Regions?) -> Bool {
        guard let report else { return version == 0 }
        return report.version == version && report.acknowledged == acknowledged && report.failed == failed
    }

    // MARK: Devices

    /// Whether a device watches the set that was published last, as far as telling goes. Retained messages are there for
    /// those that come later; commands to OwnTracks devices are not.
    func isKnown(to device: String?) -> Bool {
        guard let device, version > 0 else { return true }
        return recipient == Recipient(device: device, version: version)
    }

    /// Lets go of what was published, so that all of it is published again.
    mutating func forgetPublished() {
        (regions, failed) = ([], [])
        (place, basis) = (nil, nil)
    }

    // MARK: Choosing

    /// Has the regions chosen anew, though the vehicle has not moved.
    mutating func forgetBasis() { basis = nil }

    /// Whether the vehicle is so far from where its regions were chosen that others may be nearer.
    func hasMoved(to position: Coordinate) -> Bool {
        guard let place else { return true }
        return place.distance(to: position) >= RegionRule.moved
    }

    /// Within so far of a position lies what was chosen at another, unless it has been taken back since.
    func reach(at position: Coordinate) -> Metres { place.map { reach + $0.distance(to: position) + 1 } ?? .infinity }

    /// How a choice differs from what the device watches.
    struct Difference {
        /// Places in the choice.
        var added: [Int] = []
        /// Places in `regions`.
        var removed: [Int] = []
    }

    /// Nil where a choice is of what the device watches already, in whatever order.
    func difference(of choice: RegionChoice) -> Difference? {
        var difference = Difference()
        // Most stay as they are.
        var isKept = Array(repeating: false, count: regions.count)
        for index in choice.regions.indices {
            if let place = regions.place(of: choice.regions[index]) {
                isKept[place] = true
            } else {
                difference.added.append(index)
            }
        }
        if difference.added.isEmpty, choice.regions.count == regions.count { return nil }
        difference.removed = regions.indices.filter { index in
            !isKept[index] && !difference.added.contains { choice.regions[$0].$id == regions[index].$id }
        }
        return difference
    }

    /// Notes a choice that leaves the set as it is.
    mutating func confirm(_ choice: RegionChoice, at place: Coordinate, _ basis: Basis, device: String?) {
        self.place = place
        self.basis = basis
        reach = choice.reach
        if let device { recipient = Recipient(device: device, version: version) }
    }

    /// Takes up a choice of other regions. What the device could not watch of those that stay, it still cannot.
    ///
    /// - Returns: what it is to be told.
    mutating func publish(
        _ choice: RegionChoice, _ difference: Difference, at place: Coordinate, _ basis: Basis, limit: Int,
        of address: VehicleAddress, at time: Timestamp
    ) -> RegionsMessage {
        let added = difference.added.map { choice.regions[$0].id }
        let removed = difference.removed.map { regions[$0].id }
        version += 1
        confirm(choice, at: place, basis, device: address.device)
        regions = choice.regions
        if !failed.isEmpty { failed.removeAll { (added + removed).map(BytewiseText.init(_:)).contains($0.$id) } }
        return RegionsMessage(
            id: DerivedID.of("regions", address.vehicle.text, "\(version)", "\(time.milliseconds)"), version: version,
            time: time, limit: limit, regions: regions, added: added, removed: removed)
    }

    /// The set that was published last, whole; nil where none is in force.
    ///
    /// Its version is the same. Its id is another one, as its time is not kept, but the same each time.
    ///
    /// - Parameter first: when the vehicle was first seen: one that was forgotten and is back counts from 1.
    func again(limit: Int, of vehicle: VehicleID, since first: Timestamp, at time: Timestamp) -> RegionsMessage? {
        guard version > 0, place != nil else { return nil }
        return RegionsMessage(
            id: DerivedID.of("regions", vehicle.text, "\(version)", "again", "\(first.milliseconds)"),
            version: version, time: time, limit: limit, regions: regions, added: regions.map(\.id), removed: [])
    }

    // MARK: Answers

    /// What the device says of a set: what counts is the one it was sent last; of an older one nothing is to be learned.
    ///
    /// - Parameter failed: reasons, by id; ids that are none of the set's are passed over.
    /// - Returns: whether that version was ever sent.
    mutating func acknowledge(_ version: Int, failed: [BytewiseText: String]) -> Bool {
        guard version >= 1, version <= self.version else { return false }
        guard version == self.version else { return true }
        acknowledged = version
        self.failed = Set(regions.map(\.$id)).sorted().compactMap { id in
            failed[id].map { StateMessage.Regions.Failure(id: id.wrappedValue, reason: $0) }
        }
        return true
    }
}

extension [Region] {
    /// As `firstIndex(of:)`: circles tell regions apart sooner than names do. Of as many as a device watches, to look through them
    /// all takes less than to hash them.
    fileprivate func place(of region: Region) -> Int? {
        // By their places: to hand one over to a closure copies it.
        indices.first {
            self[$0].circle == region.circle && self[$0].kind == region.kind && self[$0].$id == region.$id
        }
    }
}

enum RegionRule {
    /// Regions are chosen anew after so far a way.
    static let moved: Metres = 500
    /// The name of the quiet circle among the regions.
    static let quietID: BytewiseText = "quiet"
}

extension RegionState: BinaryRecord {
    static var placeholder: Self { RegionState() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&version)
        try coder.code(&regions)
        try coder.code(&place)
        try coder.code(&recipient)
        try coder.code(&acknowledged)
        try coder.code(&failed)
        try coder.code(&reach)
    }
}

extension RegionState.Recipient: BinaryRecord {
    static var placeholder: Self { RegionState.Recipient(device: "", version: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&device)
        try coder.code(&version)
    }
}
