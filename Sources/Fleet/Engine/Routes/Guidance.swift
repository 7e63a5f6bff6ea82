import Geo
import Messages
import Roads

/// What is known of where one vehicle is bound.
///
/// Only what cannot be found again is kept: the route is a retained input and kept as such; the way follows from it and from
/// where it was looked for.
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
    /// How the ways were last looked for.
    var search: WaySearch?
    /// How far the vehicle was on its ways when it was stored, until they are found again.
    private(set) var storedProgress: [KnownWay.Progress] = []

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

    /// Whether the vehicle was stored on ways that are not found again yet.
    var hasStoredWays: Bool { !storedProgress.isEmpty }

    /// Takes up the ways that the last search found, as far as the vehicle had come on them.
    mutating func take(found edges: [[EdgeID]]) {
        ways = edges.enumerated().map { index, edges in
            storedProgress.indices.contains(index) ? KnownWay(edges, storedProgress[index]) : KnownWay(edges)
        }
        storedProgress = []
    }

    /// Edges of another road file mean nothing in this one.
    mutating func forgetWays() {
        (ways, storedProgress) = ([], [])
        search = nil
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
        try coder.code(&search)
        var progress = hasStoredWays ? storedProgress : ways.map(\.progress)
        try coder.code(&progress)
        storedProgress = progress
    }
}

/// From where ways were looked for: so they can be found again.
struct WaySearch: Sendable {
    /// Where the vehicle was.
    var place: Coordinate
    /// Waypoints that were behind it then.
    var passed = 0
    /// The roads that it may have been on; none are needed to follow a line.
    var starts: [Start] = []

    /// A place on a road, by OSM ids.
    struct Start: Sendable {
        var key: EdgeKey
        var offset: Metres
    }
}

extension WaySearch: BinaryRecord {
    static var placeholder: Self { WaySearch(place: .placeholder) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&place)
        try coder.code(&passed)
        try coder.code(&starts)
    }
}

extension WaySearch.Start: BinaryRecord {
    static var placeholder: Self { WaySearch.Start(key: .placeholder, offset: 0) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&key)
        try coder.code(&offset)
    }
}

extension KnownWay.Progress: BinaryRecord {
    static var placeholder: Self { KnownWay.Progress(step: 0, offset: nil, isBeside: false) }

    mutating func code<Coder: BinaryCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&step)
        try coder.code(&offset)
        try coder.code(&isBeside)
    }
}
