import Geo

/// Points along a line at even distances, as a vehicle that drives along it would report them.
struct LineSampling {
    /// Farther than this on either side of a sample, the line's own inaccuracy does not turn its course much.
    private static let courseReach: Metres = 10
    /// At a sharper bend the course is none.
    private static let bendMax: Degrees = 45
    private static let turnRoundMin: Degrees = 150

    struct Sample {
        var observation: MatchObservation
        /// From the start of the line.
        var distance: Metres
        /// Whether the line has turned round since the sample before.
        var turnsRound: Bool
    }

    private let points: [Coordinate]
    /// The distance of each point from the start of the line.
    private let distances: [Metres]

    /// Points that are none, and those that repeat the one before, are passed over.
    init(_ line: [Coordinate]) {
        var points: [Coordinate] = []
        var distances: [Metres] = []
        for point in line where point.isValid && point != points.last {
            distances.append((distances.last ?? 0) + (points.last?.distance(to: point) ?? 0))
            points.append(point)
        }
        self.points = points
        self.distances = distances
    }

    var length: Metres { distances.last ?? 0 }

    /// From the first point to the last, no more than `stepMax` apart; empty for a line of no length.
    func samples(stepMax: Metres, accuracy: Metres) -> [Sample] {
        guard length > 0 else { return [] }
        let count = max(1, Int((length / stepMax).rounded(.up)))
        return (0...count).map { index in
            let distance = index == count ? length : length * Double(index) / Double(count)
            let observation = MatchObservation(
                position: point(at: distance), accuracy: accuracy, course: course(at: distance))
            let turned = self.turned(from: distance - length / Double(count), to: distance)
            return Sample(
                observation: observation, distance: distance, turnsRound: turned >= Self.turnRoundMin)
        }
    }

    /// How far the course turns from one place to another; at the ends of the line not at all.
    private func turned(from start: Metres, to end: Metres) -> Degrees {
        guard start > 0, end < length else { return 0 }
        let before = point(at: start - Self.courseReach).bearing(to: point(at: start))
        return angle(between: before, and: point(at: end).bearing(to: point(at: end + Self.courseReach)))
    }

    /// Beyond the ends of the line, its ends.
    func point(at distance: Metres) -> Coordinate {
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if distances[middle] <= distance { low = middle } else { high = middle }
        }
        let length = distances[high] - distances[low]
        guard length > 0 else { return points[low] }
        let fraction = min(1, max(0, (distance - distances[low]) / length))
        return points[low].interpolated(to: points[high], fraction: fraction)
    }

    private func course(at distance: Metres) -> Degrees? {
        let here = point(at: distance)
        let before = point(at: max(0, distance - Self.courseReach))
        let behind = point(at: min(length, distance + Self.courseReach))
        let isBend = angle(between: before.bearing(to: here), and: here.bearing(to: behind)) > Self.bendMax
        let isInner = before != here && here != behind
        return isInner && isBend ? nil : before.bearing(to: behind)
    }
}
