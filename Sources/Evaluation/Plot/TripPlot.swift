import Fleet
import Foundation
import Geo
import Messages
import Roads

/// Draws a scene as an SVG file that needs nothing else: no fonts, scripts or images, and a background of its own, so that
/// it can be read on light pages and dark ones.
struct TripPlot {
    private static let footer = 34.0
    private static let arrowsEvery = 160.0

    private let scene: TripScene
    private let frame: PlotFrame
    private let attribution: String
    private let trip: [PlotPoint]
    private let detourLine: [PlotPoint]
    private let marks: [(mark: TripScene.Mark, point: PlotPoint)]

    init(_ scene: TripScene, attribution: String) {
        self.attribution = attribution
        let frame = PlotFrame(scene.stretch, other: scene.detourLine)
        self.scene = scene
        self.frame = frame
        trip = frame.points(scene.tripLine)
        detourLine = frame.points(scene.detourLine)
        marks = scene.marks.map { ($0, frame.point($0.position)) }
    }

    /// The whole file.
    var svg: String {
        SVG.document(
            width: PlotFrame.width, height: frame.map.bottom + Self.footer, title: "\(scene.title): \(scene.subtitle)"
        ) { svg in
            svg.add("<clipPath id=\"map\">\(rectangle(frame.map))</clipPath>")
            svg.group("clip-path=\"url(#map)\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"") {
                drawRoads(&$0)
                drawLines(&$0)
                drawMarks(&$0)
            }
            drawLabels(&svg)
            drawMargins(&svg)
        }
    }

    private func rectangle(_ box: PlotBox) -> String {
        "<rect x=\"\(SVG.number(box.left))\" y=\"\(SVG.number(box.top))\" width=\"\(SVG.number(box.width))\" "
            + "height=\"\(SVG.number(box.height))\"/>"
    }

    // MARK: Lines

    private func drawRoads(_ svg: inout SVG) {
        svg.group("stroke=\"\(PlotColour.road)\"") { svg in
            for stratum in RoadLayer(scene.network, frame).strata {
                svg.path(stratum.pathData, "stroke-width=\"\(SVG.number(stratum.width(scale: frame.scale)))\"")
            }
        }
    }

    private func drawLines(_ svg: inout SVG) {
        let data = SVG.pathData(trip)
        svg.path(SVG.pathData(detourLine), "stroke=\"\(PlotColour.background)\" stroke-width=\"9\"")
        svg.path(
            SVG.pathData(detourLine), "stroke=\"\(PlotColour.detour)\" stroke-width=\"4.5\" stroke-dasharray=\"3 8\"")
        svg.path(data, "stroke=\"\(PlotColour.background)\" stroke-width=\"9\"")
        svg.path(data, "stroke=\"\(PlotColour.trip)\" stroke-width=\"5\"")
        svg.group("stroke=\"\(PlotColour.low)\" stroke-width=\"9\"") { svg in
            for line in scene.zoneLines { svg.path(SVG.pathData(frame.points(line))) }
        }
        svg.path(arrows, "fill=\"\(PlotColour.trip)\" stroke=\"\(PlotColour.background)\" stroke-width=\"1.5\"")
    }

    /// Which way the trip goes.
    private var arrows: String {
        steps(trip, every: Self.arrowsEvery).map { place, direction in
            let corners = [(0.0, 9.0), (130, 9), (180, 2.5), (-130, 9)].map { turn, size -> PlotPoint in
                let angle = direction + turn * .pi / 180
                return PlotPoint(x: place.x + size * cos(angle), y: place.y + size * sin(angle))
            }
            return SVG.pathData(corners) + "Z"
        }.joined()
    }

    /// Places on the map along a line, so far apart, and the direction there.
    private func steps(_ line: [PlotPoint], every step: Double) -> [(PlotPoint, direction: Double)] {
        var found: [(PlotPoint, Double)] = []
        var rest = step / 2
        for (a, b) in zip(line, line.dropFirst()) {
            let length = a.distance(to: b)
            while rest <= length, length > 0 {
                let share = rest / length
                let place = PlotPoint(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
                if frame.map.contains(place) { found.append((place, atan2(b.y - a.y, b.x - a.x))) }
                rest += step
            }
            rest -= length
        }
        return found
    }

    // MARK: Marks and labels

    private func radius(_ kind: TripScene.Mark.Kind) -> Double {
        switch kind {
        case .structure: 10
        case .detourPoint: 10
        case .alertPoint: 9
        case .stage: 7
        case .detour: 4
        }
    }

    /// Rings below, so that a stage that came right there stays to be seen.
    private func drawMarks(_ svg: inout SVG) {
        for (mark, point) in marks.reversed() {
            if let colour = ring(mark.kind) {
                svg.circle(
                    point, radius: radius(mark.kind) - 2, "fill=\"#fff\" stroke=\"\(colour)\" stroke-width=\"4\"")
            }
        }
        for (mark, point) in marks {
            if case .stage(let stage) = mark.kind {
                svg.circle(
                    point, radius: radius(mark.kind) - 1,
                    "fill=\"\(PlotColour.of(stage))\" stroke=\"#fff\" stroke-width=\"2\"")
            }
        }
    }

    /// Its colour; nil where the mark is no ring.
    private func ring(_ kind: TripScene.Mark.Kind) -> String? {
        switch kind {
        case .structure: PlotColour.low
        case .detourPoint: PlotColour.detour
        case .alertPoint: PlotColour.trip
        case .stage, .detour: nil
        }
    }

    private func drawLabels(_ svg: inout SVG) {
        let lines = (steps(trip, every: 6) + steps(detourLine, every: 6)).map(\.0)
        let area = frame.map.widened(by: -8)
        var placement = LabelPlacement(within: area, lines: lines)
        let labels = marks.filter { frame.map.contains($0.point) }.map {
            LabelPlacement.Label(words: $0.mark.words, anchor: $0.point, radius: radius($0.mark.kind))
        }
        let placed = placement.place(labels)
        svg.group("stroke=\"\(PlotColour.ink)\" stroke-width=\"1\"") { svg in
            for leader in placed.compactMap(\.leader) { svg.path(SVG.pathData([leader.from, leader.to])) }
        }
        let halo =
            "stroke=\"\(PlotColour.background)\" stroke-width=\"5\" stroke-linejoin=\"round\" paint-order=\"stroke\""
        svg.group(
            "font-size=\"\(SVG.number(LabelPlacement.fontSize))\" font-weight=\"600\" fill=\"\(PlotColour.ink)\" "
                + halo
        ) { svg in
            for label in placed { svg.words(label.label.words, at: label.start, label.attributes) }
        }
    }

    // MARK: Margins

    private func drawMargins(_ svg: inout SVG) {
        svg.group("fill=\"\(PlotColour.ink)\"") { svg in
            svg.words(scene.title, at: PlotPoint(x: 20, y: 32), "font-size=\"22\" font-weight=\"700\"")
            svg.words(
                scene.subtitle, at: PlotPoint(x: 20, y: 56), "font-size=\"15\" fill=\"\(PlotColour.faint)\"")
            svg.words(
                attribution,
                at: PlotPoint(x: PlotFrame.width - 20, y: frame.map.bottom + 22),
                "font-size=\"13\" text-anchor=\"end\" fill=\"\(PlotColour.faint)\"")
        }
        let bar = ScaleBar(frame.scale, scene.settings.units)
        let (left, bottom) = (20.0, frame.map.bottom + 18)
        let ends = [(left, bottom - 6), (left, bottom), (left + bar.length, bottom), (left + bar.length, bottom - 6)]
        svg.path(
            SVG.pathData(ends.map { PlotPoint(x: $0.0, y: $0.1) }),
            "fill=\"none\" stroke=\"\(PlotColour.ink)\" stroke-width=\"2\"")
        svg.words(
            bar.words, at: PlotPoint(x: left + bar.length + 10, y: bottom + 1),
            "font-size=\"13\" fill=\"\(PlotColour.ink)\"")
    }
}

extension LabelPlacement.Placed {
    /// Where the words begin, or end where the label lies to the left of its mark: however wide a font is, they keep to
    /// it.
    fileprivate var start: PlotPoint {
        let x = isLeft ? box.right - LabelPlacement.padding : box.left + LabelPlacement.padding
        return PlotPoint(x: x, y: box.centre.y + LabelPlacement.fontSize / 3)
    }

    fileprivate var attributes: String { isLeft ? "text-anchor=\"end\"" : "" }

    private var isLeft: Bool { box.centre.x < label.anchor.x }
}
