/// The members of a Feature's `properties`, by name and type; what is null or absent is nil.
struct GeoJSONProperties {
    /// Nil: there are none.
    private let object: JSONValue?

    init(_ object: JSONValue?) { self.object = object }

    /// - Throws: where there is something else than an object in their place.
    func requireObject() throws(GeoJSONError) {
        guard let object, !object.isObject else { return }
        throw GeoJSONError("properties", expected: "an object", got: object.shown)
    }

    subscript(_ name: StaticString) -> JSONValue? { object?[name] }

    /// As they are written, repeated ones included.
    var names: [String] { object?.members?.map(\.name) ?? [] }

    func text(_ name: StaticString) throws(GeoJSONError) -> String? {
        guard let member = self[name] else { return nil }
        if let text = member.string { return text }
        throw error(name, expected: "a text", got: member)
    }

    func error(_ name: StaticString, expected: String, got member: JSONValue?) -> GeoJSONError {
        GeoJSONError("properties.\(name)", expected: expected, got: member?.shown)
    }
}
