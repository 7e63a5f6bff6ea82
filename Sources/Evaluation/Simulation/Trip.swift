import Algorithms
import Fleet
package import Geo
import Messages
package import Roads

/// A way that a simulated vehicle drives, and how fast: over edges of a road network, or along a given line.
package struct Trip: Sendable {
    /// A corner of the line; between two of them the vehicle drives straight on at a steady speed.
    struct Corner {
        var position: Coordinate
        /// From the start of the trip.
        var distance: Metres
        var time: Seconds
    }

    /// Where a vehicle is at one moment of its trip.
    package struct Place: Hashable, Sendable {
        package var position: Coordinate
        /// Along the trip from its start.
        package var distance: Metres
        package var speed: MetresPerSecond
        /// Nil where the vehicle stands.
        package var course: Degrees?
    }

    /// At least two; distances and times rise from each to the next.
    let corners: [Corner]
    /// Empty for a given line.
    package let edges: [EdgeID]
    /// Places that it comes by and is bound for, in order; the last is near its end.
    package let waypoints: [Coordinate]
    /// Where each edge begins along the trip.
    let edgeStarts: [Metres]

    /// - Parameters:
    ///   - edges: each a legal successor of the one before; shadows stay shadows.
    ///   - waypoints: what its driver would tell a navigation; empty: the trip's end.
    ///   - speed: on all edges; nil: what is usual on each.
    /// - Precondition: there is an edge, and speeds are positive.
    package init(
        _ network: RoadNetwork, edges: [EdgeID], through waypoints: [Coordinate] = [], speed: MetresPerSecond? = nil
    ) {
        var line = Tracing()
        var starts: [Metres] = []
        for edge in edges {
            starts.append(line.corners.last?.distance ?? 0)
            for point in network.line(edge) { line.add(point, speed: speed ?? network.usualSpeed(edge)) }
        }
        precondition(line.corners.count > 1, "a trip over no edges, or over edges of no length")
        corners = line.corners
        self.waypoints = waypoints.isEmpty ? [line.corners[line.corners.count - 1].position] : waypoints
        self.edges = edges
        edgeStarts = starts
    }

    /// The roads that a line leads along, at what is usual on each: where the line leaves them, or turns round, its longest part.
    ///
    /// - Returns: nil where no roads lie along it.
    package init?(_ network: RoadNetwork, along line: [Coordinate], _ matcher: LineMatcher) {
        let legs = matcher.match(line).pieces.flatMap(\.way.legs)
        func length(_ leg: PlannedWay.Leg) -> Metres { leg.edges.reduce(0) { $0 + network.length($1) } }
        guard let longest = legs.max(by: { length($0) < length($1) }), length(longest) > 0 else { return nil }
        self.init(network, edges: longest.edges)
    }

    /// Nil where `line` has no two different points, or `speed` is not positive.
    package init?(line: [Coordinate], speed: MetresPerSecond) {
        guard speed > 0 else { return nil }
        var tracing = Tracing()
        for point in line { tracing.add(point, speed: speed) }
        guard tracing.corners.count > 1 else { return nil }
        corners = tracing.corners
        waypoints = [tracing.corners[tracing.corners.count - 1].position]
        edges = []
        edgeStarts = []
    }

    package var length: Metres { corners[corners.count - 1].distance }
    package var duration: Seconds { corners[corners.count - 1].time }

    /// Where the vehicle is so long after it set off; before that it stands at the start, and after the trip at its end.
    package func place(at time: Seconds) -> Place {
        if time < 0 { return standing(corners[0]) }
        let next = corners.partitioningIndex { $0.time > time }
        guard next < corners.count else { return standing(corners[corners.count - 1]) }
        let (a, b) = (corners[next - 1], corners[next])
        let fraction = (time - a.time) / (b.time - a.time)
        return Place(
            position: a.position.interpolated(to: b.position, fraction: fraction),
            distance: a.distance + (b.distance - a.distance) * fraction,
            speed: (b.distance - a.distance) / (b.time - a.time), course: a.position.bearing(to: b.position))
    }

    /// How long after it set off the vehicle has come so far; 0 and `duration` beyond the ends.
    package func time(at distance: Metres) -> Seconds {
        if distance <= 0 { return 0 }
        let next = corners.partitioningIndex { $0.distance > distance }
        guard next < corners.count else { return duration }
        let (a, b) = (corners[next - 1], corners[next])
        return a.time + (b.time - a.time) * (distance - a.distance) / (b.distance - a.distance)
    }

    /// The edge at a distance along the trip, and where on it: the one that begins there where two meet.
    ///
    /// - Precondition: the trip is one over edges.
    func position(at distance: Metres) -> RoadPosition {
        let index = max(1, edgeStarts.partitioningIndex { $0 > distance }) - 1
        return RoadPosition(edge: edges[index], offset: max(0, distance - edgeStarts[index]))
    }

    private func standing(_ corner: Corner) -> Place {
        Place(position: corner.position, distance: corner.distance, speed: 0, course: nil)
    }

    /// Joins points into corners; a point in the place of the one before is passed over.
    private struct Tracing {
        var corners: [Corner] = []

        mutating func add(_ point: Coordinate, speed: MetresPerSecond) {
            precondition(speed > 0, "a vehicle that does not move arrives nowhere")
            guard let last = corners.last else {
                return corners.append(Corner(position: point, distance: 0, time: 0))
            }
            let step = last.position.distance(to: point)
            guard step > 0 else { return }
            corners.append(
                Corner(position: point, distance: last.distance + step, time: last.time + step / speed))
        }
    }
}
