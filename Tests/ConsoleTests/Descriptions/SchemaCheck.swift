import Foundation

/// Compares values with the schemas of a document, as far as it uses JSON Schema; members that no schema names are a problem,
/// so that what is served and what is described cannot drift apart.
struct SchemaCheck {
    typealias Object = [String: Any]

    /// The whole document, in which references are looked up.
    let document: Object

    /// What is wrong with a value, each with its place; nothing where it fits.
    func problems(_ value: Any, _ schema: Object, at place: String = "") -> [String] {
        let parts = flattened(schema)
        var problems = parts.flatMap { part in own(value, part, at: place) }
        if let object = value as? Object { problems += unknown(object, parts, at: place) }
        return problems
    }

    /// A schema, what it refers to, and all that it has together in `allOf`.
    private func flattened(_ schema: Object) -> [Object] {
        var parts = [schema]
        if let reference = schema["$ref"] as? String { parts += flattened(resolved(reference)) }
        for part in schema["allOf"] as? [Object] ?? [] { parts += flattened(part) }
        return parts
    }

    func resolved(_ reference: String) -> Object {
        let names = reference.split(separator: "/").dropFirst().map(String.init)
        return names.reduce(document as Any?) { ($0 as? Object)?[$1] } as? Object ?? ["missing": reference]
    }

    private func own(_ value: Any, _ schema: Object, at place: String) -> [String] {
        var problems: [String] = []
        if let missing = schema["missing"] { problems.append("\(place): \(missing) leads nowhere") }
        if let types = schema["type"] as? [String] ?? (schema["type"] as? String).map({ [$0] }),
            !types.contains(where: { Self.isOf($0, value) })
        {
            return problems + ["\(place): \(value) is no \(types.joined(separator: " or "))"]
        }
        if let choices = schema["enum"] as? [Any], !choices.contains(where: { Self.isSame($0, value) }) {
            problems.append("\(place): \(value) is none of \(choices)")
        }
        if let constant = schema["const"], !Self.isSame(constant, value) {
            problems.append("\(place): \(value) is not \(constant)")
        }
        for word in ["anyOf", "oneOf"] {
            guard let choices = schema[word] as? [Object] else { continue }
            let tried = choices.map { self.problems(value, $0, at: place) }
            guard !tried.contains(where: \.isEmpty) else { continue }
            problems += tried.min { $0.count < $1.count } ?? []
        }
        return problems + limits(value, schema, at: place) + contents(value, schema, at: place)
    }

    private func limits(_ value: Any, _ schema: Object, at place: String) -> [String] {
        var problems: [String] = []
        if let number = value as? Double, !(value is Bool) {
            if let least = schema["minimum"] as? Double, number < least {
                problems.append("\(place): \(number) < \(least)")
            }
            if let most = schema["maximum"] as? Double, number > most {
                problems.append("\(place): \(number) > \(most)")
            }
        }
        if let text = value as? String, let pattern = schema["pattern"] as? String,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            problems.append("\(place): \(text) does not match \(pattern)")
        }
        if let list = value as? [Any] {
            if let least = schema["minItems"] as? Int, list.count < least {
                problems.append("\(place): \(list.count) items")
            }
            if let most = schema["maxItems"] as? Int, list.count > most {
                problems.append("\(place): \(list.count) items")
            }
        }
        return problems
    }

    private func contents(_ value: Any, _ schema: Object, at place: String) -> [String] {
        var problems: [String] = []
        if let list = value as? [Any], let items = schema["items"] as? Object {
            for (index, item) in list.enumerated() { problems += self.problems(item, items, at: "\(place)[\(index)]") }
        }
        if let object = value as? Object {
            for name in schema["required"] as? [String] ?? [] where object[name] == nil {
                problems.append("\(place): \(name) is missing")
            }
            for (name, member) in schema["properties"] as? [String: Object] ?? [:] {
                if let value = object[name] { problems += self.problems(value, member, at: "\(place).\(name)") }
            }
        }
        return problems
    }

    private func unknown(_ object: Object, _ parts: [Object], at place: String) -> [String] {
        let described = parts.filter { $0["properties"] != nil }
        guard !described.isEmpty, !parts.contains(where: { $0["additionalProperties"] != nil }) else { return [] }
        let known = Set(described.flatMap { ($0["properties"] as? Object ?? [:]).keys })
        return object.keys.filter { !known.contains($0) }.map { "\(place): \($0) is described nowhere" }
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "null": value is NSNull
        case "boolean": isBool(value)
        case "string": value is String
        case "array": value is [Any]
        case "object": value is Object
        case "number": value is Double && !isBool(value)
        case "integer": (value as? Double).map { $0 == $0.rounded() } ?? false && !isBool(value)
        default: false
        }
    }

    private static func isBool(_ value: Any) -> Bool {
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? (value is Bool && !(value is Double))
    }

    private static func isSame(_ a: Any, _ b: Any) -> Bool {
        (a as? NSObject).flatMap { a in (b as? NSObject).map { a == $0 } } ?? ("\(a)" == "\(b)")
    }
}
