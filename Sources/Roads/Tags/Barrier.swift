/// Whether a `barrier` node stops a truck.
public enum Barrier {
    /// Kinds that leave a gap too narrow for a truck, or none. Others (gates, toll booths, cattle grids, …) let it
    /// pass unless their access tags say otherwise.
    private static let impassable: Set<String> = [
        "bollard", "block", "bus_trap", "chain", "concrete", "cycle_barrier", "debris", "fence",
        "full-height_turnstile", "hedge", "horse_stile", "jersey_barrier", "kissing_gate", "log", "motorcycle_barrier",
        "planter", "stile",
        "sump_buster", "turnstile", "wall", "wedge",
    ]

    public static func stopsTrucks(_ tags: [String: String]) -> Bool {
        guard let kind = tags["barrier"], kind != "no" else { return false }
        return switch TruckAccess(tags) {
        case .open: false
        case .destination: impassable.contains(kind)
        case .closed: true
        case nil: impassable.contains(kind)
        }
    }
}
