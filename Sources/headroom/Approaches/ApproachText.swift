import Clearances
import Fleet
import Foundation
import Geo
import Messages
import Roads

/// Approaches as people read them: a heading for each clearance, and below it a row for each way to arrive.
struct ApproachText {
    /// A terminal's, half a screen's or a page's.
    private static let widthMax = 100
    /// So that rows stay within that.
    private static let (arrivingMax, ontoMax) = (25, 20)

    let network: RoadNetwork
    let height: Centimetres
    let through: ThroughPolicy
    let units: UnitSystem

    func text(_ approaches: [Approach]) -> String {
        let clearances = Set(approaches.map { $0.hazard.structures[0] }).count
        let head =
            "\(approaches.count) approaches to \(clearances) clearances too low for a vehicle of \(length(of: height)); "
            + "detours: \(through.rawValue)"
        let parts = [(true, "PUBLIC ROADS"), (false, "SERVICE ROADS")].flatMap { isPublic, title -> [String] in
            let shown = approaches.filter { $0.hazard.isPublic == isPublic }
            return shown.isEmpty ? [] : ["", title] + sections(shown)
        }
        return ([head] + parts + legend(approaches)).joined(separator: "\n")
    }

    // MARK: One clearance

    /// In the order of the approaches.
    private func sections(_ approaches: [Approach]) -> [String] {
        var order: [ClearanceID] = []
        let grouped = Dictionary(grouping: approaches) { $0.hazard.structures[0] }
        for approach in approaches where !order.contains(approach.hazard.structures[0]) {
            order.append(approach.hazard.structures[0])
        }
        let rows = order.map { (grouped[$0] ?? []).map(row) }
        let widths = Self.columns.indices.map { column in
            ([Self.columns] + rows.flatMap { $0 }).map { $0[column].count }.max() ?? 0
        }
        return zip(order, rows).flatMap { clearance, rows in
            ["", heading(clearance), line(Self.columns, widths)] + rows.map { line($0, widths) }
                + chains(grouped[clearance] ?? [])
        }
    }

    private func heading(_ id: ClearanceID) -> String {
        let clearance = network.clearance(id)
        let name = clearance.name.isEmpty ? "unnamed road" : clearance.name
        let rest = "  \(self.height(of: clearance))  \(clearance.id)"
        return cut(name, to: max(Self.widthMax - rest.count, 20)) + rest
    }

    /// In the units that are asked for, and as the sign has it.
    private func height(of clearance: Clearance) -> String {
        let isImperial = clearance.posted.contains { "'′f\"".contains($0) }
        guard case .limit(let limit) = clearance.reading else { return "posted \(clearance.posted)" }
        if units == .imperial && isImperial { return clearance.posted }
        let text = length(of: limit)
        let isSame = Double(clearance.posted).map { Int(($0 * 100).rounded()) } == limit && units == .metric
        return isSame ? text : "\(text) (posted \(clearance.posted))"
    }

    private func chains(_ approaches: [Approach]) -> [String] {
        let chains = Set(approaches.map { $0.hazard.structures.dropFirst().map { network.clearance($0).id } })
        return chains.filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }.sorted().map {
            "  with no turn-off before \(cut($0, to: Self.widthMax - 25))"
        }
    }

    // MARK: One approach

    private static let columns = ["arriving on", "", "leave onto", "before", "detour", "extra", "warn at", ""]
    /// Columns of numbers stand to the right.
    private static let numbers = 3...6

    private func row(_ approach: Approach) -> [String] {
        let arriving = approach.detour?.arriving
        let road = cut(
            arriving.flatMap(network.title) ?? (arriving == nil ? "any road" : "unnamed road"), to: Self.arrivingMax)
        let warn = approach.alert.map { length($0.distanceToEntry) } ?? "–"
        guard let detour = approach.detour else {
            let entry = network.title(approach.hazard.entry) ?? "unnamed road"
            return [
                cut(entry, to: Self.arrivingMax), compass(approach.hazard.entry), "no detour", "", "", "", warn,
                notes(approach),
            ]
        }
        return [
            road, compass(detour.arriving), cut(network.title(detour.turnOff) ?? "unnamed road", to: Self.ontoMax),
            length(detour.distanceToEntry), length(detour.length),
            (detour.extra < 0 ? "-" : "+") + length(abs(detour.extra)),
            warn, notes(approach),
        ]
    }

    /// Which way a truck drives on an edge when it comes to its end.
    private func compass(_ edge: EdgeID) -> String {
        let line = network.line(edge)
        guard line.count >= 2 else { return "" }
        let bearing = line[line.count - 2].bearing(to: line[line.count - 1])
        return ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][Int((bearing / 45).rounded()) % 8]
    }

    private func notes(_ approach: Approach) -> String {
        Self.marks.filter { $0.holds(approach) }.map(\.letter).joined()
    }

    private static let marks: [(letter: String, words: String, holds: @Sendable (Approach) -> Bool)] = [
        ("T", "the detour comes back along the road of arrival", { $0.detour?.isTurnaround == true }),
        (
            "S", "the shortest detour is shorter than the way under the bridge, so few trucks come this way",
            { $0.detour?.hasShorterWay == true }
        ),
        ("M", "the map begins nearer than the alert point would lie", { $0.alert?.isTruncated == true }),
    ]

    private func legend(_ approaches: [Approach]) -> [String] {
        guard !approaches.isEmpty else { return [] }
        let marks = Self.marks.filter { mark in approaches.contains(where: mark.holds) }
        return [
            "", "before: from the last turn-off to where the low road begins; detour: to where it rejoins;",
            "extra: longer than straight on; warn at: before the low road; N, E, S, W: direction of arrival.",
        ] + marks.map { "\($0.letter): \($0.words)" }
    }

    // MARK: Texts

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).enumerated().map { column, cell in
            let space = String(repeating: " ", count: cell.1 - cell.0.count)
            return Self.numbers.contains(column) ? space + cell.0 : cell.0 + space
        }
        let line = "  " + padded.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    private func cut(_ text: String, to width: Int) -> String {
        text.count > width ? text.prefix(width - 1) + "…" : text
    }

    private func length(_ metres: Metres) -> String {
        switch units {
        case .metric: "\(Int(metres.rounded()).grouped) m"
        case .imperial where metres < 0.2 * Unit.mile: "\(Int((metres / Unit.foot).rounded()).grouped) ft"
        case .imperial: String(format: "%.2f mi", metres / Unit.mile)
        }
    }

    /// A height, in feet and inches rounded down.
    private func length(of centimetres: Centimetres) -> String {
        guard units == .imperial else { return String(format: "%.2f m", Double(centimetres) / 100) }
        let inches = centimetres * 100 / 254
        return "\(inches / 12)'\(inches % 12)\""
    }
}
