import Fleet
import Foundation
import Messages

/// Finds each label a place beside what it names: none on another, on a mark, or beyond the map; off the lines where it
/// can.
struct LabelPlacement {
    struct Label {
        var words: String
        /// What it names.
        var anchor: PlotPoint
        /// Half the size of the mark there.
        var radius: Double
    }

    struct Placed {
        var label: Label
        var box: PlotBox
        /// From the mark to the label, where that is not near enough to tell by itself.
        var leader: (from: PlotPoint, to: PlotPoint)?
    }

    static let fontSize = 15.0
    /// The width of a character as a share of the font size: the average of a wide sans-serif font, so that narrower
    /// ones fit too.
    private static let characterWidth = 0.66
    static let padding = 4.0
    private static let height = 20.0
    private static let directions = 24
    private static let distances: [Double] = [8, 20, 36, 56, 80, 110, 150, 200, 260, 330, 420]
    /// Nearer labels need no leader.
    private static let leaderMin = 16.0
    /// What it is worth to avoid one step of line under a label, a leader across another one's, a step away from the mark.
    private static let (lineCost, leaderCost, distanceCost) = (8.0, 300.0, 0.5)

    private let area: PlotBox
    private let lines: [PlotPoint]
    private var taken: [PlotBox] = []
    private var leaders: [(from: PlotPoint, to: PlotPoint)] = []

    /// - Parameters:
    ///   - area: what labels keep within.
    ///   - lines: points along lines that had better not be covered, a few units apart.
    init(within area: PlotBox, lines: [PlotPoint]) {
        self.area = area
        self.lines = lines
    }

    /// In the order given: the first have the widest choice. One for which no place is left is left out.
    mutating func place(_ labels: [Label]) -> [Placed] {
        taken += labels.map { PlotBox(around: $0.anchor, width: 2 * $0.radius, height: 2 * $0.radius) }
        return labels.compactMap { label in
            let best = candidates(label).map { ($0, cost($0)) }.min { $0.1 < $1.1 }
            guard let (placed, cost) = best, cost < .infinity else { return nil }
            taken.append(placed.box.widened(by: 2))
            if let leader = placed.leader { leaders.append(leader) }
            return placed
        }
    }

    static func width(_ words: String) -> Double { Double(words.count) * characterWidth * fontSize + 2 * padding }

    private func candidates(_ label: Label) -> [Placed] {
        Self.distances.flatMap { distance in
            (0..<Self.directions).map { step in
                let angle = 2 * Double.pi * Double(step) / Double(Self.directions)
                return candidate(label, towards: angle, distance)
            }
        }
    }

    /// A box that touches the circle of `distance` round the mark from outside.
    private func candidate(_ label: Label, towards angle: Double, _ distance: Double) -> Placed {
        let (width, height) = (Self.width(label.words), Self.height)
        let (right, down) = (cos(angle), sin(angle))
        // How far the box reaches back from its centre in this direction.
        let reach = min(
            right == 0 ? .infinity : width / 2 / abs(right), down == 0 ? .infinity : height / 2 / abs(down))
        let away = label.radius + distance + reach
        let centre = PlotPoint(x: label.anchor.x + right * away, y: label.anchor.y + down * away)
        let box = PlotBox(around: centre, width: width, height: height)
        let start = PlotPoint(x: label.anchor.x + right * label.radius, y: label.anchor.y + down * label.radius)
        let end = box.nearest(to: label.anchor)
        return Placed(label: label, box: box, leader: start.distance(to: end) >= Self.leaderMin ? (start, end) : nil)
    }

    private func cost(_ placed: Placed) -> Double {
        let box = placed.box
        guard area.contains(box), !taken.contains(where: box.overlaps) else { return .infinity }
        var cost = Double(lines.count(where: box.contains)) * Self.lineCost
        cost += box.nearest(to: placed.label.anchor).distance(to: placed.label.anchor) * Self.distanceCost
        guard let leader = placed.leader else { return crossings(of: box) * Self.leaderCost + cost }
        let crossed = leaders.count { Self.cross($0, leader) }
        let covered = taken.count { Self.crosses(leader, $0) && !$0.contains(placed.label.anchor) }
        return cost + (Double(crossed + covered) + crossings(of: box)) * Self.leaderCost
    }

    /// How many leaders a box would lie on.
    private func crossings(of box: PlotBox) -> Double { Double(leaders.count { Self.crosses($0, box) }) }

    // MARK: Lines and boxes

    private static func crosses(_ line: (from: PlotPoint, to: PlotPoint), _ box: PlotBox) -> Bool {
        (0...20).contains { step in
            let share = Double(step) / 20
            return box.contains(
                PlotPoint(
                    x: line.from.x + (line.to.x - line.from.x) * share,
                    y: line.from.y + (line.to.y - line.from.y) * share))
        }
    }

    private static func cross(
        _ a: (from: PlotPoint, to: PlotPoint), _ b: (from: PlotPoint, to: PlotPoint)
    ) -> Bool {
        func side(_ line: (from: PlotPoint, to: PlotPoint), _ point: PlotPoint) -> Bool {
            (line.to.x - line.from.x) * (point.y - line.from.y) > (line.to.y - line.from.y) * (point.x - line.from.x)
        }
        return side(a, b.from) != side(a, b.to) && side(b, a.from) != side(b, a.to)
    }
}
