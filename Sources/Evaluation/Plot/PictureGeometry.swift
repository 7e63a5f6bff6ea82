import Fleet
import Messages

/// A place on a picture: to the right and down from its upper left corner.
struct PlotPoint: Hashable {
    var x: Double
    var y: Double

    func distance(to other: PlotPoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

/// An upright rectangle on a picture.
struct PlotBox: Hashable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    var width: Double { right - left }
    var height: Double { bottom - top }
    var centre: PlotPoint { PlotPoint(x: (left + right) / 2, y: (top + bottom) / 2) }

    init(left: Double, top: Double, right: Double, bottom: Double) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    init(around centre: PlotPoint, width: Double, height: Double) {
        self.init(
            left: centre.x - width / 2, top: centre.y - height / 2, right: centre.x + width / 2,
            bottom: centre.y + height / 2)
    }

    func contains(_ point: PlotPoint) -> Bool {
        (left...right).contains(point.x) && (top...bottom).contains(point.y)
    }

    func contains(_ other: PlotBox) -> Bool {
        left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom
    }

    func overlaps(_ other: PlotBox) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    func widened(by margin: Double) -> PlotBox {
        PlotBox(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }

    /// Its place that is nearest to `point`.
    func nearest(to point: PlotPoint) -> PlotPoint {
        PlotPoint(x: min(max(point.x, left), right), y: min(max(point.y, top), bottom))
    }
}
