/// What a driver calls a road: its name, else its number; of several (`162;Ring 1`) the first.
enum RoadTitle {
    /// Empty where it has neither.
    static func of(name: String, number: String) -> String { first(name.isEmpty ? number : name) }

    static func first(_ list: String) -> String {
        let bytes = list.utf8
        // Most are one name.
        if bytes.first != UInt8(ascii: " "), bytes.last != UInt8(ascii: " "), !bytes.contains(UInt8(ascii: ";")) {
            return list
        }
        let items = list.split(separator: ";").map { $0.trimmingSpaces }
        return items.first { !$0.isEmpty } ?? ""
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        let head = drop { $0 == " " }
        return String(head.reversed().drop { $0 == " " }.reversed())
    }
}
