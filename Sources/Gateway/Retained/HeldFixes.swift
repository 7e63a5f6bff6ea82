import DequeModule
import Fleet
import Messages

/// Fixes of vehicles about which the broker has not yet said what it retains: they are judged once it has.
///
/// Their messages are acknowledged, so that the journal has those of vehicles that are kept; nobody knows of others whether
/// they consent to it.
struct HeldFixes {
    /// Messages of all vehicles that have fixes: some 10 MB at most of what a device sends at once.
    private static let countMax = 10_000
    /// Messages of one vehicle; ten seconds at several a second.
    private static let countOfVehicleMax = 50

    private struct Reports {
        var inputs: [Input] = []
        /// How many of them the journal has, the first ones.
        var recordedCount = 0
    }

    private var reports: [VehicleID: Reports] = [:]
    /// Whose wait is over, in the order in which they are handed over.
    private var due: Deque<VehicleID> = []
    private var count = 0
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
    var addresses: [VehicleAddress] { vehicles.compactMap { reports[$0]?.inputs.last?.reporter } }

    var isEmpty: Bool { reports.isEmpty }

    func holds(_ vehicle: VehicleID) -> Bool { reports[vehicle] != nil }

    /// - Returns: whether there was room.
    mutating func hold(_ input: Input, of vehicle: VehicleID) -> Bool {
        guard count < Self.countMax, reports[vehicle, default: Reports()].inputs.count < Self.countOfVehicleMax else {
            return false
        }
        append(input, of: vehicle)
        return true
    }

    /// Holds a report whether there is room or not, and has all of its vehicle handed over.
    mutating func holdLast(_ input: Input, of vehicle: VehicleID) {
        append(input, of: vehicle)
        endWait(of: [vehicle])
    }

    /// Has a vehicle wait from now on, also where none of its fixes has come: a report without any stands for them, so that the
    /// journal says that it waits.
    mutating func beginWait(of address: VehicleAddress, at time: Timestamp) {
        guard !holds(address.vehicle) else { return }
        append(.report(.location([]), from: address, receivedAt: time), of: address.vehicle)
    }

    private mutating func append(_ input: Input, of vehicle: VehicleID) {
        reports[vehicle, default: Reports()].inputs.append(input)
        unrecorded.insert(vehicle)
        if input.hasFixes { count += 1 }
    }

    /// Hands over what is held of a vehicle, in the order in which it came.
    mutating func release(_ vehicle: VehicleID) -> [Input] {
        guard let reports = drop(vehicle) else { return [] }
        if reports.recordedCount > 0 { released.insert(vehicle) }
        return reports.inputs
    }

    /// What is held of these vehicles is to be handed over, by `releaseNext`.
    mutating func endWait(of vehicles: [VehicleID]) { due += vehicles.lazy.filter(holds) }

    /// Whether there is anything for `releaseNext`.
    var hasDue: Bool { !due.isEmpty }

    /// Hands over what is held of the next vehicle whose wait is over; nil: there is none.
    mutating func releaseNext() -> [Input]? { due.popFirst().map { release($0) } }

    /// Of a vehicle of which the journal has nothing any more.
    mutating func forget(_ vehicle: VehicleID) {
        drop(vehicle)
        // Its next fixes wait for an answer of their own.
        due.removeAll { $0 == vehicle }
        released.remove(vehicle)
    }

    @discardableResult
    private mutating func drop(_ vehicle: VehicleID) -> Reports? {
        unrecorded.remove(vehicle)
        guard let dropped = reports.removeValue(forKey: vehicle) else { return nil }
        count -= dropped.inputs.count(where: \.hasFixes)
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
        guard !isEmpty else { return [] }
        let waiting = reports.filter { $0.value.inputs.first?.arrival.map { $0 < time } ?? false }.map(\.key)
        return Set(waiting).subtracting(due).sorted()
    }
}

extension Input {
    /// When a report came.
    fileprivate var arrival: Timestamp? {
        if case .report(_, _, let receivedAt) = self { receivedAt } else { nil }
    }

    /// The vehicle whose position it tells; nil where it tells none.
    var reporter: VehicleAddress? {
        if case .report(.location, let address, _) = self { address } else { nil }
    }

    /// Whether it tells a position.
    var hasFixes: Bool { if case .report(.location(let fixes), _, _) = self { !fixes.isEmpty } else { false } }
}
