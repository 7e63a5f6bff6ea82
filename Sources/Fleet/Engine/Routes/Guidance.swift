import Geo
import Messages
import Roads

/// What is known of where one vehicle is bound.
///
/// Only what cannot be found again is kept: the route is a retained input and kept as such, the way follows from it.
struct Guidance: Sendable {
    /// Nil where nobody said.
    private(set) var route: Route?
    /// How many routes there were; each is answered once.
    private(set) var number = 0
    /// Whether the present route has not been answered yet.
    var isCheckDue = false
    /// Waypoints that are behind the vehicle.
    var passed = 0
    /// The way that it is expected to take, empty until it is found; in pieces where the route leaves the known roads.
    var ways: [KnownWay] = []
    /// Where the vehicle was when a way was last looked for.
    var searchedAt: Coordinate?

    /// Another route, or none.
    mutating func set(_ route: Route?) {
        let number = number + 1
        self = Guidance()
        self.number = number
        self.route = route
        isCheckDue = route != nil
    }

    /// The route as it was kept.
    mutating func restore(_ route: Route?) { self.route = route }

    /// Edges of another road file mean nothing in this one.
    mutating func forgetWays() {
        ways = []
        searchedAt = nil
    }

    /// The way, or the piece of it, that the vehicle is on; nil where it is on none.
    var wayFollowed: KnownWay? { ways.first(where: \.isFollowed) }

    /// Waypoints that are still ahead; of a line none.
    var waypointsAhead: [Coordinate] {
        guard case .waypoints(let points) = route else { return [] }
        return Array(points.dropFirst(passed))
    }
}

extension Guidance: BinaryRecord {
    static var placeholder: Self { Guidance() }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&number)
        try coder.code(&isCheckDue)
        try coder.code(&passed)
    }
}
