import Fleet
package import Geo
package import Messages

/// A yard of 400 m by 400 m whose south-west corner is the origin of all drawings, and journeys past it.
package enum Yard {
    package static let fence = fence("yard")

    package static func fence(_ id: String, _ change: (inout Fence) -> Void = { _ in }) -> Fence {
        let corners = [(0.0, 0.0), (400, 0), (400, 400), (0, 400)]
        var fence = Fence(id: id, shape: .polygons([Polygon(outer: corners.map { place($0.0, $0.1) })]))
        change(&fence)
        return fence
    }

    package static func fence(_ change: (inout Fence) -> Void) -> Fence { fence("yard", change) }

    package static func circle(_ id: String, _ east: Metres, _ north: Metres, radius: Metres) -> Fence {
        Fence(id: id, shape: .circle(Circle(center: place(east, north), radius: radius)))
    }

    package static func place(_ east: Metres, _ north: Metres) -> Coordinate { Drawing.place(east, north) }

    package static func fix(
        _ east: Metres, _ north: Metres = 200, at seconds: Seconds, accuracy: Metres? = 5,
        trigger: Fix.Trigger = .interval, region: RegionKey? = nil
    ) -> Fix {
        Fix(
            position: place(east, north), time: .at(seconds), accuracy: accuracy, trigger: trigger, region: region)
    }

    /// Eastwards through the middle of the yard.
    package static func drive(
        from start: Metres, to end: Metres, speed: MetresPerSecond = 10, every: Seconds = 1, at first: Seconds = 0
    ) -> [Fix] {
        stride(from: 0, through: (end - start) / speed, by: every).map { fix(start + $0 * speed, at: first + $0) }
    }
}
