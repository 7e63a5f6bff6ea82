package import Geo
package import Messages

/// A fence as dispatch writes it: read again, it is the same fence.
extension JSONWriter {
    /// A Point, LineString, Polygon or MultiPolygon.
    package mutating func geometry(of shape: Shape) {
        object { writer in
            switch shape {
            case .circle(let circle):
                writer.member("type", "Point")
                writer.name("coordinates")
                writer.exactPosition(circle.center)
            case .corridor(let corridor):
                writer.member("type", "LineString")
                writer.member("coordinates", each: corridor.line) { $0.exactPosition($1) }
            case .polygons(let polygons) where polygons.count == 1:
                writer.member("type", "Polygon")
                writer.member("coordinates", each: polygons[0].rings) { $0.ring($1) }
            case .polygons(let polygons):
                writer.member("type", "MultiPolygon")
                writer.member("coordinates", each: polygons) { $0.array($1.rings) { $0.ring($1) } }
            }
        }
    }

    /// What a geometry does not say: `radius` of a circle, `width` of a corridor.
    package mutating func extent(of shape: Shape) {
        switch shape {
        case .circle(let circle):
            name("radius")
            number(circle.radius)
        case .corridor(let corridor):
            name("width")
            number(corridor.width)
        case .polygons: break
        }
    }

    /// Whom it is for, and when.
    package mutating func members(ofTermsOf fence: Fence) {
        member("groups", each: fence.groups) { $0.string($1) }
        member("vehicles", each: fence.vehicles) { $0.string($1.text) }
        name("dwell")
        if let dwell = fence.dwell { number(dwell) } else { null() }
        name("hysteresis")
        number(fence.hysteresis)
        name("hours")
        if let hours = fence.hours {
            object { writer in
                writer.member("zone", hours.zone)
                writer.member("week", hours.week)
            }
        } else {
            null()
        }
        member("valid_from", fence.validFrom)
        member("valid_until", fence.validUntil)
    }

    private mutating func exactPosition(_ coordinate: Coordinate) {
        array([coordinate.longitude, coordinate.latitude]) { $0.number($1) }
    }

    /// Closed: the first position again at its end.
    private mutating func ring(_ ring: [Coordinate]) {
        array(ring + ring.prefix(1)) { $0.exactPosition($1) }
    }
}

extension Polygon {
    fileprivate var rings: [[Coordinate]] { [outer] + holes }
}
