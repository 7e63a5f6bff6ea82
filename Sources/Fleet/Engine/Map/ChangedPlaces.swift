import Geo

/// Where clearances have changed.
public struct ChangedPlaces: Hashable, Sendable {
    /// Of more it is not noted where: all vehicles are looked at then.
    private static let countMax = 1_000

    private var places: [Coordinate] = []
    private var isEverywhere = false

    public init() {}
    init(_ places: some Collection<Coordinate>) { add(places) }

    public var isEmpty: Bool { places.isEmpty && !isEverywhere }

    mutating func add(_ others: some Collection<Coordinate>) {
        guard !isEverywhere else { return }
        if places.count + others.count > Self.countMax {
            (places, isEverywhere) = ([], true)
        } else {
            places += others
        }
    }

    mutating func formUnion(_ other: ChangedPlaces) {
        if other.isEverywhere { (places, isEverywhere) = ([], true) } else { add(other.places) }
    }

    /// Those that have been added since this was `former`; everywhere, where it is not known which those are.
    func added(since former: ChangedPlaces) -> ChangedPlaces {
        isEverywhere ? self : ChangedPlaces(places.dropFirst(former.places.count))
    }

    /// Round each of them; nil where they are everywhere.
    func bounds(widenedBy margin: Metres) -> [Bounds]? {
        isEverywhere ? nil : places.map { Bounds($0, $0).widened(by: margin) }
    }

    func contains(within distance: Metres, of position: Coordinate) -> Bool {
        isEverywhere || places.contains { $0.distance(to: position) <= distance }
    }
}

extension ChangedPlaces {
    private static let everywhere = "everywhere"

    /// One line, of latitudes and longitudes.
    public var text: String {
        isEverywhere ? Self.everywhere : places.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " ")
    }

    /// - Returns: everywhere, where the text cannot be read.
    public init(text: String) {
        let pairs = text.split(separator: " ").map { $0.split(separator: ",").compactMap { Double($0) } }
        places = pairs.filter { $0.count == 2 }.map { Coordinate(latitude: $0[0], longitude: $0[1]) }
        isEverywhere = places.count < pairs.count || places.count > Self.countMax
    }
}
