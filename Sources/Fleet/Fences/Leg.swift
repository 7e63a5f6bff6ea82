import Geo
import Roads

/// The way of a vehicle from one fix to the next, as far as it is known: when it was where.
struct Leg {
    private(set) var points: [Coordinate]
    private var times: [Timestamp]

    /// In a straight line at a steady speed.
    init(from start: Fix, to end: Fix) {
        points = [start.position, end.position]
        times = [start.time, end.time]
    }

    /// At a steady speed along a road; the ways from the first fix to the road and from there to the second take no time.
    init(from start: Fix, along line: [Coordinate], to end: Fix) {
        points = [start.position] + line + [end.position]
        let steps = zip(line, line.dropFirst()).map { $0.distance(to: $1) }
        let length = steps.reduce(0, +)
        let duration = end.time.since(start.time)
        var driven: Metres = 0
        times = [start.time, start.time]
        for step in steps {
            driven += step
            times.append(start.time.adding(length > 0 ? duration * driven / length : 0))
        }
        times.append(end.time)
    }

    /// Where it crosses a border, and whether into the shape; in order.
    func crossings(of shape: PreparedShape) -> [(crossing: BorderCrossing, isEntering: Bool)] {
        points.indices.dropLast().flatMap { index in
            shape.crossings(from: points[index], to: points[index + 1]).map { crossing in
                let place = points[index].interpolated(to: points[index + 1], fraction: crossing.fraction)
                let time = times[index].adding(crossing.fraction * times[index + 1].since(times[index]))
                return (BorderCrossing(position: place, time: time, isInterpolated: true), crossing.isEntering)
            }
        }
    }
}

/// Finds the way between two fixes.
struct LegFinder {
    /// Closer fixes than these lie on a line that is straight enough.
    private static let roadFrom: (metres: Metres, seconds: Seconds) = (30, 2)

    /// Nil: without a road file.
    let network: RoadNetwork?
    /// Fixes farther apart in time are not joined.
    let gap: Seconds

    /// Nil where nobody can say how the vehicle came from one to the other.
    func leg(from start: Fix?, to end: Fix) -> Leg? {
        guard let start, end.time.since(start.time) <= gap else { return nil }
        return Leg(from: start, to: end)
    }

    /// The same along the road, where the road file covers both fixes.
    func roadLeg(from start: Fix, to end: Fix) -> Leg? {
        guard let network, end.time.since(start.time) > Self.roadFrom.seconds,
            start.position.distance(to: end.position) > Self.roadFrom.metres
        else { return nil }
        let line = DrivenWay(network).line(from: MatchObservation(start), to: MatchObservation(end))
        return line.map { Leg(from: start, along: $0, to: end) }
    }
}
