import Fleet
import Geo
import Messages

/// Which part of the map a picture shows, and where each place of it lies on the picture; north is up.
struct PlotFrame {
    static let width = 1_200.0
    /// The least and the greatest height of the map, which is wider than high, as screens and pages are.
    private static let heights = 560.0...860.0
    /// Room for the title above the map.
    static let top = 72.0
    /// Round what must be seen, as a share of its size: room for labels.
    private static let margin = 0.14
    /// A picture of nothing but one place still shows some of its surroundings.
    private static let sizeMin: Metres = 400

    private let plane: LocalPlane
    private let centre: Coordinate
    /// Picture units for each metre.
    let scale: Double
    let map: PlotBox

    /// - Parameters:
    ///   - wanted: what must be seen; not empty.
    ///   - other: what should be seen as far as it no more than doubles the picture's width and height.
    init(_ wanted: [Coordinate], other: [Coordinate]) {
        precondition(!wanted.isEmpty, "a picture of nothing has no frame")
        let origin = wanted[0]
        let plane = LocalPlane(latitude: origin.latitude)
        let core = Self.box(wanted.map { plane.vector(from: origin, to: $0) })
        let reach = PlotBox(around: core.centre, width: 3 * core.width, height: 3 * core.height)
        let near = other.map { plane.vector(from: origin, to: $0) }.map { vector in
            let place = reach.nearest(to: PlotPoint(x: vector.east, y: vector.north))
            return Vector(east: place.x, north: place.y)
        }
        let seen = Self.box(wanted.map { plane.vector(from: origin, to: $0) } + near)
        let width = max(seen.width, Self.sizeMin) * (1 + 2 * Self.margin)
        let height = max(seen.height, Self.sizeMin * 0.6) * (1 + 2 * Self.margin)
        let mapHeight = min(max(Self.width * height / width, Self.heights.lowerBound), Self.heights.upperBound)
        self.plane = plane
        centre = plane.coordinate(Vector(east: seen.centre.x, north: seen.centre.y), from: origin)
        scale = min(Self.width / width, mapHeight / height)
        map = PlotBox(left: 0, top: Self.top, right: Self.width, bottom: (Self.top + mapHeight).rounded())
    }

    private static func box(_ vectors: [Vector]) -> PlotBox {
        PlotBox(
            left: vectors.map(\.east).min() ?? 0, top: vectors.map(\.north).min() ?? 0,
            right: vectors.map(\.east).max() ?? 0, bottom: vectors.map(\.north).max() ?? 0)
    }

    /// The middle of the map, and how far its corners are from there.
    var surroundings: (centre: Coordinate, radius: Metres) {
        (centre, PlotPoint(x: map.left, y: map.top).distance(to: map.centre) / scale)
    }

    func point(_ place: Coordinate) -> PlotPoint {
        let vector = plane.vector(from: centre, to: place)
        return PlotPoint(x: map.centre.x + vector.east * scale, y: map.centre.y - vector.north * scale)
    }

    func points(_ line: [Coordinate]) -> [PlotPoint] { line.map(point) }
}
