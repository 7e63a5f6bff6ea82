import Foundation

/// Short lists as JSON text, so that the sqlite3 shell can read a store. 1–3 µs a list; most are empty and cost nothing.
enum JSONColumn {
    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder = JSONDecoder()
    private static let empty = "[]"

    static func text(_ list: [some Encodable]) throws -> String {
        list.isEmpty ? empty : String(decoding: try encoder.encode(list), as: UTF8.self)
    }

    static func list<Element: Decodable>(_ text: String) throws -> [Element] {
        text == empty ? [] : try decoder.decode([Element].self, from: Data(text.utf8))
    }
}
