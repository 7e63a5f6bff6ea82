extension Edge {
    /// About how long it is.
    var length: Metres {
        (direction * LocalPlane(latitude: min(start.y.magnitude, end.y.magnitude)).scale).dotSelf.squareRoot()
    }

    /// The fraction, over 0 and under 1, at which the edge comes nearest to a place along the ellipsoid, within a centimetre. From
    /// far away it comes nearer up to one place, and from there on goes away.
    ///
    /// By golden sections (Kiefer, Sequential minimax search for a maximum, 1953).
    func nearestFraction(to place: Coordinate) -> Double {
        let part = (5.0.squareRoot() - 1) / 2
        func distance(_ fraction: Double) -> Metres {
            Geodesic.distance(from: place, to: Coordinate(point(at: fraction)))
        }
        var (low, high) = (0.0, 1.0)
        var (left, right) = (1 - part, part)
        var (leftDistance, rightDistance) = (distance(left), distance(right))
        let length = length
        while (high - low) * length > Self.nearestStep, left < right {
            if leftDistance < rightDistance {
                (high, right, rightDistance) = (right, left, leftDistance)
                left = high - part * (high - low)
                leftDistance = distance(left)
            } else {
                (low, left, leftDistance) = (left, right, rightDistance)
                right = low + part * (high - low)
                rightDistance = distance(right)
            }
        }
        return (low + high) / 2
    }

    /// So near to the nearest place the distance is within a millimetre of the least, from 10 cm on.
    private static let nearestStep: Metres = 0.01

    /// From a place to the nearest point of the edge, along the ellipsoid.
    func distance(from place: Coordinate) -> Metres {
        [start, end, point(at: nearestFraction(to: place))].map { Geodesic.distance(from: place, to: Coordinate($0)) }
            .min()!
    }
}
