/// Where a straight way goes into a shape or comes out of it.
public struct Crossing: Hashable, Sendable {
    /// 0 at the start of the way, 1 at its end.
    public var fraction: Double
    public var isEntering: Bool

    public init(fraction: Double, isEntering: Bool) {
        self.fraction = fraction
        self.isEntering = isEntering
    }
}

extension PreparedShape {
    /// Where the straight line on the map from `from` to `to`, the short way round, changes sides; ascending.
    ///
    /// Entering and leaving alternate, beginning and ending as `contains` says of `from` and `to`. Touching the border is no
    /// change of side, nor is running along it, nor what is within a millimetre of it. A crossing is within a centimetre of
    /// the border, also of a circle of any size, where it is found by halving; what goes less than a centimetre deep into a
    /// corridor more than 20 km wide may be missed.
    public func crossings(from: Coordinate, to: Coordinate) -> [Crossing] {
        guard let extent, extent.meets(Bounds(from, to)) else { return [] }
        let way = StraightWay(from: from, to: to)
        if case .circle(let circle) = form { return circle.crossings(by: way) }
        var log = CrossingLog(isInside: contains(from))
        let cuts = (form.cuts(by: way) + [0, 1]).sorted()
        for (start, end) in zip(cuts, cuts.dropFirst()) where end > start {
            let middle = (start + end) / 2
            let distance = signedDistance(from: way.coordinate(at: middle))
            // A thousandth of a metre from the border rounding says which side it is.
            guard distance.magnitude > 0.001 else { continue }
            log.note(isInside: distance < 0, from: start, seenAt: middle) { form.refine($0, on: way, self) }
        }
        log.note(isInside: contains(to), from: 1, seenAt: 1) { form.refine($0, on: way, self) ?? $0.upperBound }
        return log.crossings
    }
}

/// Collects changes of side along a way.
private struct CrossingLog {
    private(set) var crossings: [Crossing] = []
    private var isInside: Bool
    /// Where that side was last seen for certain.
    private var seenAt = 0.0

    init(isInside: Bool) { self.isInside = isInside }

    mutating func note(
        isInside: Bool, from start: Double, seenAt: Double, refined: (ClosedRange<Double>) -> Double?
    ) {
        defer { self.seenAt = seenAt }
        guard isInside != self.isInside else { return }
        self.isInside = isInside
        crossings.append(Crossing(fraction: refined(self.seenAt...seenAt) ?? start, isEntering: isInside))
    }
}

/// The straight line on the map between two points, the short way round.
struct StraightWay {
    let edge: Edge
    private let from: Coordinate
    private let to: Coordinate

    init(from: Coordinate, to: Coordinate) {
        (self.from, self.to) = (from, to)
        let start = MapPoint(from)
        let width = shortestLongitude(from: from.longitude, to: to.longitude)
        edge = Edge(start: start, end: MapPoint(start.x + width, to.latitude))
    }

    func coordinate(at fraction: Double) -> Coordinate {
        fraction == 0 ? from : fraction == 1 ? to : Coordinate(edge.point(at: fraction))
    }

    /// Where in a range what `isInside` says changes, by halving: within a millimetre, and on the far side.
    func change(in range: ClosedRange<Double>, _ isInside: (Coordinate) -> Bool) -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        let wasInside = isInside(coordinate(at: low))
        let length = edge.length
        while (high - low) * length > 0.001 {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { break }
            if isInside(coordinate(at: middle)) == wasInside { low = middle } else { high = middle }
        }
        return high
    }
}

extension PreparedShape.Form {
    /// Every fraction of the way at which it may change sides, in any order: exact for polygons, about it for round borders.
    fileprivate func cuts(by way: StraightWay) -> [Double] {
        switch self {
        case .circle: []
        case .polygons(let polygons): polygons.border.cuts(by: way.edge)
        case .corridor(let corridor): corridor.cuts(by: way.edge)
        }
    }

    /// The change of side between two places, halved down to it by what `contains` says; nil where the cuts are exact.
    fileprivate func refine(
        _ range: ClosedRange<Double>, on way: StraightWay, _ shape: PreparedShape
    ) -> Double? {
        if case .polygons = self { return nil }
        return way.change(in: range) { shape.contains($0) }
    }
}

extension Border {
    /// The fractions at which a straight line meets the border, in any order.
    func cuts(by way: Edge) -> [Double] {
        var cuts: [Double] = []
        for turn in turns {
            let shifted = way.shifted(by: turn)
            tree.forEachEdge(meeting: shifted.box) { _, edge in cuts += shifted.fractions(meeting: edge) }
        }
        return cuts
    }
}
