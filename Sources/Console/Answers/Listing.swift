import Algorithms
import HTTPTypes
import Hummingbird
import Messages
import Wire

/// Which page of a list is wanted, and in what form.
struct Listing {
    static let parameters: Set<String> = ["limit", "cursor", "format"]
    /// As many fit into one view of a map; more come page by page.
    private static let limits = 1...1000

    let limit: Int
    /// Where the page begins, as the page before has it; nil: the first.
    let cursor: String?
    let isGeoJSON: Bool

    init(_ query: RequestQuery) throws(HTTPError) {
        limit = try query.integer("limit", in: Self.limits) ?? 100
        cursor = query.text("cursor")
        isGeoJSON = try query.wantsGeoJSON()
    }

    /// The cursor as one that this list gave out.
    func cursor<Cursor: LosslessStringConvertible>(_ type: Cursor.Type) throws(HTTPError) -> Cursor? {
        try Self.cursor(cursor, as: type)
    }

    static func cursor<Cursor: LosslessStringConvertible>(
        _ text: String?, as type: Cursor.Type
    ) throws(HTTPError) -> Cursor? {
        guard let text else { return nil }
        if let cursor = Cursor(text) { return cursor }
        throw .bad("cursor: expected one of this list, got another; leave it out to start at the beginning.")
    }

    /// - Parameters:
    ///   - next: nil: this is the last page.
    ///   - write: an item as JSON; as GeoJSON a Feature, or several.
    func answer<Items: Sequence>(
        _ items: Items, next: String?, to request: Request, _ write: (inout JSONWriter, Items.Element) -> Void
    ) -> Response {
        let bytes = JSONWriter.object { writer in
            if isGeoJSON { writer.member("type", "FeatureCollection") }
            writer.member(isGeoJSON ? "features" : "items", each: items, write)
            writer.member("next", next)
        }
        return .tagged(bytes, isGeoJSON ? Self.geoJSON : Self.json, for: request)
    }

    static let json = "application/json"
    static let geoJSON = "application/geo+json"
}

/// A part of a list that is sorted by a name, such as an id, with the text of its last element as the cursor.
struct Page<Element> {
    var elements: [Element] = []
    var next: String?

    /// - Parameters:
    ///   - sorted: ascending by `key`, each key once.
    ///   - precedes: the order of keys: T2 before T10.
    ///   - isWanted: asked only of as many as it takes.
    init(
        _ sorted: [Element], by key: (Element) -> String, _ listing: Listing,
        precedes: (String, String) -> Bool = { NaturalKey($0) < NaturalKey($1) },
        where isWanted: (Element) throws -> Bool
    ) rethrows {
        let first = listing.cursor.map { cursor in sorted.partitioningIndex { precedes(cursor, key($0)) } } ?? 0
        for element in sorted[first...] where try isWanted(element) {
            guard elements.count < listing.limit else {
                next = elements.last.map(key)
                return
            }
            elements.append(element)
        }
    }
}
