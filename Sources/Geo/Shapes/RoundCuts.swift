/// Where a way meets round borders. Metres per degree change with the latitude on the way, so that each meeting is found in
/// the plane of the one before.
private let roundsOfRefinement = 4

extension Edge {
    /// The fractions, `0 ... 1`, at which the way is `distance` from `center`; where it passes farther off, the nearest place.
    func fractions(at distance: Metres, from center: MapPoint) -> [Double] {
        let center = MapPoint(start.x + shortestLongitude(from: start.x, to: center.x), center.y)
        return [-1.0, 1].map { sign in
            var fraction = 0.0
            var latitude = center.y
            for _ in 0..<roundsOfRefinement {
                let scale = LocalPlane(latitude: latitude).scale
                fraction = meeting(at: distance, from: center, sign: sign, scale: scale)
                latitude = (point(at: fraction).y + center.y) / 2
            }
            return fraction
        }
    }

    /// The first (`sign` -1) or second meeting of the straight line with a circle in a plane, brought onto the way.
    private func meeting(at radius: Metres, from center: MapPoint, sign: Double, scale: SIMD2<Double>) -> Double {
        let (offset, along) = ((start - center) * scale, direction * scale)
        let squared = along.dotSelf
        guard squared > 0 else { return 0 }
        let half = offset.x * along.x + offset.y * along.y
        let discriminant = half * half - squared * (offset.dotSelf - radius * radius)
        return min(1, max(0, (-half + sign * max(0, discriminant).squareRoot()) / squared))
    }

    /// The fractions, `0 ... 1`, at which the way is `distance` from the straight line through another edge.
    func fractions(at distance: Metres, beside other: Edge) -> [Double] {
        [-1.0, 1].compactMap { side in
            var fraction = 0.5
            for _ in 0..<roundsOfRefinement {
                let here = point(at: fraction)
                let scale = LocalPlane(latitude: (here.y + other.foot(of: here).y) / 2).scale
                let line = other.direction * scale
                let along = cross(line, direction * scale)
                guard along != 0 else { return nil }
                let offset = cross(line, (start - other.start) * scale)
                fraction = min(1, max(0, (side * distance * line.dotSelf.squareRoot() - offset) / along))
            }
            return fraction
        }
    }

    /// The point of the edge that is nearest to another.
    private func foot(of point: MapPoint) -> MapPoint {
        let scale = LocalPlane(latitude: point.y).scale
        let (offset, along) = ((point - start) * scale, direction * scale)
        let fraction = (offset.x * along.x + offset.y * along.y) / along.dotSelf
        return self.point(at: min(1, max(0, fraction)))
    }
}

extension PreparedCorridor {
    /// The corridor's border lies half a width beside each of its edges and round their ends.
    func cuts(by way: Edge) -> [Double] {
        var cuts: [Double] = []
        for turn in line.turns {
            let shifted = way.shifted(by: turn)
            line.tree.forEachEdge(meeting: shifted.box.widened(by: halfWidth)) { _, edge in
                cuts += shifted.fractions(at: halfWidth, from: edge.start)
                cuts += shifted.fractions(at: halfWidth, from: edge.end)
                cuts += shifted.fractions(at: halfWidth, beside: edge)
            }
        }
        return cuts
    }
}
