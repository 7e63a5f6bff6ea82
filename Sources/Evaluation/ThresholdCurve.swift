import Fleet
import Geo
import Messages

/// What each threshold of probability (`alerts.min_probability`) would lead to on the same trips: a lower one tells more
/// trucks the full mile ahead, and more of them for nothing.
package struct ThresholdCurve: Sendable {
    package struct Point: Sendable, Encodable {
        package var minProbability: Double
        /// One of each interval.
        package var results: [EvaluationPair]

        package init(minProbability: Double, results: [EvaluationPair]) {
            (self.minProbability, self.results) = (minProbability, results)
        }
    }

    /// Close together where the numbers change most.
    private static let thresholds = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

    /// Ascending by threshold.
    package let points: [Point]

    package init(_ points: [Point]) { self.points = points.sorted { $0.minProbability < $1.minProbability } }

    /// Those that are tried, ascending.
    ///
    /// - Parameter inForce: the one of the configuration, which is among them.
    package static func thresholds(with inForce: Double) -> [Double] { Set(thresholds + [inForce]).sorted() }

    /// What the curve is drawn of: the natural trips, or those drawn to pass where there are no others.
    static func evaluation(of pair: EvaluationPair) -> Evaluation {
        pair.natural.trips > 0 ? pair.natural : pair.passing
    }

    // MARK: As people read it

    /// A table: a row for each threshold and interval.
    package var text: String {
        let head = ["min_probability", "interval", "full mile", "false per 1,000 km", "told before"]
        let rows =
            [head]
            + points.flatMap { point in
                point.results.map { Self.row(of: Self.evaluation(of: $0), at: point.minProbability) }
            }
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }

    private static func row(of it: Evaluation, at minProbability: Double) -> [String] {
        let share = it.fullMileShare.map { ", \(($0 * 100).text(decimals: 0)) %" } ?? ""
        return [
            minProbability.text(decimals: 2), it.interval.plain + " s",
            "\(it.droveAndToldAtTheMile.grouped) of \(it.droveTheMile.grouped)\(share)",
            it.falsePer1000Kilometres.text(decimals: 1),
            "\(it.toldBefore.grouped) of \(it.tellable.grouped)",
        ]
    }

    /// The picture as an SVG file.
    ///
    /// - Parameter inForce: the threshold that is marked.
    package func svg(inForce: Double) -> String { CurvePlot(self, inForce: inForce).svg }
}

extension Evaluation {
    /// Of the passes that were driven for a mile before the detour point, how many had an alarm by then; nil where none was.
    package var fullMileShare: Double? {
        droveTheMile > 0 ? Double(droveAndToldAtTheMile) / Double(droveTheMile) : nil
    }
}
