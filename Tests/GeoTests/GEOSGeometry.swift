import CGEOS

/// A geometry of GEOS (libgeos.org), the second opinion on polygons. Plane, in whatever unit its points have.
final class GEOSGeometry {
    typealias Point = SIMD2<Double>

    private let context: GEOSContextHandle_t
    private let geometry: OpaquePointer
    private let boundary: OpaquePointer
    private let preparedArea: OpaquePointer
    private let preparedBoundary: OpaquePointer

    /// Polygons of rings, the outer one first, none with its first point repeated; what any of them encloses.
    convenience init(polygons: [[[Point]]]) {
        let context: GEOSContextHandle_t = GEOS_init_r()
        let parts: [OpaquePointer?] = polygons.map { rings in
            var holes: [OpaquePointer?] = rings.dropFirst().map { Self.ring($0, context) }
            return GEOSGeom_createPolygon_r(context, Self.ring(rings[0], context), &holes, UInt32(holes.count))
        }
        self.init(parts, type: 6, context, isArea: true)
    }

    convenience init(line: [Point]) {
        let context: GEOSContextHandle_t = GEOS_init_r()
        self.init(
            [GEOSGeom_createLineString_r(context, Self.sequence(line, context))], type: 5, context, isArea: false)
    }

    private init(_ parts: [OpaquePointer?], type: Int32, _ context: GEOSContextHandle_t, isArea: Bool) {
        var parts = parts
        let collection = GEOSGeom_createCollection_r(context, type, &parts, UInt32(parts.count))!
        self.context = context
        geometry = GEOSUnaryUnion_r(context, collection)!
        GEOSGeom_destroy_r(context, collection)
        boundary = isArea ? GEOSBoundary_r(context, geometry)! : GEOSGeom_clone_r(context, geometry)!
        preparedArea = GEOSPrepare_r(context, geometry)!
        preparedBoundary = GEOSPrepare_r(context, boundary)!
    }

    deinit {
        GEOSPreparedGeom_destroy_r(context, preparedBoundary)
        GEOSPreparedGeom_destroy_r(context, preparedArea)
        GEOSGeom_destroy_r(context, boundary)
        GEOSGeom_destroy_r(context, geometry)
        GEOS_finish_r(context)
    }

    func contains(_ point: Point) -> Bool {
        withPoint(point) { GEOSPreparedIntersects_r(context, preparedArea, $0) == 1 }
    }

    func distanceToBorder(from point: Point) -> Double {
        withPoint(point) {
            var distance = Double.nan
            GEOSPreparedDistance_r(context, preparedBoundary, $0, &distance)
            return distance
        }
    }

    private func withPoint<Result>(_ point: Point, _ body: (OpaquePointer?) -> Result) -> Result {
        let geometry = GEOSGeom_createPointFromXY_r(context, point.x, point.y)
        defer { GEOSGeom_destroy_r(context, geometry) }
        return body(geometry)
    }

    private static func ring(_ points: [Point], _ context: GEOSContextHandle_t) -> OpaquePointer? {
        GEOSGeom_createLinearRing_r(context, sequence(points + points.prefix(1), context))
    }

    private static func sequence(_ points: [Point], _ context: GEOSContextHandle_t) -> OpaquePointer? {
        let sequence = GEOSCoordSeq_create_r(context, UInt32(points.count), 2)
        for (index, point) in points.enumerated() {
            GEOSCoordSeq_setXY_r(context, sequence, UInt32(index), point.x, point.y)
        }
        return sequence
    }
}
