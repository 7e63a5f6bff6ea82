import Messages

/// A vehicle where it is kept, with what finds it again. It is changed in place: to copy all that is known of a vehicle
/// costs more than most of its fixes do.
///
/// One at rest is kept as the bytes that were stored of it, which take a tenth of the memory, until something concerns it: what
/// is derived and not stored is then found again, as after a start.
final class KeptVehicle {
    final class Awake {
        var vehicle: Vehicle

        init(_ vehicle: Vehicle) { self.vehicle = vehicle }
    }

    let id: VehicleID
    /// Nil while the vehicle is at rest.
    private var awakened: Awake?
    /// As `Vehicle.state()` gave it; empty while the vehicle is not at rest.
    private var state: [UInt8] = []
    /// By which one at rest is woken.
    private unowned var engine: Engine?
    /// Where `VehicleIndex` has it.
    var place = VehicleIndex.Place()
    /// As `Deadlines` has it; nil: nothing falls due without a fix.
    var deadline: Timestamp?
    /// The time of the entry of `Deadlines` that counts, which is no later than `deadline`; nil: there is none.
    var queuedDeadline: Timestamp?

    init(_ vehicle: Vehicle) {
        id = vehicle.id
        awakened = Awake(vehicle)
    }

    /// Ends its rest; who only looks on takes a `copy`.
    ///
    /// Not the vehicle itself: accessors that yield it hold a copy where they are not inlined, as in debug builds, and the code of
    /// Swift 6.3 read that copy after it was given back. The address sanitizer found it.
    var awake: Awake {
        if let awakened { return awakened }
        let woken = Awake(copy)
        (awakened, state) = (woken, [])
        engine?.goOn(&woken.vehicle)
        return woken
    }

    var isAtRest: Bool { awakened == nil }

    /// For who looks on: one at rest stays so, and its roads are known by their keys alone.
    var copy: Vehicle { awakened?.vehicle ?? stored { try Vehicle(state: $0) } }

    /// That of `copy`, without a look at the rest.
    var address: VehicleAddress { awakened?.vehicle.address ?? stored { try VehicleAddress(state: $0) } }

    /// - Parameters:
    ///   - state: what `Vehicle.state()` gives for it now.
    ///   - engine: that keeps it.
    func rest(as state: [UInt8], in engine: Engine) { (awakened, self.state, self.engine) = (nil, state, engine) }

    /// What is at rest has been written, and was read before.
    private func stored<Value>(_ read: ([UInt8]) throws -> Value) -> Value {
        guard let value = try? read(state) else {
            preconditionFailure("expected the state of vehicle \(id), got \(state.count) other bytes")
        }
        return value
    }
}

extension Vehicle {
    /// Whether it may be kept at rest: the next fix is not to be expected within seconds, and nothing is kept of it that its
    /// bytes do not hold.
    var mayRest: Bool { speed < Rest.speedMax && alerts.isEmpty && guidance.route == nil }
}
