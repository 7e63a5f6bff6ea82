import Fleet
import Geo
import Messages

/// Draws a curve over thresholds: to the right the false alarms per 1,000 km, upwards how many passes had an alarm the full
/// mile ahead, a line for each interval between fixes.
struct CurvePlot {
    private static let (width, height) = (900.0, 620.0)
    private static let area = PlotBox(left: 90, top: 84, right: 860, bottom: 530)
    private static let lineColours = [PlotColour.trip, PlotColour.detour, PlotColour.low, PlotColour.ink]
    /// A label lies to the right of its point and below, where the curve is not; it has this much room.
    private static let labelHeight = 14.0

    private let curve: ThresholdCurve
    private let inForce: Double
    private let falseMax: Double

    init(_ curve: ThresholdCurve, inForce: Double) {
        self.curve = curve
        self.inForce = inForce
        let most = curve.points.flatMap(\.results).map { ThresholdCurve.evaluation(of: $0).falsePer1000Kilometres }
            .max()
        falseMax = Self.axisEnd(most ?? 0)
    }

    /// The whole file.
    var svg: String {
        let title = "Full mile and false alarms by alerts.min_probability"
        return SVG.document(width: Self.width, height: Self.height, title: title) { svg in
            svg.words(
                title, at: PlotPoint(x: 20, y: 36), "font-size=\"22\" font-weight=\"700\" fill=\"\(PlotColour.ink)\"")
            drawAxes(&svg)
            for index in intervals.indices { draw(index, &svg) }
        }
    }

    private var intervals: [Seconds] {
        curve.points.first?.results.map { ThresholdCurve.evaluation(of: $0).interval } ?? []
    }

    /// A round number that nothing exceeds; 1 at least.
    private static func axisEnd(_ most: Double) -> Double {
        var power = 1.0
        while power * 10 < most { power *= 10 }
        return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].map { $0 * power }.first { $0 >= most } ?? power * 10
    }

    private func point(_ evaluation: Evaluation) -> PlotPoint? {
        evaluation.fullMileShare.map { share in
            place(evaluation.falsePer1000Kilometres / falseMax, share)
        }
    }

    /// - Parameters: shares of the axes.
    private func place(_ right: Double, _ up: Double) -> PlotPoint {
        PlotPoint(x: Self.area.left + right * Self.area.width, y: Self.area.bottom - up * Self.area.height)
    }

    private func drawAxes(_ svg: inout SVG) {
        svg.group("stroke=\"\(PlotColour.road)\"") { svg in
            for step in 0...5 {
                let share = Double(step) / 5
                svg.path(SVG.pathData([place(0, share), place(1, share)]))
                svg.path(SVG.pathData([place(share, 0), place(share, 1)]))
            }
        }
        svg.group("font-size=\"14\" fill=\"\(PlotColour.faint)\"") { svg in
            for step in 0...5 {
                let share = Double(step) / 5
                let (left, below) = (place(0, share), place(share, 0))
                svg.words("\(step * 20) %", at: PlotPoint(x: left.x - 10, y: left.y + 5), "text-anchor=\"end\"")
                svg.words(
                    (share * falseMax).plain, at: PlotPoint(x: below.x, y: below.y + 22), "text-anchor=\"middle\"")
            }
            svg.words("passes with an alarm the full mile ahead", at: PlotPoint(x: 20, y: Self.area.top - 18))
            svg.words(
                "false alarms per 1,000 km", at: PlotPoint(x: Self.area.right, y: Self.area.bottom + 48),
                "text-anchor=\"end\"")
        }
    }

    private func draw(_ index: Int, _ svg: inout SVG) {
        let colour = Self.lineColours[index % Self.lineColours.count]
        let points = curve.points.compactMap { point in
            self.point(ThresholdCurve.evaluation(of: point.results[index])).map { (point.minProbability, $0) }
        }
        svg.path(SVG.pathData(points.map(\.1)), "fill=\"none\" stroke=\"\(colour)\" stroke-width=\"3\"")
        var labelled: PlotPoint?
        for (threshold, place) in points {
            let isInForce = threshold == inForce
            svg.circle(place, radius: isInForce ? 8 : 4.5, "fill=\"\(colour)\"")
            guard isInForce || labelled.map({ $0.distance(to: place) >= Self.labelHeight }) ?? true else { continue }
            labelled = place
            svg.words(
                threshold.text(decimals: 2), at: PlotPoint(x: place.x + 10, y: place.y + Self.labelHeight),
                "font-size=\"12\" fill=\"\(PlotColour.ink)\"" + (isInForce ? " font-weight=\"700\"" : ""))
        }
        svg.words(
            "a fix every \(intervals[index].plain) s",
            at: PlotPoint(x: Self.area.left, y: Self.area.bottom + 48 + 18 * Double(index)),
            "font-size=\"14\" font-weight=\"600\" fill=\"\(colour)\"")
    }
}
