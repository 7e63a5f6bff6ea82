extension Circle {
    /// From a place to the border, along the ellipsoid; negative inside.
    func signedDistance(from place: Coordinate) -> Metres { Geodesic.distance(from: center, to: place) - radius }

    /// Where a way changes sides. From far away it comes nearer to the centre up to one place, and from there on goes away.
    func crossings(by way: StraightWay) -> [Crossing] {
        func isInside(_ place: Coordinate) -> Bool { signedDistance(from: place) <= 0 }
        func crossing(_ range: ClosedRange<Double>, isEntering: Bool) -> Crossing {
            Crossing(fraction: way.change(in: range, isInside), isEntering: isEntering)
        }
        let (start, end) = (isInside(way.coordinate(at: 0)), isInside(way.coordinate(at: 1)))
        if start != end { return [crossing(0...1, isEntering: end)] }
        guard !start else { return [] }
        let nearest = way.edge.nearestFraction(to: center)
        guard signedDistance(from: way.coordinate(at: nearest)) < -Self.grazeMax else { return [] }
        return [crossing(0...nearest, isEntering: true), crossing(nearest...1, isEntering: false)]
    }

    /// What goes no deeper touches the border.
    private static let grazeMax: Metres = 0.001
}
