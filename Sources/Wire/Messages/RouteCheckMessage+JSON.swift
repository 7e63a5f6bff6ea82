import Geo
package import Messages

extension JSONWriter {
    /// The answer to a route.
    package mutating func members(of check: RouteCheckMessage, _ vehicle: VehicleID, publishedAt: Timestamp) {
        member("id", check.id)
        member("sequence", 1)
        member("type", "route-check")
        member("vehicle", vehicle.text)
        member("time", check.time)
        member("published_at", publishedAt)
        height("vehicle_height", check.vehicleHeight)
        name("margin")
        margin(check.margin)
        member("clearances", each: check.obstacles) { writer, obstacle in
            writer.object { writer in
                writer.members(of: obstacle.clearance)
                writer.member("distance", obstacle.distance, decimals: 1)
            }
        }
        name("line")
        line(check.line)
        name("safe_line")
        line(check.safeLine)
        member("text", check.text)
    }

    private mutating func line(_ points: [Coordinate]?) {
        if let points { object { $0.members(ofLine: points) } } else { null() }
    }
}
