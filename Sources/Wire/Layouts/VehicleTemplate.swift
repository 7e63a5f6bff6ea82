package import Messages

/// How the id of a vehicle is put together from literal text, levels of the topic and places in the payload.
///
/// Written as `{operator}-{v}` or `{operator}-{/VP/veh}`; `{{` and `}}` stand for single braces.
package struct VehicleTemplate: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable, Sendable {
        case text(String)
        /// The level of the topic that has this name; `v` is the vehicle's own.
        case level(String)
        case place(JSONPointer)
    }

    /// A longer one gives ids of more than 64 characters anyway.
    private static let charactersMax = 512

    let parts: [Part]

    /// The level `{v}` alone.
    package static let vehicleLevel = VehicleTemplate(parts: [.level("v")])

    /// The member of the payload that names it in the gateway's own layout.
    static let headroomVehicle = VehicleTemplate(.headroomVehicle)

    private init(parts: [Part]) { self.parts = parts }

    /// A place in the payload alone.
    package init(_ place: JSONPointer) { self.init(parts: [.place(place)]) }

    /// The feed of one vehicle.
    package init(_ vehicle: VehicleID) { self.init(parts: [.text(vehicle.text)]) }

    /// - Throws: what was expected where it cannot be read, holds no level and no place, or one of them twice.
    package init(_ text: String) throws(VehicleTemplateError) {
        guard text.count <= Self.charactersMax else {
            throw VehicleTemplateError(expected: "at most \(Self.charactersMax) characters", got: "\(text.count)")
        }
        var reader = TemplateReader(text)
        parts = try reader.parts()
        let variables = parts.filter(\.isVariable)
        guard !variables.isEmpty else {
            throw VehicleTemplateError(
                expected: "a level of the topic such as {v}, or a place in the payload such as {/VP/veh}", got: text)
        }
        for (index, part) in parts.enumerated() where part.isVariable && parts[..<index].contains(part) {
            throw VehicleTemplateError(expected: "each level and place once", got: "\(part) twice")
        }
    }

    package var description: String { parts.map(\.description).joined() }

    /// The levels of the topic in it, `v` for the vehicle's.
    package var levels: [String] { parts.compactMap { if case .level(let name) = $0 { name } else { nil } } }

    /// The places of the payload in it.
    package var places: [JSONPointer] { parts.compactMap { if case .place(let place) = $0 { place } else { nil } } }

    /// Two levels or places without text between them, where `1` and `23` give the same id as `12` and `3`; nil where there
    /// are none.
    package var adjoining: String? {
        zip(parts, parts.dropFirst()).first { $0.isVariable && $1.isVariable }.map { "\($0)\($1)" }
    }

    // MARK: Putting together, and taking apart

    /// - Parameters:
    ///   - level: what the topic's level of that name says.
    ///   - value: what stands at a place of the payload.
    /// - Throws: `missingField`, `wrongType`; `invalidVehicleID` where a part is empty or the whole is no id.
    func id(
        level: (String) -> Substring?, value: (JSONPointer) throws(InputError) -> String
    ) throws(InputError) -> VehicleID {
        var text = ""
        for part in parts {
            let said =
                switch part {
                case .text(let literal): literal
                case .level(let name): String(level(name) ?? "")
                case .place(let pointer): try value(pointer)
                }
            guard !said.isEmpty else { throw .invalidVehicleID }
            text += said
        }
        guard let id = VehicleID(text) else { throw .invalidVehicleID }
        return id
    }

    /// Whether it can come out.
    package func canBe(_ id: VehicleID) -> Bool { values(of: id) != nil }

    /// What levels and places have to say so that this id comes out, each at least a character and as little as possible;
    /// nil where it cannot.
    func values(of id: VehicleID) -> [Part: String]? {
        var rest = id.text[...]
        var values: [Part: String] = [:]
        var open: [Part] = []
        for (index, part) in parts.enumerated() {
            guard case .text(let literal) = part else {
                open.append(part)
                continue
            }
            guard
                let found = rest.place(of: literal, behind: open.count, isLast: index == parts.count - 1),
                Self.fill(open, with: rest[..<found.lowerBound], &values)
            else { return nil }
            open = []
            rest = rest[found.upperBound...]
        }
        return Self.fill(open, with: rest, &values) ? values : nil
    }

    /// A character for each but the last, which has what is left.
    private static func fill(_ parts: [Part], with text: Substring, _ values: inout [Part: String]) -> Bool {
        guard let last = parts.last else { return text.isEmpty }
        guard text.count >= parts.count else { return false }
        for (part, character) in zip(parts.dropLast(), text) { values[part] = String(character) }
        values[last] = String(text.dropFirst(parts.count - 1))
        return true
    }
}

/// Why a text is no template.
package struct VehicleTemplateError: Error, Hashable, Sendable {
    package var expected: String
    package var got: String
}

extension VehicleTemplate.Part: CustomStringConvertible {
    var isVariable: Bool { if case .text = self { false } else { true } }

    var description: String {
        switch self {
        case .text(let text): text.replacing("{", with: "{{").replacing("}", with: "}}")
        case .level(let name): "{\(name)}"
        case .place(let pointer): "{\(pointer)}"
        }
    }
}

extension Substring {
    /// Where `literal` stands first behind so many characters, or at the very end; nil where it does not. Behind none it
    /// stands at the beginning.
    fileprivate func place(of literal: String, behind count: Int, isLast: Bool) -> Range<Index>? {
        if count == 0 { return hasPrefix(literal) ? startIndex..<index(startIndex, offsetBy: literal.count) : nil }
        guard !isLast else {
            return hasSuffix(literal) ? index(endIndex, offsetBy: -literal.count)..<endIndex : nil
        }
        return dropFirst(count).firstRange(of: literal)
    }
}

/// Cuts a template at its braces.
private struct TemplateReader {
    private var rest: Substring
    private var literal = ""

    init(_ text: String) { rest = text[...] }

    mutating func parts() throws(VehicleTemplateError) -> [VehicleTemplate.Part] {
        var parts: [VehicleTemplate.Part] = []
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first != "{":
                try takeLiteral(&parts)
                parts.append(try variable())
            case "{", "}":
                guard rest.popFirst() == character else {
                    throw VehicleTemplateError(expected: "}} for a brace that belongs to the id", got: "}")
                }
                literal.append(character)
            default: literal.append(character)
            }
        }
        try takeLiteral(&parts)
        return parts
    }

    private mutating func takeLiteral(_ parts: inout [VehicleTemplate.Part]) throws(VehicleTemplateError) {
        guard !literal.isEmpty else { return }
        guard VehicleID(literal) != nil else {
            throw VehicleTemplateError(
                expected: "text of at most 64 characters without + # / and control characters", got: literal)
        }
        parts.append(.text(literal))
        literal = ""
    }

    /// Behind its opening brace.
    private mutating func variable() throws(VehicleTemplateError) -> VehicleTemplate.Part {
        guard let end = rest.firstIndex(of: "}") else {
            throw VehicleTemplateError(expected: "a closing brace", got: "{\(rest)")
        }
        let name = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        guard !name.isEmpty, !name.contains("{") else {
            throw VehicleTemplateError(expected: "the name of a level or a JSON Pointer in braces", got: "{\(name)}")
        }
        guard name.hasPrefix("/") else { return .level(name) }
        guard let pointer = JSONPointer(name) else {
            throw VehicleTemplateError(expected: "a JSON Pointer such as /VP/veh", got: name)
        }
        return .place(pointer)
    }
}
