/// What a source calls a road, made comparable: `W Washington St` is West Washington Street, `US-23` is US 23.
struct RoadDesignation: Hashable {
    /// Each name or number as its words, in lower case and in full.
    private let parts: [[String]]

    /// - Parameter text: one or more names or numbers, separated by `;`, `,`, `&` or brackets.
    init(_ text: String) {
        parts = text.split { ";,&()".contains($0) }.map { Self.words(String($0)) }.filter { !$0.isEmpty }
    }

    /// Nothing to compare with.
    var isEmpty: Bool { parts.isEmpty }

    /// Whether a road with this name and number, as OSM has them, is meant.
    func matches(name: String, number: String) -> Bool {
        let name = Self.words(name)
        let numbers = number.split(separator: ";").map { Self.words(String($0)) }.filter { !$0.isEmpty }
        return parts.contains { part in
            Self.isSameName(part, name) || numbers.contains { Self.mentions(part, $0) }
        }
    }

    /// Equal, or equal but for a direction that only one of the two bears.
    private static func isSameName(_ a: [String], _ b: [String]) -> Bool {
        guard !a.isEmpty, !b.isEmpty else { return false }
        if a == b { return true }
        let (bareA, bareB) = (a.filter { !directions.contains($0) }, b.filter { !directions.contains($0) })
        return !bareA.isEmpty && bareA == bareB && (bareA == a || bareB == b)
    }

    /// `us 23 southbound` mentions `us 23`; a single word must be all there is.
    private static func mentions(_ part: [String], _ number: [String]) -> Bool {
        if part == number { return true }
        guard number.count >= 2, part.count > number.count else { return false }
        return (0...(part.count - number.count)).contains { part[$0...].starts(with: number) }
    }

    private static let directions: Set<String> = [
        "north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest",
    ]

    private static let abbreviations = [
        "n": "north", "e": "east", "s": "south", "w": "west", "ne": "northeast", "se": "southeast",
        "sw": "southwest", "nw": "northwest", "ave": "avenue", "av": "avenue", "rd": "road", "blvd": "boulevard",
        "dr": "drive", "ln": "lane", "hwy": "highway", "pkwy": "parkway", "ct": "court", "pl": "place",
        "sq": "square", "ter": "terrace", "cir": "circle", "rt": "route", "rte": "route", "interstate": "i",
        "str": "straße", "strasse": "straße", "cnty": "county", "cr": "county", "co": "county", "sr": "state",
    ]

    private static func words(_ text: String) -> [String] {
        let tokens = tokens(text)
        return withoutKindOfRoad(
            tokens.enumerated().map { index, token in
                // `St John St` is Saint John Street.
                if token == "st" { return index == 0 && tokens.count > 1 ? "saint" : "street" }
                return abbreviations[token] ?? withWholeSuffix(token)
            })
    }

    /// `hauptstr` and `hauptstrasse` are `hauptstraße`.
    private static func withWholeSuffix(_ word: String) -> String {
        for suffix in ["strasse", "str"] where word.hasSuffix(suffix) && word.count > suffix.count {
            return word.dropLast(suffix.count) + "straße"
        }
        return word
    }

    /// `county route 9` and `county road 9` are `county 9`, `us highway 23` is `us 23`.
    private static func withoutKindOfRoad(_ words: [String]) -> [String] {
        words.enumerated().filter { index, word in
            guard ["route", "road", "highway"].contains(word), index > 0, index + 1 < words.count else { return true }
            return words[index + 1].first?.isNumber != true
        }.map(\.element)
    }

    /// Runs of letters and runs of digits; `9/1` is one number, `U.S.` one word, `05` is 5.
    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var kind = Kind.separator
        for character in text.lowercased() where character != "." && character != "'" {
            let previous = kind
            kind = Kind(character, after: previous)
            guard kind != .separator else { continue }
            if kind == previous {
                tokens[tokens.count - 1].append(character)
            } else {
                tokens.append(String(character))
            }
        }
        return tokens.map { token in
            let bare = token.drop { $0 == "0" }
            return bare.first?.isNumber == true ? String(bare) : token
        }
    }

    private enum Kind {
        case letter, digit, separator

        init(_ character: Character, after previous: Kind) {
            let joins = character == "/" && previous == .digit
            self = character.isLetter ? .letter : character.isNumber || joins ? .digit : .separator
        }
    }
}
