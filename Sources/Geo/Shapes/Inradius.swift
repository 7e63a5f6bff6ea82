extension PreparedPolygons {
    /// How much larger a circle than the best so far must be possible in a box for it to be worth a look.
    private static let gainMin = 1.05
    /// The most boxes that are looked at: enough for all but the most ragged outlines, in well under a millisecond.
    private static let boxesMax = 256

    /// The radius of a circle that fits inside: the largest, less some per cent at most unless the outline is very ragged.
    ///
    /// Boxes that may hold the centre of a larger circle than the best so far are halved until there are none, or too many
    /// (after Agafonkin, polylabel, 2016).
    func inradius() -> Metres {
        var best = radiusOnRows()
        var boxes = parts.map(\.outer.extent)
        var looked = 0
        while !boxes.isEmpty, looked < Self.boxesMax {
            var halves: [MapBox] = []
            for box in boxes where looked < Self.boxesMax {
                looked += 1
                let radius = -signedDistance(from: Coordinate(box.middle))
                best = max(best, radius)
                if radius + box.reach > best * Self.gainMin { halves += box.halves }
            }
            boxes = halves
        }
        return best
    }

    /// The best of the middles between borders on some parallels: a start that finds even the thinnest polygon.
    private func radiusOnRows() -> Metres {
        var best: Metres = 0
        for part in parts {
            let extent = part.outer.extent
            for row in [0.5, 0.25, 0.75] {
                let y = extent.low.y + extent.size.y * row
                let parallel = Edge(start: MapPoint(extent.low.x, y), end: MapPoint(extent.high.x, y))
                let cuts = border.cuts(by: parallel).sorted()
                for (west, east) in zip(cuts, cuts.dropFirst()) {
                    best = max(best, -signedDistance(from: Coordinate(parallel.point(at: (west + east) / 2))))
                }
            }
        }
        return best
    }
}

extension MapBox {
    private var scale: SIMD2<Double> {
        // The latitude where the box is widest.
        LocalPlane(latitude: low.y > 0 ? low.y : min(0, high.y)).scale
    }

    /// From the middle to a corner.
    fileprivate var reach: Metres { (size * scale).dotSelf.squareRoot() / 2 }

    /// Cut across the longer side.
    fileprivate var halves: [MapBox] {
        let metres = size * scale
        let middle = middle
        return metres.x > metres.y
            ? [
                MapBox(low: low, high: MapPoint(middle.x, high.y)),
                MapBox(low: MapPoint(middle.x, low.y), high: high),
            ]
            : [
                MapBox(low: low, high: MapPoint(high.x, middle.y)),
                MapBox(low: MapPoint(low.x, middle.y), high: high),
            ]
    }
}
