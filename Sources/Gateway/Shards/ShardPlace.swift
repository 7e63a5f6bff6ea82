import Hashing
package import Messages

/// Which part of the fleet a shard has: the vehicles whose id hashes to its index, or those whose messages come through its queue.
///
/// The hash is part of what stores hold: another one would look for a vehicle in a store that does not have it.
package struct ShardPlace: Hashable, Sendable {
    /// The one of a gateway whose fleet is not divided.
    package static let whole = ShardPlace(0, of: 1)

    /// From 0.
    package let index: Int
    /// Of the shards that the fleet is divided into; 1 at least.
    package let count: Int

    /// Whether RabbitMQ has distributed the vehicles, by a hash of its own, so that all that comes here is this shard's.
    package let isQueue: Bool

    package init(_ index: Int, of count: Int, isQueue: Bool = false) {
        precondition((0..<count).contains(index), "expected an index below \(count), got \(index)")
        (self.index, self.count, self.isQueue) = (index, count, isQueue)
    }

    /// Of all shards one publishes what is said once for all vehicles.
    package var speaksForFleet: Bool { index == 0 }

    package func owns(_ vehicle: VehicleID) -> Bool {
        count == 1 || isQueue || Self.index(of: vehicle, of: count) == index
    }

    /// Whether what names no vehicle is counted here.
    var hasUnaddressed: Bool { isQueue || speaksForFleet }

    /// The shard of a vehicle, of so many.
    package static func index(of vehicle: VehicleID, of count: Int) -> Int {
        count == 1 ? 0 : Int(FNV1a(vehicle.text.utf8).value % UInt64(count))
    }
}
