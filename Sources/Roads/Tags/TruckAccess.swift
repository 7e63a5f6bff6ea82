/// Whether a truck may drive on a way or past a barrier: `hgv`, `motor_vehicle`, `vehicle`, `access`, the most
/// specific that is tagged wins, and before each of them on a way `hgv:forward` and so on for its direction.
/// https://wiki.openstreetmap.org/wiki/Key:access
public enum TruckAccess: Sendable {
    case open
    /// Private, customers, permit, destination, delivery: to start or end there, not to pass through.
    case destination
    case closed

    /// Every key that is read.
    static let keys = keysOfBoth + keysForward + keysBackward
    /// The most specific first.
    private static let keysOfBoth = ["hgv", "motor_vehicle", "vehicle", "access"]
    private static let keysForward = keysOfBoth.flatMap { ["\($0):forward", $0] }
    private static let keysBackward = keysOfBoth.flatMap { ["\($0):backward", $0] }

    /// Nil where none of the keys is tagged.
    public init?(_ tags: [String: String]) { self.init(tags, Self.keysOfBoth) }

    /// Of a way that is driven in the order of its nodes (`forward`) or against it; nil where none of the keys is tagged.
    public init?(_ tags: [String: String], forward: Bool) {
        self.init(tags, forward ? Self.keysForward : Self.keysBackward)
    }

    private init?(_ tags: [String: String], _ keys: [String]) {
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
