/// How a `barrier` node lets trucks pass.
public enum Barrier {
    /// Kinds that leave a gap too narrow for a truck, or none. Others (gates, toll booths, cattle grids, …) let it
    /// pass unless their access tags say otherwise.
    private static let impassable: Set<String> = [
        "bollard", "block", "bus_trap", "chain", "concrete", "cycle_barrier", "debris", "fence",
        "full-height_turnstile", "hedge", "horse_stile", "jersey_barrier", "kissing_gate", "log", "motorcycle_barrier",
        "planter", "stile",
        "sump_buster", "turnstile", "wall", "wedge",
    ]

    /// By the policy for ways, which the barrier's own access tags follow: `destination` where only those pass who start or
    /// end behind it.
    public static func access(_ tags: [String: String]) -> TruckAccess {
        guard let kind = tags["barrier"], kind != "no" else { return .open }
        let tagged = TruckAccess(tags)
        // A key to a post is no reason to expect that it is taken out for everybody's deliveries.
        return impassable.contains(kind) && tagged != .open ? .closed : tagged ?? .open
    }
}
