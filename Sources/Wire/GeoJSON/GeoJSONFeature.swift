import Geo

/// A Feature (RFC 7946 §3.2) in a parser's document, which it must not outlive.
struct GeoJSONFeature {
    static let expected = "a GeoJSON Feature"
    /// RFC 7946 §3.2 and §5.
    private static let members: Set = ["type", "id", "geometry", "properties", "bbox"]

    private let root: JSONValue
    let properties: GeoJSONProperties

    /// - Throws: where the type is another, or the properties are not an object.
    init(_ root: JSONValue) throws(GeoJSONError) {
        guard root.isObject else { throw GeoJSONError("", expected: Self.expected, got: root.shown) }
        let type = root["type"]
        guard type?.string == "Feature" else { throw GeoJSONError("type", expected: "\"Feature\"", got: type?.shown) }
        self.root = root
        properties = GeoJSONProperties(root["properties"])
    }

    /// Nil where it is null or absent.
    var geometry: JSONValue? { root["geometry"] }

    /// A text or a number, at the top or among the properties, which may be anything's: the one at the top counts. Nil where
    /// there is none.
    func id() throws(GeoJSONError) -> (text: String, place: String)? {
        let places = [(root["id"], "id"), (properties["id"], "properties.id")]
        guard let (member, place) = places.first(where: { $0.0 != nil }), let member else { return nil }
        if let text = member.textOrNumber { return (text, place) }
        throw GeoJSONError(place, expected: "a text or a number", got: member.shown)
    }

    /// The Feature need not repeat the id of its topic.
    ///
    /// - Throws: where it says another.
    func requireID(_ topicID: String) throws(GeoJSONError) {
        guard let own = try id(), own.text != topicID else { return }
        throw GeoJSONError(
            own.place, expected: "the topic's id \(JSONValue.shown(topicID)) or none", got: JSONValue.shown(own.text))
    }

    /// Its members, and those of its properties, that mean nothing, as messages list them.
    ///
    /// - Parameter known: the properties that mean something.
    func unknownMembers(known: [String]) -> [String] {
        let outside = (root.members?.map(\.name) ?? []).filter { !Self.members.contains($0) }
        return Spelling.unknown(
            outside.map { known.contains($0) ? "\($0) outside of properties" : $0 }
                + properties.names.filter { !known.contains($0) }, known: known)
    }
}

extension JSONValue {
    /// A number is written with the fewest digits that give the same Double.
    var textOrNumber: String? { string ?? integer.map { "\($0)" } ?? double.map { "\($0)" } }
}
