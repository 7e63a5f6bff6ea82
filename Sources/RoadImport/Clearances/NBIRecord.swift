import Clearances
import Geo
import Roads

/// The items of the National Bridge Inventory that clearances need, by their numbers in the coding guide.
enum NBIItem: String, CaseIterable {
    case state = "001"
    case recordType = "005A"
    case features = "006A"
    case facility = "007"
    case structure = "008"
    case routeClearance = "010"
    case latitude = "016"
    case longitude = "017"
    case deckClearance = "053"
    case underReference = "054A"
    case underclearance = "054B"
    case inspection = "090"

    var title: String { "item \(rawValue)" }
}

/// One record of the National Bridge Inventory, as far as clearances go.
///
/// Rules after FHWA, Recording and Coding Guide for the Structure Inventory and Appraisal of the Nation's Bridges,
/// FHWA-PD-96-001 (December 1995). A record is about one *inventory route* (item 5): type 1 the route on the structure,
/// type 2 the only route under it, types A–Z one of several under it. Which item limits which road:
///
/// | item | says | limits |
/// |---|---|---|
/// | 10 | clearance over the inventory route | type 1: the road on the structure; 2, A–Z: the road under it |
/// | 53 | clearance over the deck, shoulders too | the road on the structure; the lower of 10 and 53 counts |
/// | 54A, 54B | underclearance, and of what | `H`: the roads under it; `R` a railway and `N` neither: no road |
///
/// Records of type 2 and A–Z leave 53 and 54 blank: those are the structure's and stand in its type 1 record. The 54B of
/// that one and item 10 of a route under it tell of the same road; they merge when they are snapped.
struct NBIRecord {
    /// Items as they stand in the record; heights in metres with a decimal point.
    var fields: [NBIItem: String]

    /// - Returns: the clearances of this record; none where no road is limited, which a record may say that does not say
    ///   where it is.
    func clearances() throws(RowError) -> [PointClearance] {
        let limits = try self.limits(type: text(.recordType))
        guard !limits.isEmpty else { return [] }
        let position = try NBIPosition(
            latitude: text(.latitude), longitude: text(.longitude), state: try stateCode()
        ).coordinate
        return try limits.map { (limit) throws(RowError) in
            PointClearance(
                id: try id() + limit.suffix, position: position, posted: limit.posted, name: name, road: limit.road,
                passage: limit.passage, source: "nbi", date: inspectionMonth ?? "")
        }
    }

    /// Whether the record is about a route under the structure.
    var isRouteUnder: Bool { (try? text(.recordType)) != "1" }

    private struct Limit {
        var passage: PointClearance.Passage
        var posted: String
        /// Tells apart what one structure's records say.
        var suffix: String
        var road: String
    }

    private func limits(type: String) throws(RowError) -> [Limit] {
        switch type {
        case "1":
            var lowest = LowestHeight()
            lowest.take(height(.routeClearance))
            lowest.take(height(.deckClearance))
            var under = LowestHeight()
            under.take(underclearance())
            // One road's field that says nothing does not silence what is known of the other.
            if lowest.posted == nil && under.posted == nil, let problem = lowest.problem ?? under.problem {
                throw problem
            }
            return [
                lowest.posted.map { Limit(passage: .over, posted: $0, suffix: "", road: squeezed(.facility)) },
                under.posted.map { Limit(passage: .under, posted: $0, suffix: "-under", road: squeezed(.features)) },
            ].compactMap { $0 }
        case "2",
            "A"..."Z" where type.utf8.count == 1:
            switch height(.routeClearance) {
            case .success(let posted?):
                return [Limit(passage: .under, posted: posted, suffix: "-\(type)", road: squeezed(.features))]
            case .success(nil): return []
            case .failure(let problem): throw problem
            }
        default: throw RowError(.recordType, type)
        }
    }

    /// Nil: no limit, or none that applies.
    private func height(_ item: NBIItem) -> Result<String?, RowError> {
        let text = squeezed(item)
        guard !text.isEmpty else { return .failure(RowError(.blank, item.title)) }
        guard let hundredths = Self.hundredths(text) else {
            return .failure(RowError(.value, "\(item.title) is \(text)"))
        }
        return .success(Self.withoutLimit.contains(hundredths) ? nil : text)
    }

    /// `99.99`: no restriction, or 30 m and more; `30.48` is the same in files made metric from feet; 0: not applicable.
    private static let withoutLimit: Set<Int> = [9999, 3048, 0]

    private func underclearance() -> Result<String?, RowError> {
        switch squeezed(.underReference) {
        case "H": height(.underclearance)
        case "R", "N": .success(nil)
        case "": .failure(RowError(.blank, NBIItem.underReference.title))
        case let other: .failure(RowError(.reference, other))
        }
    }

    /// Digits with a decimal point or none; further decimals are dropped.
    private static func hundredths(_ text: String) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard (1...3).contains(parts[0].count), parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
            let whole = Int(parts[0]), parts.count == 1 || !parts[1].isEmpty
        else { return nil }
        let decimals = parts.count == 2 ? parts[1].prefix(2) : ""
        return Int("\(whole)\(decimals)\(String(repeating: "0", count: 2 - decimals.count))")
    }

    /// The lowest of the heights that hold for one road, and what was wrong with one of them.
    private struct LowestHeight {
        private(set) var posted: String?
        private(set) var problem: RowError?

        mutating func take(_ height: Result<String?, RowError>) {
            switch height {
            case .success(nil): break
            case .success(let text?):
                if NBIRecord.hundredths(text) ?? 0 < posted.flatMap(NBIRecord.hundredths) ?? .max { posted = text }
            case .failure(let rejection): problem = problem ?? rejection
            }
        }
    }
}

/// What a record is called.
extension NBIRecord {
    /// FIPS code in two digits; submissions have the FHWA region as a third.
    private func stateCode() throws(RowError) -> String {
        let text = try text(.state)
        guard (1...3).contains(text.count), text.allSatisfy(\.isASCIIDigit) else {
            throw RowError(.stateCode, text)
        }
        return text.count == 1 ? "0\(text)" : String(text.prefix(2))
    }

    /// `/ + #` may stand in a structure number and not in an id: they, and `%`, are written as in a URL.
    private func id() throws(RowError) -> String {
        let structure = try text(.structure).reduce(into: "") { encoded, character in
            switch character {
            case "/": encoded += "%2F"
            case "+": encoded += "%2B"
            case "#": encoded += "%23"
            case "%": encoded += "%25"
            default: encoded.append(character)
            }
        }
        return "nbi:\(try stateCode())-\(structure)"
    }

    private var name: String {
        [squeezed(.facility), squeezed(.features)].filter { !$0.isEmpty }.joined(separator: " over ")
    }

    /// `MMYY` as `YYYY-MM`. The inventory began in 1972.
    private var inspectionMonth: String? {
        let text = squeezed(.inspection)
        guard (3...4).contains(text.count), let number = Int(text), (1...12).contains(number / 100) else { return nil }
        let year = number % 100 + (number % 100 < 72 ? 2000 : 1900)
        return "\(year)-\(number / 100 < 10 ? "0" : "")\(number / 100)"
    }

    private func text(_ item: NBIItem) throws(RowError) -> String {
        let text = squeezed(item)
        guard !text.isEmpty else { throw RowError(.blank, item.title) }
        return text
    }

    /// Padding removed, also within.
    private func squeezed(_ item: NBIItem) -> String {
        (fields[item] ?? "").split(separator: " ").joined(separator: " ")
    }
}

extension ClearanceCollection {
    /// Takes a row that is one record, in any layout.
    mutating func takeRecord(_ row: Row, _ read: () throws(RowError) -> NBIRecord) {
        let before = clearances.count
        var isRouteUnder = false
        take(row) { () throws(RowError) in
            let record = try read()
            isRouteUnder = record.isRouteUnder
            return try record.clearances()
        }
        if isRouteUnder { routesUnderFromItem10 += clearances.count - before }
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
