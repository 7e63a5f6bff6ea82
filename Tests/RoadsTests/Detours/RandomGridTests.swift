import Geo
import Hashing
import Roads
import RoadsTestSupport
import Testing

@Suite("On random grids the hazard table finds what the slow reference finds")
struct RandomGridTests {
    private static let height: Centimetres = 400

    @Test(
        "every detour point and its length, under every through policy, with low roundabouts or without",
        arguments: UInt64(0)..<60, [false, true])
    func sameAsReference(seed: UInt64, withRings: Bool) throws {
        let drawing = Self.drawing(seed: seed, withRings: withRings)
        let drawn = try DrawnNetwork(drawing)
        let through = ThroughPolicy.allCases[Int(seed % 3)]
        // Short enough to matter in some of the grids.
        let rules = DetourRules(through: through, lengthMax: seed % 4 == 0 ? 1_500 : 30_000)
        let table = HazardTable(drawn.network, height: Self.height, rules: rules)
        let reference = SlowReference(drawn.network, height: Self.height, rules: rules)
        try #require(!reference.entries.isEmpty, "nothing is low in this grid")
        let differences = reference.differences(to: table, entries: reference.entries, name: drawn.name)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))\n\(drawing)")
    }

    @Test(
        "where the shortest detour is under something of unknown height, the shortest that is not",
        arguments: UInt64(0)..<60)
    func avoidsUnknown(seed: UInt64) throws {
        let drawing = Self.withUnknownHeights(Self.drawing(seed: seed, withRings: seed % 2 == 0))
        let drawn = try DrawnNetwork(drawing)
        let unknown = drawn.network.edgesBelowDefault
        // Short enough to matter in some of the grids.
        let rules = DetourRules(lengthMax: seed % 4 == 0 ? 1_500 : 30_000)
        let table = HazardTable(drawn.network, height: Self.height, rules: rules, avoiding: unknown)
        let reference = SlowReference(drawn.network, height: Self.height, rules: rules, avoiding: unknown)
        let differences = reference.differences(to: table, entries: reference.entries, name: drawn.name)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))\n\(drawing)")
        let shortest = HazardTable(drawn.network, height: Self.height, rules: rules)
        #expect(table.tooLate == shortest.tooLate && table.leading == shortest.leading)
        #expect(table.decisions.keys == shortest.decisions.keys)
        for (decisions, others) in zip(table.decisions, shortest.decisions) {
            #expect(decisions.1.map(\.next) == others.1.map(\.next))
            #expect(decisions.1.map(\.detour) == others.1.map(\.detour))
        }
    }

    @Test("a table that is made from those of other heights is the one that is made from nothing", arguments: 0..<40)
    func fromAnotherHeight(seed: UInt64) throws {
        let drawing = Self.withUnknownHeights(Self.drawing(seed: seed)).split(separator: "\n").enumerated().map {
            number, line in line.replacing("=3.2", with: "=\(3 + number % 4 / 2).\(number % 10)")
        }
        let network = try DrawnNetwork(drawing.joined(separator: "\n")).network
        var former: [HazardTable] = []
        for height in [400, 340, 305, 349, 400] {
            let (table, made) = (Self.table(network, height), Self.table(network, height, from: former))
            #expect(made.hazards == table.hazards && made.decisions == table.decisions)
            #expect(made.tooLate == table.tooLate && made.entries == table.entries && made.zones == table.zones)
            former.insert(made, at: 0)
        }
    }

    @Test("a table that is made from those of other clearances is the one that is made from nothing", arguments: 0..<60)
    func fromOtherClearances(seed: UInt64) throws {
        let drawing = Self.withUnknownHeights(Self.drawing(seed: seed)).split(separator: "\n").enumerated()
        let heights = ["=5", "=below_default", "=3.2", "=3.2", "=3.2"]
        var former: [HazardTable] = []
        for round in 0..<4 {
            let changed = drawing.map { number, line in
                line.replacing("=3.2", with: heights[(number + round) % 5])
            }
            let network = try DrawnNetwork(changed.joined(separator: "\n")).network
            let (table, made) = (Self.table(network), Self.table(network, from: former))
            #expect(made.hazards == table.hazards && made.decisions == table.decisions)
            #expect(made.tooLate == table.tooLate && made.entries == table.entries && made.zones == table.zones)
            former.insert(made, at: 0)
        }
    }

    @Test(
        "a table is the one that is made from nothing when one clearance after the other changes",
        arguments: UInt64(0)..<60, [false, true])
    func fromOneOtherClearance(seed: UInt64, withRings: Bool) throws {
        let drawing = Self.withUnknownHeights(Self.drawing(seed: seed, withRings: withRings))
        var lines = drawing.split(separator: "\n").map(String.init)
        let heights = ["=3.2", "=5", "=below_default"]
        let limited = lines.indices.filter { lines[$0].contains("maxheight") }
        var random = SplitMix64(seed: seed, stream: 1)
        var former: [HazardTable] = []
        for _ in 0..<8 {
            let network = try DrawnNetwork(lines.joined(separator: "\n")).network
            let (table, made) = (Self.table(network), Self.table(network, from: former))
            #expect(made.hazards == table.hazards && made.decisions == table.decisions)
            #expect(made.tooLate == table.tooLate && made.entries == table.entries && made.zones == table.zones)
            former = [made]
            guard let changed = limited.randomElement(using: &random),
                let old = heights.first(where: lines[changed].contains),
                let new = heights.filter({ $0 != old }).randomElement(using: &random)
            else { break }
            lines[changed] = lines[changed].replacing(old, with: new)
        }
    }

    private static func table(
        _ network: RoadNetwork, _ height: Centimetres = height, from former: [HazardTable] = []
    ) -> HazardTable {
        HazardTable(network, height: height, avoiding: network.edgesBelowDefault, from: former)
    }

    private static let size = 8

    /// Six by six crossings some 150 m apart, their streets running on to dead ends as at an extract's border; streets
    /// missing, one-way, low, private, service or living; turns banned.
    ///
    /// - Parameter withRings: whether a fifth of the crossings are low roundabouts.
    private static func drawing(seed: UInt64, withRings: Bool = false) -> String {
        func isRing(_ row: Int, _ column: Int) -> Bool {
            withRings && isInner(row) && isInner(column) && (2 * row + column) % 5 == Int(seed % 5)
        }
        func node(_ row: Int, _ column: Int, side: String) -> String {
            Self.node(row, column) + (isRing(row, column) ? side : "")
        }
        var random = SplitMix64(seed: seed)
        var lines: [String] = []
        for row in 0..<size {
            for column in 0..<size {
                let east = 150 * column + Int.random(in: -40...40, using: &random)
                let north = 150 * row + Int.random(in: -40...40, using: &random)
                lines +=
                    isRing(row, column)
                    ? ring(Self.node(row, column), east, north) : ["\(Self.node(row, column)) \(east) \(north)"]
            }
        }
        var streets: [String] = []
        for line in 1..<(size - 1) {
            for place in 0..<(size - 1) {
                streets.append("\(node(line, place, side: "e"))-\(node(line, place + 1, side: "w"))")
                streets.append("\(node(place, line, side: "n"))-\(node(place + 1, line, side: "s"))")
            }
        }
        streets = streets.filter { _ in !random.happens(0.15) }.map { random.happens(0.5) ? $0 : reversed($0) }
        lines += streets.map { "\($0) \(kind(&random))" }
        lines += (0..<size).compactMap { _ in ban(streets, &random) }
        return lines.joined(separator: "\n")
    }

    /// With each sixth line that is a street without a height under something of unknown height.
    private static func withUnknownHeights(_ drawing: String) -> String {
        let lines = drawing.split(separator: "\n").enumerated().map { number, line in
            let isStreet = line.prefix { $0 != " " }.contains("-") && !line.contains("maxheight")
            return isStreet && number % 6 == 0 ? "\(line) maxheight=below_default" : String(line)
        }
        return lines.joined(separator: "\n")
    }

    private static func node(_ row: Int, _ column: Int) -> String { "r\(row)c\(column)" }

    /// Whether a row or a column has crossings.
    private static func isInner(_ line: Int) -> Bool { line > 0 && line < size - 1 }

    /// A roundabout, counterclockwise, and its nodes.
    private static func ring(_ name: String, _ east: Int, _ north: Int) -> [String] {
        let corners = [
            ("e", 20, 0), ("ne", 14, 14), ("n", 0, 20), ("nw", -14, 14),
            ("w", -20, 0), ("sw", -14, -14), ("s", 0, -20), ("se", 14, -14),
        ]
        let nodes = corners.map { "\(name)\($0.0) \(east + $0.1) \(north + $0.2)" }
        let way = (corners + corners.prefix(1)).map { name + $0.0 }.joined(separator: "-")
        return nodes + ["\(way) residential junction=roundabout maxheight=3.2"]
    }

    private static func reversed(_ street: String) -> String {
        street.split(separator: "-").reversed().joined(separator: "-")
    }

    private static func kind(_ random: inout SplitMix64) -> String {
        var kind = random.happens(0.1) ? "service" : random.happens(0.05) ? "living_street" : "residential"
        if random.happens(0.15) { kind += " oneway=yes" }
        if random.happens(0.06) { kind += " access=private" }
        if random.happens(0.12) { kind += random.happens(0.3) ? " maxheight:forward=3.2" : " maxheight=3.2" }
        return kind
    }

    /// A banned turn, every other one by way of a street between.
    private static func ban(_ streets: [String], _ random: inout SplitMix64) -> String? {
        let from = streets.randomElement(using: &random)!
        let ends = from.split(separator: "-").map(String.init)
        let meeting = streets.filter { $0 != from && $0.split(separator: "-").contains { $0 == ends[1] } }
        guard let second = meeting.randomElement(using: &random) else { return nil }
        guard random.happens(0.5) else { return "no_turn \(from) \(ends[1]) \(second)" }
        let far = second.split(separator: "-").map(String.init).first { $0 != ends[1] }
        let third = streets.filter { $0 != second && $0.split(separator: "-").contains { String($0) == far } }
        return third.randomElement(using: &random).map { "no_turn \(from) \(second) \($0)" }
    }
}

extension SplitMix64 {
    /// True with the given probability.
    mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
}
