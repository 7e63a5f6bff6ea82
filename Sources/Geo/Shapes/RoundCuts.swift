/// Where a way meets round borders. Metres per degree change with the latitude on the way, so that it is no circle that a
/// straight line meets, but nearly one: steps towards the meeting become small at once.
private let stepsOfRefinement = 4

extension Edge {
    /// About the fractions, `0 ... 1`, at which the way is `distance` from `center`, on both sides of where it is nearest; that
    /// place itself where it passes farther off.
    ///
    /// The nearest place is exact: a way that goes in by a centimetre is seen to do so.
    func fractions(at distance: Metres, from center: MapPoint) -> [Double] {
        let center = MapPoint(start.x + shortestLongitude(from: start.x, to: center.x), center.y)
        let length = (direction * LocalPlane(latitude: start.y).scale).dotSelf.squareRoot()
        guard length > 0 else { return [] }
        // Of the squared distance as a function of the fraction: Newton's method on a curve that is almost a parabola, its
        // slope taken over 200 m.
        let step = 100 / length
        var nearest = 0.5
        var curvature = 0.0
        for _ in 0..<stepsOfRefinement {
            let before = point(at: nearest - step).squaredDistance(to: center)
            let after = point(at: nearest + step).squaredDistance(to: center)
            let here = point(at: nearest).squaredDistance(to: center)
            curvature = (before - 2 * here + after) / (step * step)
            guard curvature > 0 else { return [] }
            nearest -= (after - before) / (2 * step) / curvature
        }
        let depth = distance * distance - point(at: nearest).squaredDistance(to: center)
        let half = (2 * max(0, depth) / curvature).squareRoot()
        return [nearest - half, nearest + half].map { min(1, max(0, $0)) }
    }

    /// The fractions, `0 ... 1`, at which the way is `distance` from the straight line through another edge.
    func fractions(at distance: Metres, beside other: Edge) -> [Double] {
        [-1.0, 1].compactMap { side in
            var fraction = 0.5
            // Each time in the plane where the way met the border the last time.
            for _ in 0..<stepsOfRefinement {
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
