import Hashing
import Roads

/// Names of places and clearances in what is counted, made of OSM ids: the same with every road file that has them.
///
/// Sixty-four bits instead of three ids of as many: among a million places two share a name with a probability of 3e-8.
enum PlaceKey {
    /// A directed edge; a shadow has that of its original.
    static func edge(_ edge: EdgeID, _ network: RoadNetwork) -> UInt64 {
        let key = network.key(edge)
        return [key.way, key.from, key.to].reduce(0) { SplitMix64.mix($0 &+ UInt64(bitPattern: $1)) }
    }

    /// An edge for those who have come from another one.
    static func edge(_ edge: UInt64, from earlier: UInt64) -> UInt64 { SplitMix64.mix(edge) &+ earlier }

    /// A clearance by its id; never 0. It tells apart what lies ahead of one place, which is a handful.
    static func clearance(_ id: String) -> UInt32 { UInt32(truncatingIfNeeded: FNV1a(id.utf8).value) | 1 }
}
