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
    ///   where it is. What cannot be read beside them stands under `problems`.
    /// - Throws: where nothing of it can be used.
    func clearances() throws(RowError) -> (found: [PointClearance], problems: [RowError]) {
        let roads = try roads()
        let problems = roads.flatMap(\.problems)
        guard roads.contains(where: { $0.posted != nil }) else {
            if let problem = problems.first { throw problem }
            return ([], [])
        }
        let position = try NBIPosition(
            latitude: text(.latitude), longitude: text(.longitude), state: try stateCode()
        ).coordinate
        var found: [PointClearance] = []
        for road in roads {
            guard let posted = road.posted else { continue }
            found.append(
                PointClearance(
                    id: try id() + road.suffix, position: position, posted: posted, name: name, road: road.name,
                    passage: road.passage, source: "nbi", date: inspectionMonth ?? ""))
        }
        return (found, problems)
    }

    /// Whether the record is about a route under the structure.
    var isRouteUnder: Bool { (try? text(.recordType)) != "1" }

    /// A road that the record is about.
    private struct Road {
        let passage: PointClearance.Passage
        /// Tells apart what one structure's records say.
        let suffix: String
        let name: String
        /// The lowest of the heights over it; nil where none limits it.
        private(set) var posted: String?
        /// What is wrong with others of them.
        private(set) var problems: [RowError] = []

        init(
            _ passage: PointClearance.Passage, suffix: String, name: String, heights: [Result<String?, RowError>]
        ) {
            (self.passage, self.suffix, self.name) = (passage, suffix, name)
            for height in heights {
                switch height {
                case .success(nil): break
                case .success(let text?):
                    let lowest = posted.flatMap(NBIRecord.hundredths) ?? .max
                    if NBIRecord.hundredths(text) ?? 0 < lowest { posted = text }
                case .failure(let problem): problems.append(problem)
                }
            }
        }
    }

    private func roads() throws(RowError) -> [Road] {
        let type = try text(.recordType)
        switch type {
        case "1":
            return [
                Road(
                    .over, suffix: "", name: squeezed(.facility),
                    heights: [height(.routeClearance), height(.deckClearance)]),
                Road(.under, suffix: "-under", name: squeezed(.features), heights: [underclearance()]),
            ]
        case "2",
            "A"..."Z" where type.utf8.count == 1:
            return [
                Road(.under, suffix: "-\(type)", name: squeezed(.features), heights: [height(.routeClearance)])
            ]
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
    /// Takes a row that is one record, in any layout. What cannot be read beside its clearances is a reject of its own: one
    /// road's item that says nothing neither silences another's nor goes unseen.
    mutating func takeRecord(_ row: Row, _ read: () throws(RowError) -> NBIRecord) {
        let before = clearances.count
        var isRouteUnder = false
        var problems: [RowError] = []
        take(row) { () throws(RowError) in
            let record = try read()
            isRouteUnder = record.isRouteUnder
            let (found, unreadable) = try record.clearances()
            problems = unreadable
            return found
        }
        // A row that was rejected as a whole is told of once.
        guard clearances.count > before else { return }
        if isRouteUnder { routesUnderFromItem10 += clearances.count - before }
        for problem in problems { reject(row, problem) }
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
