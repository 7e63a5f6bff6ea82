import Hashing
package import Messages

/// Which part of the fleet a shard has: the vehicles whose id hashes to its index.
///
/// The hash is part of what stores hold: another one would look for a vehicle in a store that does not have it.
package struct ShardPlace: Hashable, Sendable {
    /// The one of a gateway whose fleet is not divided.
    package static let whole = ShardPlace(0, of: 1)

    /// From 0.
    package let index: Int
    /// Of the shards that the fleet is divided into; 1 at least.
    package let count: Int

    package init(_ index: Int, of count: Int) {
        precondition((0..<count).contains(index), "expected an index below \(count), got \(index)")
        (self.index, self.count) = (index, count)
    }

    /// Of all shards one publishes what is said once for all vehicles.
    package var speaksForFleet: Bool { index == 0 }

    package func owns(_ vehicle: VehicleID) -> Bool { count == 1 || Self.index(of: vehicle, of: count) == index }

    /// The shard of a vehicle, of so many.
    package static func index(of vehicle: VehicleID, of count: Int) -> Int {
        count == 1 ? 0 : Int(FNV1a(vehicle.text.utf8).value % UInt64(count))
    }
}
