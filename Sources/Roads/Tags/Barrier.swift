/// How a `barrier` node lets trucks pass.
public enum Barrier {
    /// Kinds that leave a gap too narrow for a truck, or none.
    private static let impassable: Set<String> = [
        "bollard", "block", "bus_trap", "chain", "concrete", "cycle_barrier", "debris", "fence",
        "full-height_turnstile", "hedge", "horse_stile", "jersey_barrier", "kissing_gate", "log", "motorcycle_barrier",
        "planter", "stile",
        "sump_buster", "turnstile", "wall", "wedge",
    ]

    /// Kinds that let a truck pass unless their access tags or a lock say otherwise.
    private static let passable: Set<String> = [
        "border_control", "bump_gate", "cattle_grid", "checkpoint", "chicane", "entrance", "gate",
        "height_restrictor", "kerb", "lift_gate", "sally_port", "sliding_gate", "swing_gate", "toll_booth",
    ]

    /// By the policy for ways, which the barrier's own access tags follow: `destination` where only those pass who start
    /// or end behind it, and where nobody can tell, as at a kind that is in neither list.
    public static func access(_ tags: [String: String]) -> TruckAccess {
        guard let kind = tags["barrier"], kind != "no" else { return .open }
        let tagged = TruckAccess(tags)
        // A key to a post is no reason to expect that it is taken out for everybody's deliveries.
        if impassable.contains(kind) { return tagged == .open ? .open : .closed }
        return tagged ?? (passable.contains(kind) && tags["locked"] != "yes" ? .open : .destination)
    }
}
