/// A closed line round an area of the map, run through once.
///
/// Edges are straight in longitude and latitude (RFC 7946 §3.1.1) and run the short way round the earth. A ring that goes
/// once round the earth encloses the nearer pole.
struct Ring: Sendable {
    let tree: EdgeTree
    /// The latitude of the pole that is inside, where the ring goes round one.
    let pole: Degrees?
    private let turns: Turns

    enum Side {
        case inside, outside, border
    }

    /// `coordinates` without the repeated last one.
    init(_ coordinates: [Coordinate]) {
        let points = Ring.points(coordinates)
        tree = EdgeTree(zip(points, points.dropFirst()).map { Edge(start: $0, end: $1) })
        let winding = (points.last?.x ?? 0) - (points.first?.x ?? 0)
        // The area between the ring and the equator, doubled, over the winding has the sign of the mean latitude.
        let area = tree.edges.reduce(0) { $0 + $1.direction.x * ($1.start.y + $1.end.y) }
        pole = winding == 0 ? nil : area / winding > 0 ? 90 : -90
        turns = Turns(of: tree.box)
    }

    /// The ring run through once, unrolled, with the first point again at its end (a turn further on round a pole).
    static func points(_ coordinates: [Coordinate]) -> [MapPoint] {
        let ring = withoutWaysToPoles(coordinates)
        return (ring + ring.prefix(1)).unrolled()
    }

    /// A plane map closes a ring round a pole by a way along the map's rim and back, which is no border on earth:
    /// where the way to a pole and the way back are on one meridian, both are left out.
    private static func withoutWaysToPoles(_ ring: [Coordinate]) -> [Coordinate] {
        guard let start = ring.firstIndex(where: { !$0.isPole }), ring.contains(where: \.isPole) else { return ring }
        var kept: [Coordinate] = []
        var atPole: [Coordinate] = []
        for coordinate in ring[start...] + ring[...start] {
            if coordinate.isPole {
                atPole.append(coordinate)
                continue
            }
            if let first = atPole.first, let last = atPole.last {
                let isRetraced =
                    kept.last.map { before in
                        [first, last, coordinate].allSatisfy { $0.isOnMeridian(of: before) }
                    } ?? false
                if !isRetraced { kept += atPole }
                atPole = []
            }
            kept.append(coordinate)
        }
        return kept.dropLast()
    }

    /// What the ring and its inside extend over.
    var extent: MapBox {
        var extent = tree.box
        if let pole { extent.include(MapPoint(extent.low.x, pole)) }
        return extent
    }

    func side(of point: MapPoint) -> Side {
        // What the parity of crossings starts from: whether the way ends inside.
        var isInside = pole == 90
        for turn in turns {
            switch tree.parityNorth(of: MapPoint(point.x + turn, point.y)) {
            case .even: break
            case .odd: isInside.toggle()
            case .onEdge: return .border
            }
        }
        return isInside ? .inside : .outside
    }
}

/// The whole turns, in degrees, by which a longitude in `-180 ... 180` must be shifted to fall into a range.
struct Turns: Sequence, Sendable {
    private let first: Degrees
    private let last: Degrees

    init(of box: MapBox, margin: Degrees = 0) {
        first = 360 * ((box.low.x - margin - 180) / 360).rounded(.up)
        last = 360 * ((box.high.x + margin + 180) / 360).rounded(.down)
    }

    /// A plain loop, several times as fast as a stride of floating-point numbers.
    struct Iterator: IteratorProtocol {
        fileprivate var turn: Degrees
        fileprivate let last: Degrees

        mutating func next() -> Degrees? {
            guard turn <= last else { return nil }
            defer { turn += 360 }
            return turn
        }
    }

    func makeIterator() -> Iterator { Iterator(turn: first, last: last) }
}

extension Coordinate {
    fileprivate var isPole: Bool { latitude.magnitude == 90 }

    fileprivate func isOnMeridian(of other: Coordinate) -> Bool {
        shortestLongitude(from: longitude, to: other.longitude) == 0
    }
}
