import Fleet
import func Foundation.log10
import Geo
import Messages

/// Draws what each way of reporting sends against what it misses: an SVG file that needs nothing else. Told apart by shape and
/// words alone, so that it can be printed in grey.
package struct TrackingPlot {
    private static let (width, height) = (960.0, 600.0)
    /// Within the axes.
    private static let area = PlotBox(left: 90, top: 90, right: 930, bottom: 520)
    private static let font = "font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\""
    private static let (background, ink, faint, grid) = ("#faf9f5", "#22262b", "#6a6f76", "#d8d6cf")
    private static let markRadius = 8.0

    private let summary: TrackingSummary
    /// Messages an hour, logarithmic.
    private let across: [Double]
    /// Missed events in percent.
    private let up: [Double]

    package init(_ summary: TrackingSummary) {
        self.summary = summary
        let rates = summary.allResults.map { max(0.1, summary.perHour(Double($0.messages))) }
        across = Self.decades(from: rates.min() ?? 1, to: rates.max() ?? 1)
        up = Self.steps(to: summary.allResults.map(\.missedPercent).max() ?? 0)
    }

    // MARK: The axes

    /// 1, 2 and 5 of each power of ten, from the last that is below to the first that is above.
    private static func decades(from low: Double, to high: Double) -> [Double] {
        let all = (-2...7).flatMap { power in [1.0, 2, 5].map { $0 * Self.power(power) } }
        let first = all.lastIndex { $0 < low } ?? 0
        let last = all.firstIndex { $0 > high } ?? all.count - 1
        return Array(all[first...last])
    }

    private static func power(_ exponent: Int) -> Double {
        (0..<exponent.magnitude).reduce(1.0) { power, _ in exponent > 0 ? power * 10 : power / 10 }
    }

    /// From 0 to a round number above.
    private static func steps(to high: Double) -> [Double] {
        let top = [5.0, 10, 15, 20, 25, 30, 40, 50, 75].first { $0 >= high * 1.1 } ?? 100
        return (0...5).map { top * Double($0) / 5 }
    }

    private func x(_ rate: Double) -> Double {
        let (low, high) = (log10(across[0]), log10(across[across.count - 1]))
        return Self.area.left + Self.area.width * (log10(max(rate, across[0])) - low) / (high - low)
    }

    private func y(_ percent: Double) -> Double { Self.area.bottom - Self.area.height * percent / up[up.count - 1] }

    // MARK: The file

    package var svg: String {
        var svg = SVG()
        let (width, height) = (SVG.number(Self.width), SVG.number(Self.height))
        svg.add(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" "
                + "height=\"\(height)\" role=\"img\" \(Self.font) fill=\"\(Self.ink)\">")
        svg.add("<title>\(SVG.escaped(title)): \(SVG.escaped(subtitle))</title>")
        svg.add("<rect width=\"100%\" height=\"100%\" fill=\"\(Self.background)\"/>")
        svg.words(title, at: PlotPoint(x: 20, y: 34), "font-size=\"22\" font-weight=\"700\"")
        svg.words(subtitle, at: PlotPoint(x: 20, y: 58), "font-size=\"15\" fill=\"\(Self.faint)\"")
        drawAxes(&svg)
        drawMarks(&svg)
        svg.add("</svg>")
        return svg.text
    }

    private var title: String { "What reporting costs, and what it misses" }

    private var subtitle: String {
        let events = summary.truth.events.happened
        return "\(summary.trips.grouped) trips · \(summary.kilometres.text(decimals: 0)) km · "
            + "\(summary.fences.grouped) fences · \(events.grouped) events · energy of receiver and radio in % of "
            + "\((EnergyModel.battery / 3600).text(decimals: 0)) Wh an hour"
    }

    private func drawAxes(_ svg: inout SVG) {
        let area = Self.area
        svg.group("stroke=\"\(Self.grid)\" stroke-width=\"1\"") { svg in
            for rate in across { svg.path(line(x(rate), area.top, x(rate), area.bottom)) }
            for percent in up { svg.path(line(area.left, y(percent), area.right, y(percent))) }
        }
        svg.path(
            "\(line(area.left, area.top, area.left, area.bottom))L\(SVG.number(area.right)) \(SVG.number(area.bottom))",
            "fill=\"none\" stroke=\"\(Self.ink)\" stroke-width=\"1.5\"")
        svg.group("font-size=\"13\" text-anchor=\"middle\"") { svg in
            for rate in across {
                let words = rate.text(decimals: rate < 0.1 ? 2 : rate < 1 ? 1 : 0)
                svg.words(words, at: PlotPoint(x: x(rate), y: area.bottom + 20))
            }
            svg.words(
                "messages an hour of driving", at: PlotPoint(x: area.centre.x, y: area.bottom + 50),
                "font-size=\"15\"")
        }
        svg.group("font-size=\"13\" text-anchor=\"end\"") { svg in
            for percent in up {
                let words = percent.text(decimals: percent == percent.rounded() ? 0 : 1) + " %"
                svg.words(words, at: PlotPoint(x: area.left - 8, y: y(percent) + 4))
            }
        }
        svg.add(
            "<text transform=\"translate(26 \(SVG.number(area.centre.y))) rotate(-90)\" font-size=\"15\" "
                + "text-anchor=\"middle\">events missed</text>")
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        "M\(SVG.number(x1)) \(SVG.number(y1))L\(SVG.number(x2)) \(SVG.number(y2))"
    }

    // MARK: The strategies

    private func drawMarks(_ svg: inout SVG) {
        let marks = summary.allResults.map { result in
            (result, PlotPoint(x: x(summary.perHour(Double(result.messages))), y: y(result.missedPercent)))
        }
        for (result, point) in marks {
            svg.path(Self.shape(result.strategy, point), "fill=\"\(Self.ink)\" stroke=\"#fff\" stroke-width=\"1.5\"")
        }
        var placement = LabelPlacement(within: Self.area.widened(by: -2), lines: [])
        let labels = marks.map { result, point in
            LabelPlacement.Label(words: words(result), anchor: point, radius: Self.markRadius)
        }
        for placed in placement.place(labels) {
            if let leader = placed.leader {
                svg.path(SVG.pathData([leader.from, leader.to]), "stroke=\"\(Self.faint)\"")
            }
            let middle = PlotPoint(x: placed.box.centre.x, y: placed.box.centre.y + LabelPlacement.fontSize / 3)
            svg.words(
                placed.label.words, at: middle,
                "font-size=\"\(SVG.number(LabelPlacement.fontSize))\" text-anchor=\"middle\" stroke=\"\(Self.background)\" "
                    + "stroke-width=\"4\" paint-order=\"stroke\"")
        }
    }

    private func words(_ result: TrackingResult) -> String {
        "\(result.title): \(summary.batteryPercentPerHour(result.joulesLow).text(decimals: 1))–"
            + "\(summary.batteryPercentPerHour(result.joulesHigh).text(decimals: 1)) %/h"
    }

    /// A circle, a square, a triangle or a diamond.
    private static func shape(_ strategy: String, _ centre: PlotPoint) -> String {
        let corners: [(Double, Double)] =
            switch strategy {
            case TrackingStrategy.significantChange.name: [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)]
            case TrackingStrategy.fenceOnly.name: [(0, -1), (1, 0.8), (-1, 0.8)]
            case TrackingStrategy.quietCircle(interval: 1).name: [(0, -1.2), (1, 0), (0, 1.2), (-1, 0)]
            default: [(1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7)]
            }
        return SVG.pathData(
            corners.map { PlotPoint(x: centre.x + $0.0 * markRadius, y: centre.y + $0.1 * markRadius) }) + "Z"
    }
}

extension TrackingResult {
    /// The share of the events that happened which were not told, in percent.
    fileprivate var missedPercent: Double {
        events.happened == 0 ? 0 : Double(events.missed) / Double(events.happened) * 100
    }
}
