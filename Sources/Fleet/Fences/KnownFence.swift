import Geo
import Messages

/// A fence in force, with what is worked out once.
final class KnownFence: Sendable {
    let fence: Fence
    let shape: PreparedShape
    /// As a device names it that watches it itself.
    let region: RegionKey
    /// Counts up with every fence that is new or has changed in more than its name.
    let serial: Int
    /// Whether it is ever out of force.
    let isTimed: Bool

    init(_ fence: Fence, serial: Int) {
        self.fence = fence
        self.serial = serial
        isTimed = fence.isTimed
        region = RegionKey(fence.id)
        shape = PreparedShape(fence.shape)
    }

    /// The same fence under another name.
    init(_ fence: Fence, sameAs other: KnownFence) {
        self.fence = fence
        serial = other.serial
        isTimed = other.isTimed
        region = other.region
        shape = other.shape
    }

    /// Whether the fence is for a vehicle.
    func concerns(_ vehicle: VehicleID, groups: [String]) -> Bool {
        fence.groups.isEmpty && fence.vehicles.isEmpty || fence.vehicles.contains(vehicle)
            || fence.groups.contains { groups.contains($0) }
    }
}

extension Fence {
    /// Whether it is ever out of force.
    var isTimed: Bool { hours != nil || validFrom != nil || validUntil != nil }

    /// From the first moment of its validity and its hours on, not in their last.
    func isInForce(at time: Timestamp) -> Bool {
        if let validFrom, time < validFrom { return false }
        if let validUntil, time >= validUntil { return false }
        return hours?.isOpen(at: time) ?? true
    }

    /// Whether it comes into force at a moment.
    private func opens(at time: Timestamp) -> Bool { isInForce(at: time) && !isInForce(at: time.adding(-0.001)) }

    /// When it last came into force after `start`, to be so at `end`; nil: it has been since before, or is not.
    func opening(after start: Timestamp, by end: Timestamp) -> Timestamp? {
        guard isTimed, isInForce(at: end) else { return nil }
        var time = start
        var opening: Timestamp?
        while let change = nextChange(after: time), change <= end {
            if opens(at: change) { opening = change }
            time = change
        }
        return opening
    }

    /// When it may next come into force or go out of it.
    func nextChange(after time: Timestamp) -> Timestamp? {
        [validFrom, validUntil, hours?.nextChange(after: time)].compactMap { $0 }.filter { $0 > time }.min()
    }
}
