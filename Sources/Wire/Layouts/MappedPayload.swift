import Geo
import Messages

extension PayloadReading {
    /// One fix, or as many as stand in the array to which `each` leads. A payload that is itself an array of objects is an
    /// array of fixes.
    init(mapped root: JSONValue, by layout: MappedLayout, _ context: PayloadContext) throws(InputError) {
        guard let elements = try root.fixes(of: layout) else {
            let place = MappedPlace(layout: layout, element: root, shared: nil)
            add(try place.fix(context), of: try context.vehicle(in: root))
            return
        }
        let shared = SharedValues(at: layout.pointers + context.template.places, of: root)
        try add(each: elements, in: root, of: context.vehicle) { element throws(InputError) in
            let place = MappedPlace(layout: layout, element: element, shared: shared)
            return (try context.vehicle(in: element, or: shared), try place.fix(context))
        }
    }
}

/// What a payload says for those of its elements that do not say it themselves. It is looked up once: for each of thousands of
/// elements the whole payload would be searched.
struct SharedValues {
    private let values: [JSONPointer: JSONValue]

    init(at pointers: [JSONPointer], of payload: JSONValue) {
        values = Dictionary(pointers.map { ($0, $0.value(in: payload)) }, uniquingKeysWith: { first, _ in first })
            .compactMapValues(\.self)
    }

    /// Nil where there is no such place, or null stands there.
    func value(at pointer: JSONPointer) -> JSONValue? { values[pointer] }
}

extension JSONValue {
    /// Nil where the payload is one fix.
    fileprivate func fixes(of layout: MappedLayout) throws(InputError) -> Elements? {
        guard let each = layout.each else { return element(0)?.isObject == true ? elements : nil }
        guard let list = each.value(in: self) else { throw missing("\(each)", expected: "a list") }
        guard let elements = list.elements else { throw list.refused(.wrongType, at: "\(each)", expected: "a list") }
        return elements
    }
}

/// Where one fix stands.
private struct MappedPlace {
    let layout: MappedLayout
    let element: JSONValue
    /// Nil: the element is all there is.
    let shared: SharedValues?

    func fix(_ context: PayloadContext) throws(InputError) -> Fix {
        Fix(
            position: Coordinate(latitude: try required(.lat), longitude: try required(.lon)),
            time: try context.time(try time()), accuracy: try number(.accuracy), speed: try number(.speed),
            course: try number(.course).map { $0 >= 360 ? 0 : $0 }, altitude: try number(.altitude))
    }

    private func required(_ field: MappedLayout.Field) throws(InputError) -> Double {
        if let number = try number(field) { return number }
        throw element.missing(layout.place(of: field), expected: "a number\(field.range.words)")
    }

    private func number(_ field: MappedLayout.Field) throws(InputError) -> Double? {
        switch layout.fields[field] {
        case nil: return nil
        case .constant(let value): return value
        case .pointer(let pointer, let unit, let part):
            guard let value = value(at: pointer) else { return nil }
            let number: Double?
            if let part {
                guard let text = try self.part(part, of: value, field) else { return nil }
                number = text.numeral
            } else {
                number = value.numeral
            }
            if number == -1, field == .speed || field == .course { return nil }
            let converted = number.map { $0 * (unit?.factor ?? 1) }
            guard let converted, field.range.contains(converted) else {
                throw value.refused(
                    number == nil ? .wrongType : .outOfRange, at: layout.place(of: field),
                    expected: "a number\(field.range.words)"
                        + (unit.map { " (after conversion from \($0.rawValue))" } ?? ""))
            }
            return converted
        }
    }

    private func time() throws(InputError) -> Timestamp? {
        guard case .pointer(let pointer, let unit, let part) = layout.fields[.time], let value = value(at: pointer)
        else { return nil }
        guard let part else {
            guard let unit else { return try value.time(at: layout.place(of: .time), offsetNeedsColon: false) }
            return try time(value.numeral, unit, value)
        }
        guard let text = try self.part(part, of: value, .time) else { return nil }
        if unit == nil, let time = RFC3339.timestamp(text) { return time }
        return try time(text.numeral, unit, value)
    }

    private func time(
        _ number: Double?, _ unit: MappedLayout.Unit?, _ value: JSONValue
    ) throws(InputError) -> Timestamp {
        guard let number else {
            throw value.refused(
                .wrongType, at: layout.place(of: .time),
                expected: unit.map { "a number of \($0.rawValue)" } ?? JSONValue.expectedTime)
        }
        guard let unit else { return try Timestamp(epoch: number) }
        return try Timestamp(epochMilliseconds: unit == .milliseconds ? number : number * 1000)
    }

    /// One part of a text that holds several; nil where it has not so many, or this one is empty.
    private func part(
        _ index: Int, of value: JSONValue, _ field: MappedLayout.Field
    ) throws(InputError) -> String? {
        guard let text = value.string else {
            throw value.refused(.wrongType, at: layout.place(of: field), expected: "a text such as \"54.6,25.2\"")
        }
        let parts = text.separatedParts
        return parts.indices.contains(index) && !parts[index].isEmpty ? String(parts[index]) : nil
    }

    /// Of the element, else of the payload around it. An empty text, which some programs write for what they do not know, is none.
    private func value(at pointer: JSONPointer) -> JSONValue? {
        if let own = pointer.value(in: element), own.utf8?.isEmpty != true { return own }
        guard let around = shared?.value(at: pointer), around.utf8?.isEmpty != true else { return nil }
        return around
    }
}

extension MappedLayout {
    fileprivate var pointers: [JSONPointer] {
        fields.values.compactMap { if case .pointer(let pointer, _, _) = $0 { pointer } else { nil } }
    }

    /// As a log names it.
    fileprivate func place(of field: Field) -> String {
        guard case .pointer(let pointer, _, let part) = fields[field] else { return field.rawValue }
        return "\(field) at \(pointer)" + (part.map { ", part \($0)" } ?? "")
    }
}

extension String {
    /// What stands between commas, semicolons and white space; nothing stands between two commas in a row.
    var separatedParts: [Substring] {
        split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" }.flatMap { piece in
            let words = piece.split(whereSeparator: \.isWhitespace)
            return words.isEmpty ? [""] : words
        }
    }
}
