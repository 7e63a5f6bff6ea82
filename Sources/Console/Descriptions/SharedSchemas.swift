import Foundation

/// Brings what is published over MQTT into the description of what is said over HTTP: written down once, in the AsyncAPI
/// document, it stands in both.
struct SharedSchemas {
    private static let place = "#/components/schemas/"

    private let known: [String: Any]

    /// - Parameter document: the AsyncAPI document.
    init(of document: StaticDocument) {
        known = Self.schemas(Self.object(document))
    }

    /// The OpenAPI document with every schema that it refers to and does not have itself.
    func completing(_ document: StaticDocument) -> StaticDocument {
        var object = Self.object(document)
        var schemas = Self.schemas(object)
        var wanted = references(in: object)
        while let name = wanted.popFirst() {
            guard schemas[name] == nil, let schema = known[name] else { continue }
            schemas[name] = schema
            wanted.formUnion(references(in: schema))
        }
        var components = object["components"] as? [String: Any] ?? [:]
        components["schemas"] = schemas
        object["components"] = components
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else { return document }
        return StaticDocument(Array(data))
    }

    /// Names of all schemas that are referred to somewhere in a value.
    private func references(in value: Any) -> Set<String> {
        switch value {
        case let object as [String: Any]:
            let own = (object["$ref"] as? String).flatMap { reference in
                reference.hasPrefix(Self.place) ? String(reference.dropFirst(Self.place.count)) : nil
            }
            return object.values.reduce(into: Set([own].compactMap(\.self))) { $0.formUnion(references(in: $1)) }
        case let list as [Any]: return list.reduce(into: []) { $0.formUnion(references(in: $1)) }
        default: return []
        }
    }

    private static func object(_ document: StaticDocument) -> [String: Any] {
        let value = try? JSONSerialization.jsonObject(with: Data(document.bytes))
        return value as? [String: Any] ?? [:]
    }

    private static func schemas(_ document: [String: Any]) -> [String: Any] {
        (document["components"] as? [String: Any])?["schemas"] as? [String: Any] ?? [:]
    }
}
