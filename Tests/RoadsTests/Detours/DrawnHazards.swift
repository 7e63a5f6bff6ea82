import Geo
import Roads
import RoadsTestSupport
import Testing

/// A drawn network and its hazards for one height, asked by the names of the drawing.
struct DrawnHazards {
    let drawn: DrawnNetwork
    let table: HazardTable

    /// - Parameter avoidsUnknown: whether the detours avoid what is of unknown height where they can.
    init(
        _ drawing: String, height: Centimetres = 400, rules: DetourRules = DetourRules(), avoidsUnknown: Bool = false
    ) throws {
        drawn = try DrawnNetwork(drawing)
        let unknown = avoidsUnknown ? drawn.network.edgesBelowDefault : nil
        table = HazardTable(drawn.network, height: height, rules: rules, avoiding: unknown)
    }

    /// The entries of all hazards, sorted.
    var entries: [String] { table.hazards.map { drawn.name($0.entry) }.sorted() }

    func hazard(_ entry: String) throws -> Hazard {
        try #require(table.hazards.first { drawn.name($0.entry) == entry }, "no hazard begins at \(entry)")
    }

    func zone(_ entry: String) throws -> [String] { try hazard(entry).zone.map(drawn.name) }

    /// The edges on which one comes to the hazard's detour points, sorted.
    func approaches(_ entry: String) throws -> [String] {
        try hazard(entry).detours.map { drawn.name($0.arriving) }.sorted()
    }

    func detour(before entry: String, from arriving: String) throws -> DetourPoint {
        try #require(
            try hazard(entry).detours.first { drawn.name($0.arriving) == arriving }, "no detour from \(arriving)")
    }

    /// Decision turns as `arriving>next`, sorted.
    func decisions(_ entry: String) throws -> [String] {
        try decisionTurns(entry).map { "\(drawn.name($0.arriving))>\(drawn.name($0.decision.next))" }.sorted()
    }

    func decision(_ entry: String, from arriving: String) throws -> HazardTable.Decision {
        try #require(try decisionTurns(entry).first { drawn.name($0.arriving) == arriving }).decision
    }

    private func decisionTurns(_ entry: String) throws -> [(arriving: EdgeID, decision: HazardTable.Decision)] {
        let hazard = try index(entry)
        return table.decisions.flatMap { arriving, decisions in
            decisions.filter { $0.hazard == hazard }.map { (arriving, $0) }
        }
    }

    /// Edges from which there is no turn-off before the entry, with the distance from their ends to it.
    func tooLate(_ entry: String) throws -> [String: Metres] {
        let hazard = try index(entry)
        let rows = table.tooLate.flatMap { edge, rows in
            rows.filter { $0.hazard == hazard }.map { (drawn.name(edge), $0.distanceToEntry) }
        }
        return Dictionary(rows, uniquingKeysWith: min)
    }

    private func index(_ entry: String) throws -> Int {
        let edge = try hazard(entry).entry
        return try #require(table.entries[edge])
    }

    /// The first approach to a hazard, with its alert point a mile before the decision.
    func approach(to entry: String) throws -> (approach: Approach, alert: Approach.AlertPoint) {
        let approaches = table.approaches(drawn.network, alertDistance: Unit.mile)
        let approach = try #require(approaches.first { drawn.name($0.hazard.entry) == entry })
        return (approach, try #require(approach.alert))
    }

    /// Compares a detour point with numbers computed by hand, to half a metre.
    func expect(
        before entry: String, from arriving: String, at junction: String, distance: Metres, length: Metres,
        extra: Metres, along edges: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let detour = try detour(before: entry, from: arriving)
        #expect(
            drawn.network.osmID(detour.junction) == (try drawn.id(node: junction)), sourceLocation: sourceLocation)
        #expect(abs(detour.distanceToEntry - distance) < 0.5, sourceLocation: sourceLocation)
        #expect(abs(detour.length - length) < 0.5, sourceLocation: sourceLocation)
        #expect(abs(detour.extra - extra) < 0.5, sourceLocation: sourceLocation)
        if let edges { #expect(detour.edges.map(drawn.name) == edges, sourceLocation: sourceLocation) }
    }
}
