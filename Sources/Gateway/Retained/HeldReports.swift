import DequeModule
import Fleet
import Messages

/// Fixes of vehicles about which the broker has not yet said what it retains, and what was published about their vehicle behind
/// them: they are judged once it has.
///
/// Their messages are acknowledged, so that the journal has those of vehicles that are kept; nobody knows of others whether
/// they consent to it.
struct HeldReports {
    /// Fixes of all vehicles, as many as a journal has, and other reports by the room that they take: 65 MB where each fix is a message
    /// of its own. A message takes some 220 bytes, at most 2,800 where topics are as long as they may be, and 104 for each of its fixes.
    private static let sizeMax = 200_000
    /// Messages of one vehicle: more than come in `WaitingVehicles.waitMax` at one a second.
    private static let countOfVehicleMax = 200

    private struct Reports {
        var inputs: [Input] = []
        /// When the first of them came, or one before it that is held no longer.
        var since: Timestamp?
        /// How many of them the journal has, the first ones.
        var recordedCount = 0
        /// How many wait no longer, the first ones.
        var dueCount = 0
    }

    private var reports: [VehicleID: Reports] = [:]
    /// Of whom some wait no longer, in the order in which they are handed over.
    private var due: Deque<VehicleID> = []
    /// In fixes.
    private var size = 0
    /// Of whom some may not be in the journal.
    private var unrecorded: Set<VehicleID> = []
    /// Of whom the journal still has what is no longer held.
    private var released: Set<VehicleID> = []

    init() {}

    /// What is held after the records of a journal.
    ///
    /// - Parameter isKept: of which vehicles anything may be held.
    init(_ journal: [JournalRecord], of isKept: (VehicleID) -> Bool) {
        for record in journal {
            for vehicle in record.released { drop(vehicle) }
            for (address, report) in record.held where isKept(address.vehicle) {
                append(report, of: address.vehicle)
                reports[address.vehicle]?.recordedCount += 1
            }
        }
        unrecorded = []
    }

    var vehicles: [VehicleID] { reports.keys.sorted() }

    /// Where each of them publishes.
    var addresses: [VehicleAddress] { vehicles.compactMap { reports[$0]?.inputs.last?.address } }

    var isEmpty: Bool { reports.isEmpty }

    func holds(_ vehicle: VehicleID) -> Bool { reports[vehicle] != nil }

    /// What is held of a vehicle, in the order in which it came.
    func reports(of vehicle: VehicleID) -> some Sequence<Report> {
        let inputs = reports[vehicle]?.inputs ?? []
        return inputs.lazy.compactMap { if case .report(let report, _, _) = $0 { report } else { nil } }
    }

    /// Whether a report of the same kind waits of its vehicle, which is the one that was kept last.
    func hasLater(than input: Input) -> Bool {
        guard case .report(let report, let address, _) = input, let topicSuffix = report.retainedSuffix else {
            return false
        }
        return reports(of: address.vehicle).contains { $0.retainedSuffix == topicSuffix }
    }

    /// Holds a report.
    ///
    /// - Returns: how many of its vehicle there is no room for any more, the older half, or all with this one.
    mutating func hold(_ input: Input, of vehicle: VehicleID) -> Int {
        append(input, of: vehicle)
        let inputs = reports[vehicle]?.inputs ?? []
        guard size > Self.sizeMax || inputs.count > Self.countOfVehicleMax else { return 0 }
        let older = inputs.prefix((inputs.count + 1) / 2)
        return size - Self.size(of: older) > Self.sizeMax ? inputs.count : older.count
    }

    private static func size(of inputs: some Sequence<Input>) -> Int { inputs.reduce(0) { $0 + $1.heldSize } }

    /// Has a vehicle wait from now on, also where none of its fixes has come: a report without any stands for them, so that the
    /// journal says that it waits.
    mutating func beginWait(of address: VehicleAddress, at time: Timestamp) {
        guard !holds(address.vehicle) else { return }
        append(.report(.location([]), from: address, receivedAt: time), of: address.vehicle)
    }

    private mutating func append(_ input: Input, of vehicle: VehicleID) {
        reports[vehicle, default: Reports(since: input.arrival)].inputs.append(input)
        unrecorded.insert(vehicle)
        size += input.heldSize
    }

    /// Hands over what is held of a vehicle, in the order in which it came.
    ///
    /// - Parameter count: how many at most. The others are held as if they had come just now, so that the journal has them.
    mutating func release(_ vehicle: VehicleID, first count: Int = .max) -> [Input] {
        guard count > 0, let reports = drop(vehicle) else { return [] }
        if reports.recordedCount > 0 { released.insert(vehicle) }
        for input in reports.inputs.dropFirst(count) { append(input, of: vehicle) }
        self.reports[vehicle]?.since = reports.since
        self.reports[vehicle]?.dueCount = max(0, reports.dueCount - count)
        return Array(reports.inputs.prefix(count))
    }

    /// What is held of these vehicles is to be handed over, by `releaseNext`.
    mutating func endWait(of vehicles: [VehicleID]) {
        for vehicle in vehicles { endWait(of: vehicle, first: .max) }
    }

    /// The same of the first so many reports of a vehicle.
    mutating func endWait(of vehicle: VehicleID, first count: Int) {
        guard let known = reports[vehicle]?.dueCount else { return }
        reports[vehicle]?.dueCount = max(known, count)
        due.append(vehicle)
    }

    /// Whether there is anything for `releaseNext`.
    var hasDue: Bool { !due.isEmpty }

    /// Hands over what waits no longer of the next vehicle; nil: there is none.
    mutating func releaseNext() -> [Input]? { due.popFirst().map { release($0, first: reports[$0]?.dueCount ?? 0) } }

    /// Of a vehicle of which the journal has nothing any more.
    ///
    /// - Returns: what was held of it besides fixes, in the order in which it came.
    @discardableResult
    mutating func forget(_ vehicle: VehicleID) -> [Input] {
        let inputs = drop(vehicle)?.inputs ?? []
        // Its next fixes wait for an answer of their own.
        due.removeAll { $0 == vehicle }
        released.remove(vehicle)
        return inputs.filter { $0.reporter == nil }
    }

    @discardableResult
    private mutating func drop(_ vehicle: VehicleID) -> Reports? {
        unrecorded.remove(vehicle)
        guard let dropped = reports.removeValue(forKey: vehicle) else { return nil }
        size -= Self.size(of: dropped.inputs)
        return dropped
    }

    /// What the journal is to have, since this was last called.
    ///
    /// - Parameter isKept: of which vehicles it may have anything.
    /// - Returns: reports that are held, and vehicles of which it has some that are held no longer.
    mutating func takeUnrecorded(of isKept: (VehicleID) -> Bool) -> (held: [Input], released: [VehicleID]) {
        guard !unrecorded.isEmpty || !released.isEmpty else { return ([], []) }
        var held: [Input] = []
        for vehicle in unrecorded.sorted() where isKept(vehicle) {
            guard let reports = reports[vehicle] else { continue }
            held += reports.inputs[reports.recordedCount...]
            self.reports[vehicle]?.recordedCount = reports.inputs.count
        }
        defer { (unrecorded, released) = ([], []) }
        return (held, released.sorted())
    }

    /// Vehicles that have waited since before `time`, and wait still.
    func vehicles(since time: Timestamp) -> [VehicleID] {
        let waiting = Set(reports.lazy.filter { $0.value.since.map { $0 < time } ?? false }.map(\.key))
        return waiting.isEmpty ? [] : waiting.subtracting(due).sorted()
    }
}

extension Input {
    /// When a report came.
    fileprivate var arrival: Timestamp? {
        if case .report(_, _, let receivedAt) = self { receivedAt } else { nil }
    }

    /// The vehicle that it is a report of; nil where it is none.
    var address: VehicleAddress? {
        if case .report(_, let address, _) = self { address } else { nil }
    }

    /// The vehicle whose position it tells; nil where it tells none.
    var reporter: VehicleAddress? {
        if case .report(.location, let address, _) = self { address } else { nil }
    }

    /// The room that it takes, in fixes.
    fileprivate var heldSize: Int {
        switch self {
        case .report(.location(let fixes), _, _): fixes.count
        case .report(.route(.line(let places)), _, _), .report(.route(.waypoints(let places)), _, _): places.count
        default: 1
        }
    }

    /// How many positions it tells.
    var fixCount: Int { if case .report(.location(let fixes), _, _) = self { fixes.count } else { 0 } }
}
