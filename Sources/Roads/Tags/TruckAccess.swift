/// Whether a truck may drive on a way or past a barrier: `hgv`, `motor_vehicle`, `vehicle`, `access`, the most
/// specific that is tagged wins. https://wiki.openstreetmap.org/wiki/Key:access
public enum TruckAccess: Sendable {
    case open
    /// Private, customers, permit, destination, delivery: to start or end there, not to pass through.
    case destination
    case closed

    /// Nil where none of the keys is tagged.
    public init?(_ tags: [String: String]) {
        let keys = ["hgv", "motor_vehicle", "vehicle", "access"]
        guard let value = keys.lazy.compactMap({ tags[$0] }).first else { return nil }
        self.init(value: value)
    }

    /// A list such as `destination;delivery` allows what its most open value allows. Values that name other
    /// vehicles (`bus`, `agricultural`, …) close the way to trucks; values nobody knows do not.
    private init(value: String) {
        var best = TruckAccess.closed
        for part in value.split(separator: ";") {
            switch part.filter({ $0 != " " }) {
            case "no", "agricultural", "forestry", "emergency", "military", "bus", "psv", "taxi", "bicycle", "foot",
                "official", "use_sidepath":
                continue
            case "private", "customers", "permit", "destination", "delivery", "residents", "employees":
                if case .closed = best { best = .destination }
            default:
                best = .open
            }
        }
        self = best
    }
}
