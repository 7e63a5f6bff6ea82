import Algorithms
import Geo
import Messages
import Roads

/// The way of a vehicle from one fix to the next, as far as it is known: when it was where.
struct Leg {
    private let points: [Coordinate]
    private let times: [Timestamp]

    /// In a straight line on the ground, at a steady speed.
    init(from start: Fix, to end: Fix) {
        let bends = start.position.straightWay(to: end.position)
        self.init(from: start, along: bends.isEmpty ? [] : [start.position] + bends + [end.position], to: end)
    }

    /// At a steady speed along a road, as far beside its middle as the fixes are: who drives beside a road does not come onto
    /// it between two fixes.
    init(from start: Fix, along line: [Coordinate], to end: Fix) {
        guard line.count > 2 else {
            (points, times) = ([start.position, end.position], [start.time, end.time])
            return
        }
        let steps = zip(line, line.dropFirst()).map { $0.distance(to: $1) }
        let length = steps.reduce(0, +)
        var driven: Metres = 0
        let shares =
            [0.0]
            + steps.map { step in
                driven += step
                return length > 0 ? driven / length : 1
            }
        let plane = LocalPlane(latitude: start.position.latitude)
        let beside = plane.vector(from: line[0], to: start.position)
        let besideEnd = plane.vector(from: line[line.count - 1], to: end.position)
        let bends = zip(line, shares).dropFirst().dropLast().map { point, share in
            let off = Vector(
                east: beside.east + share * (besideEnd.east - beside.east),
                north: beside.north + share * (besideEnd.north - beside.north))
            return plane.coordinate(off, from: point).onMap
        }
        points = [start.position] + bends + [end.position]
        times = shares.map { start.time.adding($0 * end.time.since(start.time)) }
    }

    /// Where it lies inside of a shape; in order.
    func stretches(in shape: PreparedShape) -> [Stretch] {
        var stretches: [Stretch] = []
        var inside = shape.contains(points[0]) ? Stretch() : nil
        for (index, end) in points.enumerated().dropFirst() {
            var here = points[index - 1]
            for crossing in shape.crossings(from: points[index - 1], to: end) {
                let border = place(crossing.fraction, before: index)
                if crossing.isEntering {
                    inside = Stretch(entry: border)
                } else if var stretch = inside {
                    stretch.deepen(from: here, to: border.position, in: shape)
                    stretch.exit = border
                    stretches.append(stretch)
                    inside = nil
                }
                here = border.position
            }
            inside?.deepen(from: here, to: end, in: shape)
        }
        if let inside { stretches.append(inside) }
        return stretches
    }

    /// Where the vehicle was at a time up to the second fix; before the first, it was there.
    func position(at time: Timestamp) -> Coordinate {
        let index = max(1, min(times.partitioningIndex { $0 >= time }, times.count - 1))
        let span = times[index].since(times[index - 1])
        let fraction = span > 0 ? max(0, time.since(times[index - 1]) / span) : 0
        return points[index - 1].interpolated(to: points[index], fraction: fraction)
    }

    private func place(_ fraction: Double, before index: Int) -> BorderCrossing {
        let (start, end) = (times[index - 1], times[index])
        return BorderCrossing(
            position: points[index - 1].interpolated(to: points[index], fraction: fraction),
            time: start.adding(fraction * end.since(start)), isInterpolated: true)
    }
}

/// A part of a way that ends between the two fixes, where the vehicle was outside of a fence.
struct LegPart {
    /// What a device that had reported there would have said.
    var fix: Fix
    /// Of it from the border.
    var distance: Metres
    /// Where the part lies inside.
    var way: [Stretch]
}

extension Leg {
    /// The parts into which a way falls where it leaves a fence, far and long enough for an exit, and comes back.
    ///
    /// - Parameter time: how long the vehicle has to be outside.
    func parts(
        of way: [Stretch], to fix: Fix, at fence: KnownFence, outsideFor time: Seconds
    ) -> [LegPart] {
        guard way.count > 1 else { return [] }
        let band = max(fix.accuracyOrAssumed, fence.fence.hysteresis)
        var parts: [LegPart] = []
        var from = 0
        for index in way.indices.dropLast() {
            guard let moments = way[index].outside(before: way[index + 1], for: time) else { continue }
            let fixes = moments.map { Fix(position: position(at: $0), time: $0, accuracy: fix.accuracy) }
            let distances = fixes.map { fence.shape.signedDistance(from: $0.position) }
            guard distances.allSatisfy({ $0 > band }) else { continue }
            for (fix, distance) in zip(fixes, distances) {
                parts.append(LegPart(fix: fix, distance: distance, way: Array(way[from..<index + 1])))
                from = index + 1
            }
        }
        return parts
    }
}

/// A part of a way that lies inside of a shape.
struct Stretch {
    /// Nil where the way begins inside.
    var entry: BorderCrossing?
    /// Nil where it ends inside.
    var exit: BorderCrossing?
    /// How far from the border it leads, by its bends and the middles between them.
    private(set) var depth: Metres = 0

    /// The part from a time on, which begins inside where that lies in it; nil where the stretch was over by then.
    func from(_ time: Timestamp) -> Stretch? {
        if let exit, exit.time <= time { return nil }
        var part = self
        if let entry, entry.time <= time { part.entry = nil }
        return part
    }

    /// Two moments between this stretch and the next, so far apart, at which the vehicle was outside: in the middle, as it is farthest
    /// from the border there; nil where it was not outside for so long.
    func outside(before next: Stretch, for time: Seconds) -> [Timestamp]? {
        guard let exit = exit?.time, let entry = next.entry?.time, entry.since(exit) > time else { return nil }
        let margin = (entry.since(exit) - time) / 2
        return [exit.adding(margin), entry.adding(-margin)]
    }

    fileprivate mutating func deepen(from start: Coordinate, to end: Coordinate, in shape: PreparedShape) {
        let middle = start.interpolated(to: end, fraction: 0.5)
        depth = max(depth, -shape.signedDistance(from: middle), -shape.signedDistance(from: end))
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

    /// What two fixes alone say of the way between them.
    struct Step {
        /// Nil: they are too far apart in time or space for anybody to know the way.
        var start: Fix?
        /// In a straight line.
        var moved: Metres = 0
        /// Whether no road is looked for.
        var isStraight = true
    }

    func step(from start: Fix?, to end: Fix) -> Step {
        guard let start, end.time.since(start.time) <= gap else { return Step() }
        let moved = start.position.distance(to: end.position)
        guard !FixFilter.isImplausible(from: start, to: end, distance: moved) else { return Step() }
        let isNear = end.time.since(start.time) <= Self.roadFrom.seconds || moved <= Self.roadFrom.metres
        return Step(start: start, moved: moved, isStraight: network == nil || isNear)
    }

    /// Along the road where the road file covers both fixes, else in a straight line.
    ///
    /// - Returns: nil where nobody can say how the vehicle came from one to the other.
    func leg(_ step: Step, to end: Fix) -> Leg? {
        guard let start = step.start else { return nil }
        return (step.isStraight ? nil : roadLeg(from: start, to: end)) ?? Leg(from: start, to: end)
    }

    private func roadLeg(from start: Fix, to end: Fix) -> Leg? {
        guard let network else { return nil }
        let line = DrivenWay(network).line(from: MatchObservation(start), to: MatchObservation(end))
        return line.map { Leg(from: start, along: $0, to: end) }
    }
}
