import Fleet
import Messages

/// Fixes of vehicles about which the broker has not yet said what it retains: they are judged once it has.
struct HeldFixes {
    /// Messages of all vehicles: some 10 MB at most of what a device sends at once.
    private static let countMax = 10_000
    /// Messages of one vehicle; ten seconds at several a second.
    private static let countOfVehicleMax = 50

    private var inputs: [VehicleID: [Input]] = [:]
    private var count = 0

    /// - Returns: whether there was room.
    mutating func hold(_ input: Input, of vehicle: VehicleID) -> Bool {
        guard count < Self.countMax, inputs[vehicle, default: []].count < Self.countOfVehicleMax else { return false }
        inputs[vehicle, default: []].append(input)
        count += 1
        return true
    }

    /// Hands over what is held of a vehicle, in the order in which it came.
    mutating func release(_ vehicle: VehicleID) -> [Input] {
        let released = inputs.removeValue(forKey: vehicle) ?? []
        count -= released.count
        return released
    }

    mutating func releaseAll() -> [Input] { inputs.keys.sorted().flatMap { release($0) } }

    /// Vehicles of which something has been held since before `time`.
    func vehicles(since time: Timestamp) -> [VehicleID] {
        guard count > 0 else { return [] }
        return inputs.filter { $0.value.first?.arrival.map { $0 < time } ?? false }.map(\.key).sorted()
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
}
