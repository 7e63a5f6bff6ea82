/// A shape made ready for a million questions a second: whether a point is inside, how far its border is, where a way
/// crosses it.
///
/// Edges are straight in longitude and latitude (RFC 7946 §3.1.1). Distances to circles are geodesics, whatever the radius and
/// latitude; how exact those to polygons and corridors are is said at `Border.distance`. Nothing is allocated to answer,
/// except for the crossings.
public struct PreparedShape: Sendable {
    /// What the shape lies in: one box, which may cross the antimeridian. Nil where nothing is inside.
    @usableFromInline let extent: Bounds?
    let form: Form
    /// A small circle that contains the shape: any point of it is within the radius, to 0.1 %. A circle is its own.
    public let enclosingCircle: Circle
    /// The radius of about the largest circle that fits inside, and not more than that: of polygons at most some per cent
    /// less, of corridors half the width.
    public let inradius: Metres

    enum Form: Sendable {
        case circle(Circle)
        case polygons(PreparedPolygons)
        case corridor(PreparedCorridor)
    }

    /// `shape` has been validated; of another one the answers mean nothing.
    public init(_ shape: Shape) {
        switch shape {
        case .circle(let circle):
            form = .circle(circle)
            extent = Bounds(circle.center, circle.center).widened(by: circle.radius)
            enclosingCircle = circle
            inradius = circle.radius
        case .polygons(let polygons):
            let prepared = PreparedPolygons(polygons)
            form = .polygons(prepared)
            extent = Bounds(enclosing: prepared.parts.map(\.outer.extent))
            enclosingCircle = Circle(enclosing: prepared.parts.map(\.outer))
            inradius = prepared.inradius()
        case .corridor(let corridor):
            let prepared = PreparedCorridor(corridor)
            form = .corridor(prepared)
            extent = Bounds(enclosing: [prepared.line.tree.box])?.widened(by: prepared.halfWidth)
            enclosingCircle = Circle(enclosing: corridor)
            inradius = prepared.halfWidth
        }
    }

    /// One or two boxes that the shape lies in, two where it lies across the antimeridian or touches it.
    public var bounds: [Bounds] { extent?.cut ?? [] }

    /// Whether `coordinate` is inside or on the border.
    @inlinable
    public func contains(_ coordinate: Coordinate) -> Bool {
        guard let extent, extent.contains(coordinate) else { return false }
        return formContains(coordinate)
    }

    @usableFromInline
    func formContains(_ coordinate: Coordinate) -> Bool {
        switch form {
        case .circle(let circle): circle.signedDistance(from: coordinate) <= 0
        case .polygons(let polygons): polygons.contains(coordinate)
        case .corridor(let corridor): corridor.contains(coordinate)
        }
    }

    /// From `coordinate` to the nearest point of the border, in metres; negative inside.
    public func signedDistance(from coordinate: Coordinate) -> Metres {
        switch form {
        case .circle(let circle): circle.signedDistance(from: coordinate)
        case .polygons(let polygons): polygons.signedDistance(from: coordinate)
        case .corridor(let corridor): corridor.signedDistance(from: coordinate)
        }
    }
}
